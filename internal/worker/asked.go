package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/command"
	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/publish"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/store"
)

// Reactions on the comment that holds a command, as a receipt.
const (
	reactionSeen     = "eyes"
	reactionDone     = "+1"
	reactionConfused = "confused"
)

// mayCommand are the roles, by role_name or, for a role of an organisation's own,
// by the permission it builds on, that may give commands.
var mayCommand = []string{"admin", "maintain", "write"}

// command does what a person asked for. A person who may not ask gets no answer: a
// denial in public would tell who may.
func (w *Worker) command(ctx context.Context, a attempt, args job.Command) error {
	repo, err := w.gate(ctx, args.Origin)
	if err != nil {
		return err
	}
	inst := w.App.Installation(repo.InstallationID)
	granted := false // in this run: without it nobody gets an answer, not even of a failure
	may := func(ctx context.Context) error {
		err := w.mayAsk(ctx, inst, repo, args.Sender)
		granted = err == nil
		return err
	}
	react := func(content string) error {
		return unanswerable(a, inst.React(ctx, ghRepo(repo), args.CommentID, content))
	}
	inWords := args.Verb != string(command.Rescore)
	if inWords || a.isFirst() { // one that was put off asks when its turn comes, not each time
		if err := may(ctx); err != nil {
			return err
		}
		may = nil
	}
	switch {
	case inWords && args.Verb == string(command.Help):
		return errors.Join(unanswerable(a, w.reply(ctx, repo, args)), react(reactionDone))
	case inWords:
		return errors.Join(unanswerable(a, w.reply(ctx, repo, args)), react(reactionConfused))
	case a.isFirst():
		if err := react(reactionSeen); err != nil {
			return err
		}
	}
	err = w.onPull(ctx, a, args.Origin, args.Number,
		asked{force: true, criteria: wanted(args), subject: job.AskedSubject(args), may: may})
	switch {
	case !granted:
		return err
	case err == nil:
		return react(reactionDone)
	case w.isLast(ctx, a, err):
		return errors.Join(err, react(reactionConfused))
	}
	return err
}

// mayAsk returns an errDone unless the person may give commands. A denial is
// remembered for a while: anybody can comment, and GitHub's budget is for the work.
func (w *Worker) mayAsk(ctx context.Context, inst *ghclient.Installation, repo store.Repository, login string) error {
	if w.denials.standing(repo.ID, login, w.Now()) {
		return &errDone{reason: fmt.Errorf("%s may not give commands, as GitHub said a moment ago", login)}
	}
	role, permission, err := inst.Role(ctx, ghRepo(repo), login)
	if err != nil {
		return err
	}
	if slices.Contains(mayCommand, role) || !isBuiltIn(role) && slices.Contains(mayCommand, permission) {
		return nil
	}
	w.denials.add(repo.ID, login, w.Now())
	return &errDone{reason: fmt.Errorf("%s may not give commands: role %q", login, role)}
}

// unanswerable lets the work go on where GitHub takes no receipt: the conversation is
// locked, or the App may not. Nothing of what was asked for depends on it.
func unanswerable(a attempt, err error) error {
	if isAny(err, []error{ghclient.ErrLocked, ghclient.ErrPermission, ghclient.ErrInvalid}) {
		a.log.Warn().Err(err).Msg("a command is worked without a receipt")
		return nil
	}
	return err
}

// isBuiltIn reports whether a role is one that every repository has, whose meaning
// permission only blurs: it shows triage as read.
func isBuiltIn(role string) bool {
	return slices.Contains([]string{"", "none", "read", "triage", "write", "maintain", "admin"}, role)
}

// wanted lists the criteria to verify anew.
func wanted(args job.Command) []string {
	if !args.All {
		return args.Criteria
	}
	var all []string
	for n := 1; n <= 10; n++ {
		all = append(all, fmt.Sprintf("C%d", n))
	}
	return all
}

// reply answers a command in a comment of its own, once.
func (w *Worker) reply(ctx context.Context, repo store.Repository, args job.Command) error {
	place := publish.Place{
		Repo: ghRepo(repo), Number: args.Number, Slot: store.ReplySlot(args.CommentID),
		Marker: report.Marker(fmt.Sprintf("reply=%d", args.CommentID)),
	}
	body := place.Marker + "\n" + command.Reply(command.Verb(args.Verb), args.Word)
	return w.Comments.Put(ctx, w.App.Installation(repo.InstallationID), place, body, publish.Wish{Create: true})
}

// rerequest posts checks again as new runs.
func (w *Worker) rerequest(ctx context.Context, a attempt, args job.Rerequest) error {
	if !args.Suite {
		return w.again(ctx, a, args.Origin, args.Number)
	}
	numbers, err := w.numbersAt(ctx, args)
	if err != nil {
		return err
	}
	if len(numbers) == 0 { // nothing of ours there: the default branch may have it
		return w.again(ctx, a, args.Origin, 0)
	}
	return w.store(ctx, numbers, args)
}

// numbersAt returns what our checks at a commit speak of: pull requests, and 0 for the
// default branch. Of an old commit nothing is on record any more, and GitHub is asked.
func (w *Worker) numbersAt(ctx context.Context, args job.Rerequest) (map[int]bool, error) {
	numbers := map[int]bool{}
	add := func(externalID string) {
		if n, ok := job.PullOfExternalID(externalID); ok {
			numbers[n] = true
		}
	}
	at, err := w.Store.ChecksOfHead(ctx, args.RepoID, args.Head)
	if err != nil {
		return nil, err
	}
	for _, c := range at {
		add(c.ExternalID)
	}
	if len(numbers) > 0 {
		return numbers, nil
	}
	repo, err := w.gate(ctx, args.Origin)
	if err != nil {
		return nil, err
	}
	runs, err := w.App.Installation(repo.InstallationID).Checks(ctx, ghRepo(repo), args.Head, w.Checks.Name)
	for _, run := range runs {
		add(run.GetExternalID())
	}
	return numbers, err
}

// again works one subject anew.
func (w *Worker) again(ctx context.Context, a attempt, o job.Origin, number int) error {
	if number == 0 {
		return w.onBranch(ctx, a, o, asked{force: true})
	}
	return w.onPull(ctx, a, o, number, asked{force: true})
}

// store turns a suite into a job for each of its subjects, so that each is worked
// and retried by itself.
func (w *Worker) store(ctx context.Context, numbers map[int]bool, args job.Rerequest) error {
	if len(numbers) == 1 {
		for n := range numbers {
			args.Number = n
		}
	}
	var jobs []job.Args
	for n := range numbers {
		one := args
		one.Suite, one.Number = false, n
		jobs = append(jobs, one)
	}
	slices.SortFunc(jobs, func(x, y job.Args) int { return x.(job.Rerequest).Number - y.(job.Rerequest).Number })
	return w.Store.InTx(ctx, func(tx *store.Tx) error { return w.Queue.Insert(ctx, tx, jobs...) })
}
