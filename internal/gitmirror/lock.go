package gitmirror

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockMode is shared or exclusive.
type lockMode int

const (
	shared    lockMode = syscall.LOCK_SH
	exclusive lockMode = syscall.LOCK_EX
)

// Waiting for a lock polls, because a blocking flock cannot be cancelled.
const (
	firstPoll = 2 * time.Millisecond
	lastPoll  = 100 * time.Millisecond
)

// fileLock is an advisory lock that holds among processes and among goroutines. It
// ends with the process at the latest. Lock files are never deleted: a waiter could
// otherwise hold a lock on a file that is no longer there.
type fileLock struct{ file *os.File }

// lock waits for the lock until ctx is done.
func lock(ctx context.Context, path string, mode lockMode) (*fileLock, error) {
	for pause := firstPoll; ; pause = min(2*pause, lastPoll) {
		l, err := tryLock(path, mode)
		if l != nil || err != nil {
			return l, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, fmt.Errorf("wait for lock %q: %w", path, context.Cause(ctx))
		case <-timer.C:
		}
	}
}

// tryLock returns nil without an error when somebody else holds the lock.
func tryLock(path string, mode lockMode) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	for {
		err = syscall.Flock(int(f.Fd()), int(mode)|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	switch {
	case err == nil:
		return &fileLock{file: f}, nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, f.Close()
	}
	return nil, errors.Join(fmt.Errorf("lock %q: %w", path, err), f.Close())
}

// Close gives the lock up.
func (l *fileLock) Close() error { return l.file.Close() }
