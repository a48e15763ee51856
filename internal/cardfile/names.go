package cardfile

import (
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// categoryLabel returns the label of a category; an unknown id is its own label.
func categoryLabel(id string) string {
	for _, c := range scorecard.Categories {
		if c.ID == id {
			return c.Label
		}
	}
	return id
}

// categoryID returns the id of a category; an unknown label is its own id, which
// validation reports.
func categoryID(label string) string {
	for _, c := range scorecard.Categories {
		if strings.EqualFold(c.Label, label) {
			return c.ID
		}
	}
	return label
}

// capabilityName and capabilityID turn "code_execution" into "code execution" and
// back; values change "opt_in" into "opt-in".
func capabilityName(id string) string { return strings.ReplaceAll(id, "_", " ") }

func capabilityID(name string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(name)
}

func capabilityLabel(value string) string { return strings.ReplaceAll(value, "_", "-") }

func capabilityValue(label string) string { return strings.ReplaceAll(label, "-", "_") }

// slug makes an id of a name: lower-case ASCII letters and digits, other runs of
// characters a hyphen.
func slug(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			gap = false
			continue
		}
		gap = true
	}
	return b.String()
}

// agentID is the id of an agent whose report gives only its name and repository.
func agentID(name, repoURL string) string {
	if id := slug(name); id != "" {
		return id
	}
	if id := slug(repoURL[strings.LastIndexByte(repoURL, '/')+1:]); id != "" {
		return id
	}
	return "agent"
}
