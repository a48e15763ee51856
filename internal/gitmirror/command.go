package gitmirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// maxOutput bounds the standard output of one git process. A diff of a
	// million files is about 150 MB.
	maxOutput = 256 << 20
	// maxStderr bounds what is kept of standard error: the end, where the cause is.
	maxStderr = 8 << 10
	// killGrace is how long pipes may stay open after git was killed.
	killGrace = 5 * time.Second
	// maxOperandBytes bounds all operands of one call, well below the kernel's limit.
	maxOperandBytes = 64 << 10
)

// setting is one configuration variable.
type setting struct{ key, value string }

// pinned is in force for every git process, above the repository's own
// configuration, which may be hostile. It is passed in arguments, which every git
// understands: a git too old for configuration from the environment must not run
// without it.
var pinned = []setting{
	{"core.hooksPath", "/dev/null"},
	{"core.fsmonitor", "false"},
	{"core.attributesFile", "/dev/null"},
	{"core.askPass", ""},
	{"advice.graftFileDeprecated", "false"}, // said about GIT_GRAFT_FILE, below
	{"credential.helper", ""},
	{"protocol.allow", "never"},
	{"submodule.recurse", "false"},
	{"core.deltaBaseCacheLimit", "32m"}, // git's own is 96m: more than the server holds
	{"gc.auto", "0"},
	{"maintenance.auto", "false"},
}

// call describes one git process.
type call struct {
	subcommand string
	flags      []string // constants of this package, or numbers formatted by it
	operands   []string // from outside: refused when they could be read as a flag
	stdin      []byte
	settings   []setting
	secrets    Token         // replaced in whatever git says
	timeout    time.Duration // 0: the executor's
	network    bool          // passes the proxy and certificate variables on
}

// executor runs git on one repository.
type executor struct {
	git      string // path of the executable
	env      []string
	dir      string // the git directory, also the working directory
	timeout  time.Duration
	counters *counters
}

// newExecutor prepares an executor for a git directory. objects, when not empty,
// is an object directory to use in place of the one inside dir.
func newExecutor(git, dir, objects string, timeout time.Duration, c *counters) *executor {
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=/dev/null",
		"LC_ALL=C",
		"GIT_DIR=" + dir,
		// Without it a core.worktree in the repository's config decides where git
		// changes to. No call touches a work tree.
		"GIT_WORK_TREE=" + dir,
		// diff-tree reads the index, whose size is that of the whole tree, and has no
		// use for it here. A file that is not there is an empty index.
		"GIT_INDEX_FILE=" + filepath.Join(dir, "rescore-has-no-index"),
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ASKPASS=",
		"GIT_PAGER=cat",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_GRAFT_FILE=/dev/null",
		// Known to git since 2.39.4, and not enough; see objectView.
		"GIT_NO_LAZY_FETCH=1",
	}
	if objects != "" {
		env = append(env, "GIT_OBJECT_DIRECTORY="+objects)
	}
	if tmp, ok := os.LookupEnv("TMPDIR"); ok {
		env = append(env, "TMPDIR="+tmp)
	}
	return &executor{git: git, env: env, dir: dir, timeout: timeout, counters: c}
}

// networkEnv lists the variables of the operator's environment that reach a fetch.
var networkEnv = []string{
	"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
}

// command builds the process of a call without starting it. Every git process of
// the product comes from here.
func (x *executor) command(ctx context.Context, c call) (*exec.Cmd, error) {
	args, err := c.args()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", c.subcommand, err)
	}
	cmd := exec.CommandContext(ctx, x.git, append(pinnedArgs(), args...)...)
	cmd.Dir = x.dir
	cmd.Env = append([]string(nil), x.env...)
	if c.network {
		for _, name := range networkEnv {
			if value, ok := os.LookupEnv(name); ok {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
		}
	}
	cmd.Env = append(cmd.Env, configEnv(c.settings)...)
	// A group of its own: git starts helpers, and they must die with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = killGrace
	return cmd, nil
}

