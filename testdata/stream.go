package testdata

import (
	"bytes"
	"fmt"
	"strconv"
)

// Stream returns the whole history as a stream for `git fast-import`: the default
// branch, the tags, and one branch for each pull request. The ids of the commits
// follow from it alone.
func (h *History) Stream() ([]byte, error) {
	w := &stream{people: h.People}
	if err := w.branch(h.DefaultBranch, 0, h.Commits); err != nil {
		return nil, err
	}
	tip := w.mark
	for _, p := range h.Pulls {
		if err := w.branch(p.Branch, tip, p.Commits); err != nil {
			return nil, err
		}
	}
	return w.out.Bytes(), nil
}

// stream writes the format of git-fast-import(1).
type stream struct {
	out    bytes.Buffer
	people map[string]Person
	mark   int // of the newest commit
}

// branch writes commits, one on the other, the first on the marked one (0: none).
func (w *stream) branch(name string, parent int, commits []Commit) error {
	ref := "refs/heads/" + name
	for _, c := range commits {
		if err := w.commit(ref, parent, c); err != nil {
			return fmt.Errorf("write commit %s: %w", c.Dir, err)
		}
		parent = w.mark
		if c.Tag != "" {
			fmt.Fprintf(&w.out, "reset refs/tags/%s\nfrom :%d\n\n", c.Tag, w.mark)
		}
	}
	return nil
}

func (w *stream) commit(ref string, parent int, c Commit) error {
	person, ok := w.people[c.Author]
	if !ok {
		return fmt.Errorf("nobody is called %q", c.Author)
	}
	tree, err := c.tree()
	if err != nil {
		return err
	}
	w.mark++
	who := fmt.Sprintf("%s <%s> %d +0000", person.Name, person.Email, c.Date.Unix())
	fmt.Fprintf(&w.out, "commit %s\nmark :%d\nauthor %s\ncommitter %s\n", ref, w.mark, who, who)
	w.data([]byte(c.Message))
	if parent > 0 {
		fmt.Fprintf(&w.out, "from :%d\n", parent)
	}
	for _, path := range c.Remove {
		fmt.Fprintf(&w.out, "D %s\n", path)
	}
	for _, f := range tree {
		fmt.Fprintf(&w.out, "M 100644 inline %s\n", f.path)
		w.data(f.data)
	}
	w.out.WriteByte('\n')
	return nil
}

func (w *stream) data(content []byte) {
	w.out.WriteString("data " + strconv.Itoa(len(content)) + "\n")
	w.out.Write(content)
	w.out.WriteByte('\n')
}
