package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
)

func entry(i int) store.LogEntry {
	return store.LogEntry{
		FromCommit: "c1", ToCommit: "c2", Criterion: fmt.Sprintf("C%d", i%10+1), Parameter: "S", Mechanism: "default",
		FromLevel: "L2", ToLevel: "L0", By: "evidence", Reason: fmt.Sprintf("reason %d: ünïcode \n and more", i),
	}
}

func appendLog(t *testing.T, w world, repo int64, from, n int) {
	t.Helper()
	require.NoError(t, w.InTx(w.ctx(t), func(tx *store.Tx) error {
		var entries []store.LogEntry
		for i := range n {
			entries = append(entries, entry(from+i))
		}
		return tx.AppendLog(w.ctx(t), repo, entries)
	}))
}

func TestLogIsChained(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		require.NoError(t, w.VerifyLog(ctx, 1), "an empty log holds")
		appendLog(t, w, 1, 0, 2)
		appendLog(t, w, 2, 0, 1)
		appendLog(t, w, 1, 2, 3)
		log, err := w.Log(ctx, 1)
		require.NoError(t, err)
		require.Len(t, log, 5)
		for i, e := range log {
			assert.Equal(t, int64(i)+1, e.Seq)
			assert.Equal(t, entry(i).Reason, e.Reason)
			assert.Len(t, e.Hash, 64)
			if i > 0 {
				assert.Equal(t, log[i-1].Hash, e.PrevHash)
			}
		}
		require.NoError(t, w.VerifyLog(ctx, 1))
		require.NoError(t, w.VerifyLog(ctx, 2))
		other, err := w.Log(ctx, 2)
		require.NoError(t, err)
		assert.NotEqual(t, log[0].Hash, other[0].Hash, "the same entry in another repository")
	})
}

// Every field of an entry is covered: whatever is changed from outside, the
// first entry that no longer fits is named.
func TestTamperedLogIsFound(t *testing.T) {
	columns := []string{"from_commit", "to_commit", "criterion", "parameter", "mechanism", "from_level", "to_level",
		"decided_by", "reason", "prev_hash", "hash"}
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		var chain *store.ChainError
		for i, column := range columns {
			repo := int64(100 + i)
			appendLog(t, w, repo, 0, 4)
			change(t, w, fmt.Sprintf("UPDATE reaudit_log SET %s = 'x' WHERE repo_id = %d AND seq = 3", column, repo))
			require.ErrorAs(t, w.VerifyLog(ctx, repo), &chain, column)
			assert.Equal(t, int64(3), chain.Seq, column)
			assert.Contains(t, chain.Error(), "entry 3")
		}
		changes := map[int64]string{
			200: "UPDATE reaudit_log SET created_at = created_at + 1 WHERE repo_id = 200 AND seq = 3",
			201: "DELETE FROM reaudit_log WHERE repo_id = 201 AND seq = 3",
			202: "UPDATE reaudit_log SET reason = substr(reason, 1, 3), decided_by = substr(reason, 4) WHERE repo_id = 202 AND seq = 3",
		}
		for repo, sql := range changes {
			appendLog(t, w, repo, 0, 4)
			change(t, w, sql)
			require.ErrorAs(t, w.VerifyLog(ctx, repo), &chain)
			assert.Equal(t, int64(3), chain.Seq)
		}
		appendLog(t, w, 300, 0, 4)
		change(t, w, "UPDATE reaudit_log SET repo_id = 301 WHERE repo_id = 300")
		require.ErrorAs(t, w.VerifyLog(ctx, 301), &chain, "a chain moved to another repository")
		assert.Equal(t, int64(1), chain.Seq)
	})
}

func TestAppendIsAllOrNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		boom := errors.New("boom")
		require.ErrorIs(t, w.InTx(ctx, func(tx *store.Tx) error {
			require.NoError(t, tx.AppendLog(ctx, 1, []store.LogEntry{entry(0), entry(1)}))
			return boom
		}), boom)
		log, err := w.Log(ctx, 1)
		require.NoError(t, err)
		assert.Empty(t, log)
	})
}

// A reason may name files of the repository, whose names are any bytes. It is
// stored on either database, readable, and its chain holds.
func TestReasonsOfAnyBytes(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		for i, c := range []struct{ reason, want string }{
			{"stands in a\xff\xfeb.py", "stands in a\uFFFDb.py"},
			{"in a\x00b", "in a\uFFFDb"},
			{"in \U0001F600 ü", "in \U0001F600 ü"},
		} {
			entry := store.LogEntry{Criterion: "C1", Reason: c.reason}
			require.NoError(t, w.InTx(ctx, func(tx *store.Tx) error { return tx.AppendLog(ctx, 7, []store.LogEntry{entry}) }))
			log, err := w.Log(ctx, 7)
			require.NoError(t, err)
			require.Len(t, log, i+1)
			assert.Equal(t, c.want, log[i].Reason)
			require.NoError(t, w.VerifyLog(ctx, 7))
		}
	})
}