func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func (c call) args() ([]string, error) {
	args := append([]string{c.subcommand}, c.flags...)
	size := 0
	for _, operand := range c.operands {
		if strings.HasPrefix(operand, "-") || strings.ContainsRune(operand, 0) {
			return nil, fmt.Errorf("operand %q refused: it could be read as a flag", clip(operand))
		}
		size += len(operand) + 1
	}
	if size > maxOperandBytes {
		return nil, fmt.Errorf("operands of %d bytes: %w (%d)", size, ErrTooLarge, maxOperandBytes)
	}
	return append(args, c.operands...), nil
}

func pinnedArgs() []string {
	args := make([]string, 0, 2*len(pinned)+8)
	for _, s := range pinned {
		args = append(args, "-c", s.key+"="+s.value)
	}
	return args
}

// configEnv writes settings in the form that git reads from its environment, where
// other users of the machine do not see them, unlike arguments.
func configEnv(settings []setting) []string {
	env := make([]string, 0, 1+2*len(settings))
	for i, s := range settings {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+s.key, "GIT_CONFIG_VALUE_"+n+"="+s.value)
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(settings)))
}

// bounded gives ctx a time limit, with a cause that says which.
func bounded(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("took longer than %s: %w", limit, context.DeadlineExceeded))
}

// run runs git to its end and returns its standard output. A non-zero exit is a
// *GitError; a cancelled or expired context is the context's error.
func (x *executor) run(ctx context.Context, c call) ([]byte, error) {
	timeout := c.timeout
	if timeout == 0 {
		timeout = x.timeout
	}
	ctx, cancel := bounded(ctx, timeout)
	defer cancel()
	cmd, err := x.command(ctx, c)
	if err != nil {
		return nil, err
	}
	stdout := &limitedBuffer{limit: maxOutput, full: cancel}
	stderr := &tailBuffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if c.stdin != nil {
		cmd.Stdin = bytes.NewReader(c.stdin)
	}
	x.counters.processes.Add(1)
	err = cmd.Run()
	switch {
	case stdout.overflow:
		return nil, fmt.Errorf("git %s: output %w (%d bytes)", c.subcommand, ErrTooLarge, maxOutput)
	case err == nil:
		return stdout.Bytes(), nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("git %s: %w", c.subcommand, context.Cause(ctx))
	}
	return nil, x.failure(c, err, stderr.String())
}

// failure turns the error of a finished process into a *GitError.
func (x *executor) failure(c call, err error, stderr string) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return fmt.Errorf("git %s: %w", c.subcommand, err)
	}
	said := c.secrets.redact(stderr)
	args, _ := c.args()
	failed := &GitError{Args: args, ExitCode: exit.ExitCode(), Stderr: said, kind: diagnose(said)}
	if errors.Is(failed.kind, ErrCorrupt) || strings.Contains(said, "unable to read tree") {
		x.counters.damaged.Store(true)
	}
	return failed
}

// exitCode returns the exit status inside err, or -1.
func exitCode(err error) int {
	var git *GitError
	if errors.As(err, &git) {
		return git.ExitCode
	}
	return -1
}

// limitedBuffer collects output and ends the process when there is too much.
type limitedBuffer struct {
	bytes.Buffer
	limit    int
	full     func()
	overflow bool
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		b.overflow = true
		b.full()
		return 0, io.ErrShortBuffer
	}
	return b.Buffer.Write(p)
}

// tailBuffer keeps the last maxStderr bytes, written from one goroutine.
type tailBuffer struct{ data []byte }

func (b *tailBuffer) Write(p []byte) (int, error) {
	b.data = append(b.data, p...)
	if over := len(b.data) - maxStderr; over > 0 {
		b.data = append(b.data[:0], b.data[over:]...)
	}
	return len(p), nil
}

// String returns the text without control characters: a remote can say anything.
func (b *tailBuffer) String() string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && (r < ' ' || r == 0x7f) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(b.data), "?"))
}
