package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/report/escape"
)

// scoreMarker is the first line of the one comment on a pull request.
var scoreMarker = report.Marker("score")

const (
	// maxLines bounds how many problems a message lists.
	maxLines = 20
	// maxListed bounds the list in bytes, well below the limits of a check and a
	// comment: what follows it says what to do.
	maxListed = 30_000
)

// neutral is a message in place of a result. The title names what to do.
func neutral(title string, summary ...string) report.CheckRun {
	return report.CheckRun{
		Conclusion: outcome.Neutral, Title: escape.ClipBytes(title, report.MaxTitle),
		Summary: escape.ClipBytes(strings.Join(summary, "\n\n"), report.MaxCheckText),
	}
}

// noCard says how to begin.
func noCard(paths []string, branch string) report.CheckRun {
	var where []string
	for _, p := range paths {
		where = append(where, escape.Code(p))
	}
	first := paths[0]
	return neutral("No scorecard: commit one at "+first,
		fmt.Sprintf("There is no scorecard on %s yet, so there is nothing to keep true. Looked for %s.", escape.Code(branch), strings.Join(where, " and ")),
		"To begin:\n\n"+
			"1. Score the agent by the defense-in-depth method. The report (Markdown) or the entry (JSON, schema version 2.0) is the scorecard.\n"+
			"2. Check it on a clone: `rescore verify --repo . --card FILE` confirms every citation and every search at the commit it is pinned to.\n"+
			"3. Commit it at "+escape.Code(first)+" on "+escape.Code(branch)+".\n\n"+
			"The next push or pull request is then measured against it. Another place can be named with `card:` in "+escape.Code(policy.Path)+".")
}

// notAccepted says what is wrong with the committed card.
func notAccepted(r *rejection, branch string) report.CheckRun {
	return neutral("Scorecard not accepted: "+r.title,
		fmt.Sprintf("The scorecard at %s on %s is not built upon: %s.", escape.Code(r.path), escape.Code(branch), escape.Markdown(r.title)),
		bullets(r.lines),
		"Mend the card and commit it. `rescore verify --repo . --card "+cardArgument(r.path)+"` and `rescore lint` show the same on a clone.")
}

// cardArgument is the path as it may be shown inside a code span.
func cardArgument(path string) string {
	if strings.ContainsAny(path, "`\n") {
		return "FILE"
	}
	return path
}

// bullets lists texts of the repository, escaped, up to maxLines and maxListed.
func bullets(lines []string) string {
	var b strings.Builder
	for i, l := range lines {
		item := "- " + escape.Markdown(escape.Clip(l, 500)) + "\n"
		if i == maxLines || b.Len()+len(item) > maxListed {
			fmt.Fprintf(&b, "- and %d more\n", len(lines)-i)
			break
		}
		b.WriteString(item)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// brokenPolicy shows the line and the fix.
func brokenPolicy(e *policy.Error) report.CheckRun {
	place := e.File
	if e.Line > 0 {
		place = fmt.Sprintf("%s line %d", e.File, e.Line)
	}
	parts := []string{fmt.Sprintf("The policy at %s cannot be used: %s.", escape.Code(place), escape.Markdown(strings.TrimSuffix(e.Msg, ".")))}
	if e.Excerpt != "" {
		parts = append(parts, escape.Fence("", strings.Split(strings.TrimRight(e.Excerpt, "\n"), "\n")))
	}
	if e.Fix != "" {
		parts = append(parts, "To mend it: "+escape.Markdown(e.Fix))
	}
	parts = append(parts, "No other policy is guessed in its place: until the file is mended on the base branch, nothing is decided.")
	return neutral("Policy cannot be used: mend "+place, parts...)
}

// unknownJudge says which judges there are.
func unknownJudge(file string, err error) report.CheckRun {
	return neutral("Policy cannot be used: a judge it names is not there",
		fmt.Sprintf("The policy at %s names a judge that this server does not have: %s.", escape.Code(file), escape.Markdown(err.Error())))
}

// failed says in plain words that a job was given up. What went wrong inside is in
// the log: it may hold paths and addresses of the server.
func failed(err error, pull bool) report.CheckRun {
	again := "The next push starts it again."
	if pull {
		again = "Comment `/rescore` to try again."
	}
	return neutral("Rescore could not finish", plainly(err), again)
}

func plainly(err error) string {
	for _, k := range []struct {
		kind error
		text string
	}{
		{ghclient.ErrPermission, "The App lacks a permission that it needs here. An owner can accept the request on the installation's settings page."},
		{ghclient.ErrUnavailable, "GitHub did not answer for a long time."},
		{gitmirror.ErrUnavailable, "The git server did not answer for a long time."},
		{gitmirror.ErrTooLarge, "The repository is larger than what is read."},
		{gitmirror.ErrRemoteNotFound, "The repository could not be fetched: it does not exist under this name, or the App may not read it."},
		{gitmirror.ErrUnknownRev, "A commit that was asked for is no longer in the repository."},
		{ghclient.ErrInvalid, "GitHub refused what was to be published."},
		{context.DeadlineExceeded, "The work took longer than one result may take."},
		{errDeadly, "The server went down each time it worked on this; its log tells when."},
	} {
		if errors.Is(err, k.kind) {
			return k.text
		}
	}
	return "Something went wrong on the server; its log tells what."
}
