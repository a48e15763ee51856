package scorecard

import (
	"fmt"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/rubric"
)

// Limits on the parts of a card, far above any in use.
const (
	MaxName    = 200   // bytes of a name, label or version
	MaxText    = 8000  // bytes of a finding, gap, reason, note or other text of one line
	MaxProse   = 20000 // bytes of a headline or summary
	MaxPath    = 4096  // bytes of a path
	MaxCommand = 4096  // bytes of a search command
	MaxList    = 200   // entries of a list
	MaxFixes   = 5     // improvements of a card, by the method
)

// SchemaVersion is the version of the entry form that cards are held in.
const SchemaVersion = "2.0"

// Category is a kind of agent.
type Category struct {
	ID    string
	Label string // as reports print it
}

// Categories lists the kinds of agent.
var Categories = []Category{
	{"coding", "Coding"},
	{"cybersecurity", "Cybersecurity"},
	{"infrastructure_ops", "Infrastructure & Ops"},
	{"ai_assistants", "AI Assistants"},
	{"data_analytics", "Data & Analytics"},
	{"agent_frameworks", "Agent Frameworks"},
}

// Validate lists every problem of a card at once, in the order of the card. It
// checks form, the rules of the method that code can check, and printed figures
// against the levels.
func Validate(c *Card, s Strictness) []Problem {
	v := &validator{card: c, strict: s == Strict}
	v.head()
	v.criteria()
	v.gaps()
	v.tail()
	v.figures()
	return v.problems
}

// validator collects problems.
type validator struct {
	card     *Card
	strict   bool
	problems []Problem
}

func (v *validator) add(s Severity, place, rule, fix, format string, args ...any) {
	v.problems = append(v.problems, Problem{Severity: s, Place: place, Rule: rule, Message: fmt.Sprintf(format, args...), Fix: fix})
}

func (v *validator) fail(place, rule, fix, format string, args ...any) {
	v.add(Error, place, rule, fix, format, args...)
}

func (v *validator) warn(place, rule, fix, format string, args ...any) {
	v.add(Warning, place, rule, fix, format, args...)
}

// soft is an error in what we write and a warning in what others published.
func (v *validator) soft(place, rule, fix, format string, args ...any) {
	s := Warning
	if v.strict {
		s = Error
	}
	v.add(s, place, rule, fix, format, args...)
}

var (
	slugForm   = lazy.Regexp(`^[a-z0-9][a-z0-9-]*$`)
	commitForm = lazy.Regexp(`^[0-9a-f]{40}$`)
)

func (v *validator) head() {
	c := v.card
	if c.SchemaVersion != SchemaVersion {
		v.fail("schema version", ruleHead, "", "%q is not %s", c.SchemaVersion, SchemaVersion)
	}
	if c.ScorecardVersion != rubric.Version {
		v.fail("scorecard version", ruleHead, "rescore the card by this version of the method", "%q is not the method's version %s", c.ScorecardVersion, rubric.Version)
	}
	if !slugForm().MatchString(c.ID) || len(c.ID) > MaxName {
		v.fail("id", ruleHead, "use lower-case letters, digits and hyphens", "%q is not a slug", clip(c.ID))
	}
	v.text("name", c.Name, MaxName)
	v.repository()
	if !commitForm().MatchString(c.PinnedCommit) {
		v.fail("pinned commit", ruleHead, "give the full hash, 40 lower-case hexadecimal digits", "%q is not a full commit hash", clip(c.PinnedCommit))
	}
	v.optional("version", c.Version, MaxName, false)
	if _, err := time.Parse(time.DateOnly, c.ScoredDate); err != nil {
		v.fail("scored date", ruleHead, "write it as YYYY-MM-DD", "%q is not a date", clip(c.ScoredDate))
	}
	v.text("description", c.Description, MaxText)
	v.text("scored configuration", c.ScoredConfiguration, MaxText)
	v.prose("headline", c.Headline)
	if !slices.ContainsFunc(Categories, func(k Category) bool { return k.ID == c.Category }) {
		v.fail("category", ruleHead, "use one of "+categoryIDs(), "%q is not a category", clip(c.Category))
	}
	v.profile()
}

func categoryIDs() string {
	ids := make([]string, len(Categories))
	for i, k := range Categories {
		ids[i] = k.ID
	}
	return strings.Join(ids, ", ")
}

