package gitmirror

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

const (
	// usageExit is git's exit status for a flag it does not know.
	usageExit = 129
	// nobody is a name that no object has; asking for it proves that the process works.
	nobody = "0000000000000000000000000000000000000000"
	// readerSize holds the longest header line: a revision and a few words.
	readerSize = 64 << 10
	// writerSize holds the questions about some hundred objects.
	writerSize = 16 << 10
)

// catFile is the long-lived "git cat-file", started when it is first needed and
// started again after a failure. One exchange runs at a time.
type catFile struct {
	x    *executor
	turn chan struct{} // holds one element when nobody uses the process
	live *batch
	shut bool
}

func newCatFile(x *executor) *catFile {
	c := &catFile{x: x, turn: make(chan struct{}, 1)}
	c.turn <- struct{}{}
	return c
}

// batch is the running process. Git 2.36 answers questions about size and content
// in one process; older versions need one for each.
type batch struct {
	info, contents dialogue
}

// dialogue is how one kind of question is put.
type dialogue struct {
	*pipe
	verb  string // before each name
	flush string // after the last one, or ""
}

func (b *batch) stop() {
	b.info.stop()
	b.contents.stop()
}

// infos asks for type and size of each name and appends the answers to into, in
// order. A name may be an id or any revision without a line break.
func (c *catFile) infos(ctx context.Context, names []string, into []header) ([]header, error) {
	first := len(into)
	err := c.exchange(ctx, names, func(b *batch) dialogue { return b.info },
		func(in *bufio.Reader) error {
			h, err := readHeader(in, names[len(into)-first])
			if err == nil {
				into = append(into, h)
			}
			return err
		})
	if err != nil {
		return nil, err
	}
	return into, nil
}

// contents reads each object, whose size must be known to be acceptable, onto the
// shelf.
func (c *catFile) contents(ctx context.Context, objects []header, on *shelf) ([][]byte, error) {
	names, bodies := on.clear(objects)
	var used int64
	err := c.exchange(ctx, names, func(b *batch) dialogue { return b.contents },
		func(in *bufio.Reader) error {
			want := objects[len(bodies)]
			body, err := readBody(in, want, on.place(used, want.size+1))
			if err == nil {
				bodies, used = append(bodies, body), used+want.size+1
			}
			return err
		})
	if err != nil {
		return nil, err
	}
	return bodies, nil
}

// readBody reads the answer to a request for content into a slice that has room for
// it and the line end.
func readBody(in *bufio.Reader, want header, into []byte) ([]byte, error) {
	got, err := readHeader(in, string(want.oid))
	if err != nil {
		return nil, err
	}
	if got != want {
		return nil, fmt.Errorf("%w: object %s changed between two questions", ErrCorrupt, want.oid)
	}
	if _, err := io.ReadFull(in, into); err != nil {
		return nil, err
	}
	if into[want.size] != '\n' {
		return nil, fmt.Errorf("%w: no line end after object %s", ErrCorrupt, want.oid)
	}
	return into[:want.size:want.size], nil
}

// exchange sends one line for each name and calls read once for each answer.
// Whatever goes wrong ends the process, so that the next exchange starts clean.
func (c *catFile) exchange(ctx context.Context, names []string, choose func(*batch) dialogue, read func(*bufio.Reader) error) error {
	if len(names) == 0 {
		return nil
	}
	ctx, cancel := bounded(ctx, c.x.timeout)
	defer cancel()
	select {
	case <-c.turn:
		defer func() { c.turn <- struct{}{} }()
	case <-ctx.Done():
		return fmt.Errorf("git cat-file: %w", context.Cause(ctx))
	}
	if c.shut {
		return ErrClosed
	}
	for {
		reused := c.live != nil
		if !reused {
			live, err := c.start(ctx)
			if err != nil {
				return err
			}
			c.live = live
		}
		answers := 0
		d := choose(c.live)
		err := d.converse(ctx, names, func(in *bufio.Reader) error {
			err := read(in)
			if err == nil {
				answers++
			}
			return err
		})
		if err == nil {
			return nil
		}
		c.live.stop()
		c.live = nil
		if died := errors.Is(err, io.EOF); died && reused && answers == 0 && ctx.Err() == nil {
			continue // it had ended before it was asked: ask a new one, once
		}
		return d.explain(ctx, err)
	}
}

// start runs the process and proves that it answers.
func (c *catFile) start(ctx context.Context) (*batch, error) {
	// With --buffer git answers all questions up to a flush in one go, which spares
	// a change of process for every object.
	info, err := c.open(ctx, dialogue{verb: "info ", flush: "flush\n"}, "--batch-command", "--buffer")
	if err == nil {
		return &batch{info: info, contents: dialogue{info.pipe, "contents ", info.flush}}, nil
	}
	if exitCode(err) != usageExit {
		return nil, err
	}
	if info, err = c.open(ctx, dialogue{}, "--batch-check"); err != nil {
		return nil, err
	}
	contents, err := c.open(ctx, dialogue{}, "--batch")
	if err != nil {
		info.stop()
		return nil, err
	}
	return &batch{info: info, contents: contents}, nil
}

func (c *catFile) open(ctx context.Context, d dialogue, flags ...string) (dialogue, error) {
	p, err := startPipe(c.x, call{subcommand: "cat-file", flags: flags})
	if err != nil {
		return d, err
	}
	d.pipe = p
	err = d.converse(ctx, []string{nobody}, func(in *bufio.Reader) error {
		_, err := readHeader(in, nobody)
		return err
	})
	if err != nil {
		p.stop()
		return d, p.explain(ctx, err)
	}
	return d, nil
}

// close ends the process for good. It may be called again.
func (c *catFile) close() { c.end(true) }

// restart ends the process, so that the next exchange sees what is on disk now.
func (c *catFile) restart() { c.end(false) }

func (c *catFile) end(forGood bool) {
	<-c.turn
	defer func() { c.turn <- struct{}{} }()
	c.shut = c.shut || forGood
	if c.live != nil {
		c.live.stop()
		c.live = nil
	}
}
