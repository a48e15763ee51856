package report

import (
	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// linker makes permalinks at one commit of one repository. Its zero value makes
// none: a card or a clone whose address is no plain repository URL gets texts
// without links.
type linker struct {
	repo, commit string
}

var commitID = lazy.Regexp(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

func newLinker(repo, commit string) linker {
	repo = escape.RepoURL(repo)
	if repo == "" || !commitID().MatchString(commit) {
		return linker{}
	}
	return linker{repo: repo, commit: commit}
}

// lines returns the permalink of a citation, or "".
func (l linker) lines(e scorecard.Evidence) string {
	if l.repo == "" || e.IsSearch() || e.Lines.First < 1 {
		return ""
	}
	return escape.Destination(scorecard.Permalink(l.repo, l.commit, e.File, e.Lines), e.File)
}

// tree returns the address of the commit's tree, or "".
func (l linker) tree() string {
	if l.repo == "" {
		return ""
	}
	return l.repo + "/tree/" + l.commit
}