func (v *validator) repository() {
	c := v.card
	u, err := url.Parse(c.RepoURL)
	switch {
	case err != nil || u.Host == "" || u.Path == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || len(c.RepoURL) > MaxPath:
		v.fail("repository", ruleHead, "write https://host/owner/name", "%q is not the address of a repository", clip(c.RepoURL))
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		v.fail("repository", ruleHead, "use https", "%q is not an https address", clip(c.RepoURL))
	case strings.HasSuffix(c.RepoURL, "/") || strings.HasSuffix(c.RepoURL, ".git"):
		v.fail("repository", ruleHead, `leave out the trailing "/" or ".git"`, "%q would break the links to its files", clip(c.RepoURL))
	}
	if c.Subpath != "" {
		v.path("subpath", ruleHead, c.Subpath)
	}
}

// loopback admits repositories served by the machine itself, as in a demo.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func (v *validator) profile() {
	const place, fix = "capability profile", "answer each capability once with yes, no or opt_in"
	seen := map[string]bool{}
	for _, p := range v.card.Profile {
		switch {
		case !slices.Contains(Capabilities, p.ID):
			v.soft(place, ruleProfile, fix, "%q is not a capability", clip(p.ID))
		case seen[p.ID]:
			v.soft(place, ruleProfile, fix, "%s is answered twice", p.ID)
		case p.Value != "yes" && p.Value != "no" && p.Value != "opt_in":
			v.soft(place, ruleProfile, fix, "%s: %q is not an answer", p.ID, clip(p.Value))
		}
		seen[p.ID] = true
	}
	for _, id := range Capabilities {
		if !seen[id] {
			v.soft(place, ruleProfile, fix, "%s is missing", id)
		}
	}
}

// text checks a text of one line that must be there.
func (v *validator) text(place, s string, most int) {
	if strings.TrimSpace(s) == "" {
		v.soft(place, ruleProse, "write it", "is empty")
		return
	}
	v.optional(place, s, most, false)
}

// prose checks a text that may have several lines and must be there.
func (v *validator) prose(place, s string) {
	if strings.TrimSpace(s) == "" {
		v.soft(place, ruleProse, "write it", "is empty")
		return
	}
	v.optional(place, s, MaxProse, true)
}

// optional checks length and characters.
func (v *validator) optional(place, s string, most int, lines bool) {
	if len(s) > most {
		v.fail(place, ruleProse, "shorten it", "has %d bytes, more than %d", len(s), most)
	}
	switch r, bad := unprintable(s); {
	case !utf8.ValidString(s):
		v.fail(place, ruleProse, "write it in UTF-8", "is not UTF-8")
	case bad:
		v.fail(place, ruleProse, "remove it", "holds the character %U, which does not print", r)
	case !lines && strings.ContainsAny(s, "\n\r"):
		v.soft(place, ruleProse, "put it in one line", "has line breaks, which a report cannot hold here")
	}
}

// unprintable finds a control character, or one that reorders the text around it.
func unprintable(s string) (rune, bool) {
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
		case unicode.IsControl(r), r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069':
			return r, true
		}
	}
	return 0, false
}

// path checks that a path stays inside the repository.
func (v *validator) path(place, rule, p string) {
	const fix = "give the path inside the repository, with / between its parts"
	switch {
	case p == "" || len(p) > MaxPath:
		v.fail(place, rule, fix, "the path has %d bytes, want 1 to %d", len(p), MaxPath)
	case strings.HasPrefix(p, "/") || strings.Contains(p, `\`) || len(p) > 2 && p[1:3] == ":/":
		v.fail(place, rule, fix, "%q is not a relative path", clip(p))
	case slices.Contains(strings.Split(p, "/"), ".."):
		v.fail(place, rule, fix, "%q leaves the repository", clip(p))
	default:
		if strings.ContainsAny(p, "\n\r\t") {
			v.fail(place, rule, fix, "%q holds a tab or a line end", clip(p))
		} else if r, bad := unprintable(p); bad {
			v.fail(place, rule, fix, "%q holds a character that does not print (%U)", clip(p), r)
		} else if clean := path.Clean(p); rule == ruleCitation && clean != p {
			v.fail(place, rule, "write "+clip(clean), "%q is not the path as git has it", clip(p))
		}
	}
}

// clip shortens a text of a card for a message.
func clip(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
