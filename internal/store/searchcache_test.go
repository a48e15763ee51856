package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/store"
)

var _ search.Cache = (*store.SearchCache)(nil)

// ask asks for one result.
func ask(t *testing.T, c *store.SearchCache, key string) ([]byte, bool) {
	t.Helper()
	values := c.Get(context.Background(), []string{key})
	require.Len(t, values, 1)
	return values[0], values[0] != nil
}

func TestSearchCache(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		c := w.SearchCache("1", 0)
		_, ok := ask(t, c, "k")
		assert.False(t, ok)
		c.Put(ctx, "k", []byte("v"))
		c.Put(ctx, strings.Repeat("long", 10_000), []byte{})
		c.Put(ctx, "too large", make([]byte, store.MaxCacheValue+1))
		read := func(c *store.SearchCache) {
			values := c.Get(ctx, []string{"too large", "k", "none", strings.Repeat("long", 10_000), "k"})
			assert.Equal(t, [][]byte{nil, []byte("v"), nil, {}, []byte("v")}, values)
		}
		read(c)
		require.NoError(t, c.Flush(ctx))
		read(c)
		hits, misses := c.Counts()
		assert.Equal(t, [2]int64{6, 5}, [2]int64{hits, misses})
		assert.Empty(t, c.Get(ctx, nil))
		read(w.SearchCache("1", 0)) // another process
		_, ok = ask(t, w.SearchCache("2", 0), "k")
		assert.False(t, ok, "another engine's result")
		require.NoError(t, w.SearchCache("2", 0).Trim(ctx))
		_, ok = ask(t, w.SearchCache("1", 0), "k")
		assert.False(t, ok, "trimmed as another engine's")
	})
}

// However many results are asked for and written at once, each is its own.
func TestSearchCacheAsksForManyAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		c := w.SearchCache("1", 0)
		for _, n := range []int{1, 2, 3, 63, 64, 65, 511, 512, 513, 1500} {
			keys, want := make([]string, n), make([][]byte, n)
			for i := range keys {
				keys[i] = fmt.Sprintf("%d of %d", i, n)
				if i%3 != 0 {
					want[i] = []byte(keys[i])
					c.Put(ctx, keys[i], want[i])
				}
			}
			assert.Equal(t, want, c.Get(ctx, keys), "%d, some of them not written yet", n)
			require.NoError(t, c.Flush(ctx))
			assert.Equal(t, want, w.SearchCache("1", 0).Get(ctx, keys), "%d written", n)
		}
	})
}

// What is put in place of a damaged value stays.
func TestSearchCacheTakesTheNewValue(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		c := w.SearchCache("1", 0)
		for _, value := range []string{"damaged", "computed again"} {
			c.Put(ctx, "k", []byte(value))
			require.NoError(t, c.Flush(ctx))
			got, _ := ask(t, c, "k")
			assert.Equal(t, value, string(got))
		}
	})
}

func TestSearchCacheIsBounded(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		c := w.SearchCache("1", 1<<20)
		value := make([]byte, 32<<10)
		c.Put(ctx, "used", value)
		require.NoError(t, c.Flush(ctx))
		for i := range 100 {
			w.clock.Add(25 * time.Hour)
			c.Put(ctx, fmt.Sprint(i), value)
			_, ok := ask(t, c, "used")
			require.True(t, ok, "what is used stays, at step %d", i)
			require.NoError(t, c.Flush(ctx))
		}
		require.NoError(t, c.Trim(ctx))
		kept := 0
		for i := range 100 {
			if _, ok := ask(t, c, fmt.Sprint(i)); ok {
				kept++
			}
		}
		assert.LessOrEqual(t, kept, 32)
	})
}

// Times of use do not gather for as long as nothing new is kept.
func TestSearchCacheWritesWhatWasUsed(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		const rows, overhead = 600, 192
		c := w.SearchCache("1", 0)
		var keys []string
		for i := range 2 * rows {
			keys = append(keys, fmt.Sprint(i))
			c.Put(ctx, keys[i], []byte("v"))
		}
		require.NoError(t, c.Flush(ctx))
		w.clock.Add(25 * time.Hour)
		used := keys[:rows]
		c.Get(ctx, used) // and no Flush
		require.NoError(t, w.SearchCache("1", rows*overhead).Trim(ctx))
		kept := 0
		for _, value := range c.Get(ctx, used) {
			if value != nil {
				kept++
			}
		}
		assert.Greater(t, kept, rows*9/10)
	})
}

// What waits to be written is bounded too, by bytes as well as by number.
func TestSearchCacheWritesWhatWasGathered(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		c := w.SearchCache("1", 0)
		for i := range 5 {
			c.Put(ctx, fmt.Sprint("large ", i), make([]byte, store.MaxCacheValue))
		}
		for i := range 600 {
			c.Put(ctx, fmt.Sprint("small ", i), []byte("v"))
		}
		other := w.SearchCache("1", 0) // reads the database alone
		_, ok := ask(t, other, "large 0")
		assert.True(t, ok)
		_, ok = ask(t, other, "small 0")
		assert.True(t, ok)
		_, ok = ask(t, other, "small 599")
		assert.False(t, ok, "gathered for the next time")
	})
}

func TestSearchCacheConcurrently(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		caches := []*store.SearchCache{w.SearchCache("1", 64<<10), w.SearchCache("1", 64<<10)} // as of two replicas
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				c := caches[i%2]
				for n := range 300 {
					key := fmt.Sprint(n * (i + 1) % 200)
					if v := c.Get(ctx, []string{key})[0]; v != nil {
						assert.Equal(t, key, string(v))
					}
					c.Put(ctx, key, []byte(key))
					if n%100 == 0 {
						_ = c.Flush(ctx) // that another replica was first is no error to us
						assert.NoError(t, c.Trim(ctx))
					}
				}
			})
		}
		all.Wait()
	})
}

func TestSearchCacheForgetsWhenTheDatabaseFails(t *testing.T) {
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	c := s.SearchCache("1", 0)
	c.Put(context.Background(), "k", []byte("v"))
	require.NoError(t, s.Close())
	_, ok := ask(t, c, "other")
	assert.False(t, ok)
	require.Error(t, c.Flush(context.Background()))
	_, ok = ask(t, c, "k")
	assert.False(t, ok)
}
