package testdata

import (
	"bytes"
	"fmt"
	"strconv"
)

// Stream returns the default branch and the tags as a stream for `git
// fast-import`. The ids of the commits follow from it alone.
func (h *History) Stream() ([]byte, error) {
	return h.branch(h.DefaultBranch, "", h.Commits)
}

// PullStream returns the branch of a pull request as a stream for `git
// fast-import` into a repository that holds the default branch.
func (h *History) PullStream(p Pull) ([]byte, error) {
	return h.branch(p.Branch, "refs/heads/"+h.DefaultBranch, p.Commits)
}

// branch writes commits, one on the other, the first on the parent ("": none).
func (h *History) branch(name, parent string, commits []Commit) ([]byte, error) {
	w := &stream{people: h.People}
	for i, c := range commits {
		mark := ":" + strconv.Itoa(i+1)
		if err := w.commit("refs/heads/"+name, mark, parent, c); err != nil {
			return nil, fmt.Errorf("write commit %s: %w", c.Dir, err)
		}
		if c.Tag != "" {
			fmt.Fprintf(&w.out, "reset refs/tags/%s\nfrom %s\n\n", c.Tag, mark)
		}
		parent = mark
	}
	return w.out.Bytes(), nil
}

// stream writes the format of git-fast-import(1).
type stream struct {
	out    bytes.Buffer
	people map[string]Person
}

func (w *stream) commit(ref, mark, parent string, c Commit) error {
	person, ok := w.people[c.Author]
	if !ok {
		return fmt.Errorf("nobody is called %q", c.Author)
	}
	tree, err := c.tree()
	if err != nil {
		return err
	}
	who := fmt.Sprintf("%s <%s> %d +0000", person.Name, person.Email, c.Date.Unix())
	fmt.Fprintf(&w.out, "commit %s\nmark %s\nauthor %s\ncommitter %s\n", ref, mark, who, who)
	w.data([]byte(c.Message))
	if parent != "" {
		fmt.Fprintf(&w.out, "from %s\n", parent)
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
