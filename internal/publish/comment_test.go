package publish_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/publish"
	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/store"
)

// upsert writes the comment wherever one stands or not.
func (f *fixture) upsert(p publish.Place, body string) error {
	return f.comments.Put(f.ctx, f.api, p, body, publish.Wish{Create: true})
}

func TestCommentIsOneAndEditedInPlace(t *testing.T) {
	f := newFixture(t)
	require.NoError(t, f.comments.Put(f.ctx, f.api, f.place(), marker+"\nzero", publish.Wish{}))
	assert.Empty(t, f.standing())
	mark := f.gh.Mark()
	require.NoError(t, f.comments.Put(f.ctx, f.api, f.place(), marker+"\nzero", publish.Wish{}))
	assert.Empty(t, f.gh.JournalSince(mark), "GitHub is asked once")

	require.NoError(t, f.upsert(f.place(), marker+"\none"))
	mark = f.gh.Mark()
	require.NoError(t, f.upsert(f.place(), marker+"\none"))
	assert.Empty(t, f.gh.JournalSince(mark), "an unchanged comment is not edited")
	require.NoError(t, f.comments.Put(f.ctx, f.api, f.place(), marker+"\ntwo", publish.Wish{}))
	assert.Len(t, f.gh.JournalSince(mark), 1)
	comments := f.standing()
	require.Len(t, comments, 1)
	assert.Equal(t, marker+"\ntwo", comments[0].Body)
}

// What people did to the comment is made up for when somebody asks for the result.
func TestCommentOfOthersMaking(t *testing.T) {
	again := publish.Wish{Create: true, Again: true}
	f := newFixture(t)
	require.NoError(t, f.upsert(f.place(), marker+"\none"))
	require.NoError(t, f.api.EditComment(f.ctx, f.repo, f.standing()[0].ID, marker+"\nall is well"))
	require.NoError(t, f.comments.Put(f.ctx, f.api, f.place(), marker+"\none", again))
	require.Len(t, f.standing(), 1)
	assert.Equal(t, marker+"\none", f.standing()[0].Body)

	require.NoError(t, f.gh.DeleteComment(person, f.standing()[0].ID))
	require.NoError(t, f.comments.Put(f.ctx, f.api, f.place(), marker+"\none", again))
	require.Len(t, f.standing(), 1)
	assert.Equal(t, marker+"\none", f.standing()[0].Body)
}

// A comment that somebody deleted does not come back to say that nothing changed.
func TestDeletedCommentStaysAwayWhereNoneIsWanted(t *testing.T) {
	f := newFixture(t)
	require.NoError(t, f.upsert(f.place(), marker+"\none"))
	require.NoError(t, f.gh.DeleteComment(person, f.standing()[0].ID))
	require.NoError(t, f.comments.Put(f.ctx, f.api, f.place(), marker+"\ntwo", publish.Wish{}))
	assert.Empty(t, f.standing())
	mark := f.gh.Mark()
	require.NoError(t, f.comments.Put(f.ctx, f.api, f.place(), marker+"\nthree", publish.Wish{}))
	assert.Empty(t, f.gh.JournalSince(mark), "it is on record that none stands")
}

// The marker alone is no proof: anybody can copy it.
func TestOnlyOurOwnCommentIsEdited(t *testing.T) {
	f := newFixture(t)
	_, err := f.gh.Comment(person, fullName, f.pull, marker+"\nmine now")
	require.NoError(t, err)
	for range 150 { // ours comes on a later page
		_, err := f.gh.Comment(person, fullName, f.pull, "chat")
		require.NoError(t, err)
	}
	id, err := f.api.CreateComment(f.ctx, f.repo, f.pull, marker+"\nours")
	require.NoError(t, err)
	other, err := f.api.CreateComment(f.ctx, f.repo, f.pull, "ours, of another kind: "+marker)
	require.NoError(t, err)
	require.NoError(t, f.upsert(f.place(), marker+"\nnew"))
	for _, c := range f.standing() {
		switch {
		case c.ID == id:
			assert.Equal(t, marker+"\nnew", c.Body)
		case c.ID == other:
			assert.Equal(t, "ours, of another kind: "+marker, c.Body)
		case c.User == person:
			assert.NotContains(t, c.Body, "new")
		}
	}
	assert.Len(t, f.standing(), 153)
}

func TestDoublesAreRemoved(t *testing.T) {
	f := newFixture(t)
	first, err := f.api.CreateComment(f.ctx, f.repo, f.pull, marker+"\na")
	require.NoError(t, err)
	for range 2 {
		_, err := f.api.CreateComment(f.ctx, f.repo, f.pull, marker+"\nb")
		require.NoError(t, err)
	}
	require.NoError(t, f.upsert(f.place(), marker+"\nc"))
	comments := f.standing()
	require.Len(t, comments, 1)
	assert.Equal(t, first, comments[0].ID)
	assert.Equal(t, marker+"\nc", comments[0].Body)
}

func TestDeletedCommentIsWrittenAgain(t *testing.T) {
	f := newFixture(t)
	require.NoError(t, f.upsert(f.place(), marker+"\none"))
	require.NoError(t, f.gh.DeleteComment(person, f.standing()[0].ID))
	require.NoError(t, f.upsert(f.place(), marker+"\ntwo"))
	require.Len(t, f.standing(), 1)
	assert.Equal(t, marker+"\ntwo", f.standing()[0].Body)
}

func TestSlotsAreKeptApart(t *testing.T) {
	f := newFixture(t)
	reply := f.place()
	reply.Slot, reply.Marker = store.ReplySlot(9), "<!-- rescore:reply 9 -->"
	require.NoError(t, f.upsert(f.place(), marker+"\none"))
	require.NoError(t, f.upsert(reply, reply.Marker+"\nhelp"))
	assert.Len(t, f.standing(), 2)
}

func TestLockedConversationIsTold(t *testing.T) {
	f := newFixture(t)
	f.gh.FailNext("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", 1,
		standin.Fault{Status: 403, Message: "Unable to create comment because issue is locked."})
	require.ErrorIs(t, f.upsert(f.place(), marker), ghclient.ErrLocked)
	require.NoError(t, f.upsert(f.place(), marker))
}
