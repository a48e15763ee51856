package app_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
)

// The mirrors stay within the configured bound: those used least recently go.
func TestMirrorsStayWithinTheLimit(t *testing.T) {
	w := newWorld(t, "")
	root := filepath.Join(w.config["RESCORE_DATA_DIR"], "mirrors")
	mirrors, err := gitmirror.OpenMirrors(root)
	require.NoError(t, err)
	for id := int64(1); id <= 4; id++ { // 4 was used last, each takes more than 400 kB
		m, err := mirrors.Get(w.ctx, id)
		require.NoError(t, err)
		data := make([]byte, 400_000)
		_, err = rand.Read(data)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(m.Dir(), "objects", "filler"), data, 0o600))
		require.NoError(t, m.Close())
	}
	for id, age := range map[string]time.Duration{"1": 40, "2": 30, "3": 20, "4": 10} {
		used := time.Now().Add(-age * time.Minute)
		found, err := filepath.Glob(filepath.Join(root, "*", id+".use"))
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.NoError(t, os.Chtimes(found[0], used, used))
	}
	left := func() []string {
		found, err := filepath.Glob(filepath.Join(root, "*", "*.git"))
		require.NoError(t, err)
		for i := range found {
			found[i] = strings.TrimSuffix(filepath.Base(found[i]), ".git")
		}
		return found
	}
	for _, step := range []struct {
		limit string
		want  []string
	}{{"1.5 MB", []string{"2", "3", "4"}}, {"1000kB", []string{"3", "4"}}} {
		w.config["RESCORE_MIRROR_LIMIT"] = step.limit
		w.start()
		require.Eventually(t, func() bool { return len(left()) <= len(step.want) }, patience/4, pollEvery)
		w.stop()
		assert.ElementsMatch(t, step.want, left(), step.limit)
	}
}
