package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// probeBytes is what a directory has to have room for at the least: less than the
// first commit to the database takes.
const probeBytes = 64 << 10

// CheckDir makes a directory, for this user alone, unless it is there, and sees that
// it can be written to. The error says what stands in the way and how to mend it.
func CheckDir(dir string) error {
	if err := probe(dir); err != nil {
		return ExplainDir(dir, err)
	}
	return nil
}

func probe(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".probe-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, probeBytes))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// ExplainDir adds to an error about the data directory what to do about it. One that
// has another reason comes back as it is.
func ExplainDir(dir string, err error) error {
	const other = "or name another directory with RESCORE_DATA_DIR"
	var fix string
	switch {
	case IsFull(err):
		fix = "its disk is full: free space there, " + other
	case isAnyErrno(err, syscall.EROFS):
		fix = "its file system is read-only: mount a volume there that can be written to, " + other
	case isAnyErrno(err, syscall.EACCES, syscall.EPERM), hasCode(err, sqlite3.SQLITE_READONLY), hasCode(err, sqlite3.SQLITE_CANTOPEN):
		fix = fmt.Sprintf("this process, of user %d, may not write there: make the directory, or the volume mounted there, that user's (chown -R %[1]d %[2]s), %[3]s",
			os.Geteuid(), dir, other)
	case isAnyErrno(err, syscall.ENOTDIR, syscall.EEXIST):
		fix = "a file stands in its way: move it, " + other
	case isAnyErrno(err, syscall.ENOENT, syscall.ENAMETOOLONG, syscall.EIO):
		fix = "it cannot be made there: see to that place, " + other
	default:
		return err
	}
	return fmt.Errorf("data directory %s: %w; %s", dir, err, fix)
}

// IsFull reports that a disk, or the share of it that the user may fill, is full.
func IsFull(err error) bool {
	return isAnyErrno(err, syscall.ENOSPC, syscall.EDQUOT) || hasCode(err, sqlite3.SQLITE_FULL)
}

func isAnyErrno(err error, kinds ...syscall.Errno) bool {
	for _, k := range kinds {
		if errors.Is(err, k) {
			return true
		}
	}
	return false
}

// hasCode reports whether SQLite failed with the code; the upper bytes of its own tell
// more.
func hasCode(err error, code int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == code
}

// isSQLiteOutage reports whether SQLite may do the same later: another process holds
// the file for long, as a backup does, or the disk is full or fails.
func isSQLiteOutage(err error) bool {
	return hasCode(err, sqlite3.SQLITE_BUSY) || hasCode(err, sqlite3.SQLITE_FULL) || hasCode(err, sqlite3.SQLITE_IOERR)
}
