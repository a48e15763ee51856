package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/store"
)

// CommentAPI is what GitHub offers for comments. *ghclient.Installation has it.
type CommentAPI interface {
	Comments(ctx context.Context, r ghclient.Repo, number int, keep func(*github.IssueComment) bool) ([]*github.IssueComment, error)
	CreateComment(ctx context.Context, r ghclient.Repo, number int, body string) (int64, error)
	EditComment(ctx context.Context, r ghclient.Repo, id int64, body string) error
	DeleteComment(ctx context.Context, r ghclient.Repo, id int64) error
}

// CommentRecords remembers our comments. *store.Store has it.
type CommentRecords interface {
	Comment(ctx context.Context, repoID int64, number int, slot string) (store.Comment, error)
	PutComment(ctx context.Context, c store.Comment) error
	DropComment(ctx context.Context, repoID int64, number int, slot string) error
}

// Comments publishes comments.
type Comments struct {
	Records CommentRecords
	// Login returns the login of the App's own bot. Nobody else's comment is ours,
	// whatever it holds.
	Login func(ctx context.Context) (string, error)
}

// Place is where a comment of ours stands: one a slot of a pull request.
type Place struct {
	Repo   ghclient.Repo
	Number int
	Slot   string // store.SlotScore or store.ReplySlot
	Marker string // line by which the comment is found again
}

// none is the recorded id when GitHub was asked and has no comment of ours.
const none = 0

// Wish is when a comment is written.
type Wish struct {
	Create bool // also where none stands; else the one that stands is edited, if one does
	Again  bool // also where the one on record says so already: people edit and delete comments
}

// Put makes the comment in the place say body: it edits the one that stands, or writes
// one. Doubles from a race are removed.
func (c *Comments) Put(ctx context.Context, api CommentAPI, p Place, body string, wish Wish) error {
	known, err := c.find(ctx, api, p)
	if err != nil {
		return err
	}
	digest := digestOf(body)
	if known.CommentID != none {
		if known.BodyDigest == digest && !wish.Again {
			return nil
		}
		err := api.EditComment(ctx, p.Repo, known.CommentID, body)
		if !errors.Is(err, ghclient.ErrNotFound) {
			return c.record(ctx, p, known.CommentID, digest, err)
		}
		// Somebody deleted it.
	}
	if !wish.Create {
		if known.CommentID == none {
			return nil
		}
		return c.record(ctx, p, none, "", nil)
	}
	// Until GitHub's answer is on record, nothing is known: after a crash it is asked.
	if err := c.Records.DropComment(ctx, p.Repo.ID, p.Number, p.Slot); err != nil {
		return err
	}
	id, err := api.CreateComment(ctx, p.Repo, p.Number, body)
	return c.record(ctx, p, id, digest, err)
}

func (c *Comments) record(ctx context.Context, p Place, id int64, digest string, err error) error {
	if err != nil {
		return err
	}
	return c.Records.PutComment(ctx, store.Comment{
		RepoID: p.Repo.ID, Number: p.Number, Slot: p.Slot, CommentID: id, BodyDigest: digest,
	})
}

// find returns the comment in the place: from the records, else from GitHub, to
// the last page. The oldest of several stays and the others are deleted.
func (c *Comments) find(ctx context.Context, api CommentAPI, p Place) (store.Comment, error) {
	known, err := c.Records.Comment(ctx, p.Repo.ID, p.Number, p.Slot)
	if err == nil || !errors.Is(err, store.ErrNotFound) {
		return known, err
	}
	login, err := c.Login(ctx)
	if err != nil {
		return store.Comment{}, err
	}
	ours, err := api.Comments(ctx, p.Repo, p.Number, func(c *github.IssueComment) bool { return isOurs(c, login, p.Marker) })
	if err != nil {
		return store.Comment{}, err
	}
	found := store.Comment{RepoID: p.Repo.ID, Number: p.Number, Slot: p.Slot, CommentID: none}
	for _, comment := range ours {
		if found.CommentID == none {
			found.CommentID, found.BodyDigest = comment.GetID(), digestOf(comment.GetBody())
			continue
		}
		if err := api.DeleteComment(ctx, p.Repo, comment.GetID()); err != nil {
			return store.Comment{}, err
		}
	}
	return found, c.Records.PutComment(ctx, found)
}

// isOurs requires both the author and the marker: a marker alone can be copied.
func isOurs(comment *github.IssueComment, login, marker string) bool {
	return comment.GetUser().GetType() == "Bot" && comment.GetUser().GetLogin() == login &&
		strings.HasPrefix(comment.GetBody(), marker)
}

func digestOf(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}
