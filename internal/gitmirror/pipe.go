package gitmirror

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// pipe is a process that answers lines.
type pipe struct {
	x      *executor
	call   call
	cmd    *exec.Cmd
	in     io.WriteCloser
	asks   *bufio.Writer // to in
	out    *bufio.Reader
	stderr *tailBuffer
	exit   error
}

func startPipe(x *executor, c call) (*pipe, error) {
	// The process outlives the call that needs it first, hence no deadline here.
	cmd, err := x.command(context.Background(), c)
	if err != nil {
		return nil, err
	}
	p := &pipe{x: x, call: c, cmd: cmd, stderr: &tailBuffer{}}
	cmd.Stderr = p.stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", c.subcommand, err)
	}
	p.out = bufio.NewReaderSize(out, readerSize)
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("git %s: %w", c.subcommand, err)
	}
	p.asks = bufio.NewWriterSize(p.in, writerSize)
	x.counters.processes.Add(1)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("git %s: %w", c.subcommand, err)
	}
	return p, nil
}

// converse writes all questions while it reads the answers, so that neither side
// waits for a full pipe. Cancelling ctx kills the process.
func (d dialogue) converse(ctx context.Context, names []string, read func(*bufio.Reader) error) error {
	release := context.AfterFunc(ctx, func() { _ = killGroup(d.cmd) })
	wrote := make(chan error, 1)
	go func() {
		for _, name := range names {
			_, _ = d.asks.WriteString(d.verb) // bufio keeps the first error for Flush
			_, _ = d.asks.WriteString(name)
			_ = d.asks.WriteByte('\n')
		}
		_, _ = d.asks.WriteString(d.flush)
		wrote <- d.asks.Flush()
	}()
	for range names {
		if err := read(d.out); err != nil {
			release()
			_ = killGroup(d.cmd) // lets a blocked writer go
			<-wrote              //nolint:errcheck // what reading said is the cause
			return err
		}
	}
	err := <-wrote
	if !release() {
		return context.Cause(ctx) // killed, though it had answered
	}
	return err
}

// stop ends the process and collects its status. It may be called again.
func (p *pipe) stop() {
	if p.cmd.ProcessState != nil {
		return
	}
	_ = p.in.Close()
	_ = killGroup(p.cmd)
	p.exit = p.cmd.Wait()
}

// explain says why a conversation ended, best reason first. The process must be
// stopped.
func (p *pipe) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("git %s: %w", p.call.subcommand, context.Cause(ctx))
	}
	var exit *exec.ExitError
	if (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) && errors.As(p.exit, &exit) {
		return p.x.failure(p.call, p.exit, p.stderr.String())
	}
	return fmt.Errorf("git %s: %w", p.call.subcommand, err)
}
