package standin

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// world is everything on the stand-in but the App and its deliveries. Names are
// looked up without regard to case, as on GitHub. The GitHub's mu guards it.
type world struct {
	accounts      map[string]*account // by lower-case login
	repos         map[int64]*repository
	byName        map[string]*repository // by lower-case owner/name; former names too
	installations map[int64]*installation
	comments      map[int64]*comment
}

func newWorld() world {
	return world{
		accounts: map[string]*account{}, repos: map[int64]*repository{}, byName: map[string]*repository{},
		installations: map[int64]*installation{}, comments: map[int64]*comment{},
	}
}

// Kinds of account.
const (
	kindUser = "User"
	kindOrg  = "Organization"
	kindBot  = "Bot"
)

type account struct {
	id    int64
	login string
	kind  string
}

type app struct {
	id          int64
	slug, name  string
	owner, bot  *account
	created     time.Time
	permissions map[string]string
	events      []string
	hookURL     string
	secret      string
}

type installation struct {
	id          int64
	account     *account
	all         bool               // every repository of the account
	selected    map[int64]struct{} // else these
	permissions map[string]string
	events      []string
	suspended   *time.Time
	suspendedBy *account
	created     time.Time
	updated     time.Time
}

func (i *installation) covers(r *repository) bool {
	if i == nil || r == nil || r.owner != i.account {
		return false
	}
	_, picked := i.selected[r.id]
	return i.all || picked
}

type repository struct {
	id            int64
	owner         *account
	name          string
	dir           gitDir
	description   string
	defaultBranch string
	private       bool
	archived      bool
	disabled      bool
	deleted       bool
	parent        *repository // of a fork
	roles         map[int64]Role
	created       time.Time
	updated       time.Time
	pushed        time.Time

	lastNumber int
	issues     map[int]*issue
	suites     []*checkSuite
	runs       []*checkRun
	statuses   []*commitStatus
}

// mainBranch returns the default branch, which SetDefaultBranch may change.
func (g *GitHub) mainBranch(r *repository) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return r.defaultBranch
}

// fullName needs the GitHub's mu held, as a rename may come at any time.
func (r *repository) fullName() string { return r.owner.login + "/" + r.name }

// Role is a collaborator's role, as role_name has it.
type Role string

// The roles that every repository has.
const (
	RoleNone     Role = "none"
	RoleRead     Role = "read"
	RoleTriage   Role = "triage"
	RoleWrite    Role = "write"
	RoleMaintain Role = "maintain"
	RoleAdmin    Role = "admin"
)

// permission is the older, coarser word for a role: maintain maps to write,
// triage to read.
func (r Role) permission() string {
	switch r {
	case RoleMaintain:
		return string(RoleWrite)
	case RoleTriage:
		return string(RoleRead)
	}
	return string(r)
}

func (r Role) canWrite() bool { return r == RoleWrite || r == RoleMaintain || r == RoleAdmin }

// roleOf returns the role of an account on a repository: the owner is admin,
// and everybody reads a public one.
func (r *repository) roleOf(a *account) Role {
	if a == nil {
		return RoleNone
	}
	if a == r.owner {
		return RoleAdmin
	}
	if role, ok := r.roles[a.id]; ok {
		return role
	}
	if !r.private {
		return RoleRead
	}
	return RoleNone
}

type issue struct {
	id       int64
	number   int
	repo     *repository
	title    string
	body     string
	user     *account
	locked   bool
	state    string
	created  time.Time
	updated  time.Time
	closed   *time.Time
	comments []*comment
	pull     *pull // nil for a plain issue
}

type comment struct {
	id        int64
	issue     *issue
	user      *account
	body      string
	viaApp    bool
	created   time.Time
	updated   time.Time
	reactions []*reaction
}

type reaction struct {
	id      int64
	user    *account
	content string
	created time.Time
}

// account finds or refuses a login. Caller holds mu.
func (w *world) account(login string) (*account, error) {
	if a := w.accounts[strings.ToLower(login)]; a != nil {
		return a, nil
	}
	return nil, fmt.Errorf("find account %q: unknown; add it with AddUser or AddOrg", login)
}

// repo finds a repository by its present or a former full name. Caller holds mu.
func (w *world) repo(fullName string) (*repository, error) {
	if r := w.byName[strings.ToLower(fullName)]; r != nil && !r.deleted {
		return r, nil
	}
	return nil, fmt.Errorf("find repository %q: unknown; add it with AddRepo", fullName)
}

// issue finds an issue or pull request. Caller holds mu.
func (w *world) issue(fullName string, number int) (*issue, error) {
	r, err := w.repo(fullName)
	if err != nil {
		return nil, err
	}
	if i := r.issues[number]; i != nil {
		return i, nil
	}
	return nil, fmt.Errorf("find %s#%d: no such issue or pull request", fullName, number)
}

// installationOn returns the installation on an account, or nil. Caller holds mu.
func (w *world) installationOn(a *account) *installation {
	for _, i := range w.installations {
		if i.account == a {
			return i
		}
	}
	return nil
}

// covering returns the installation that covers a repository, or nil. Caller holds mu.
func (w *world) covering(r *repository) *installation {
	if i := w.installationOn(r.owner); i.covers(r) && !r.deleted {
		return i
	}
	return nil
}

// reposOf lists what an installation covers, by id. Caller holds mu.
func (w *world) reposOf(i *installation) []*repository {
	var out []*repository
	for _, id := range slices.Sorted(maps.Keys(w.repos)) {
		if r := w.repos[id]; i.covers(r) && !r.deleted {
			out = append(out, r)
		}
	}
	return out
}

// pullsOf lists the pull requests of a repository by number. Caller holds mu.
func (r *repository) pullsOf() []*issue {
	var out []*issue
	for _, n := range slices.Sorted(maps.Keys(r.issues)) {
		if r.issues[n].pull != nil {
			out = append(out, r.issues[n])
		}
	}
	return out
}
