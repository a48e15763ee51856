package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of the search cache.
const (
	// DefaultCacheBytes is how much the cache holds by default.
	DefaultCacheBytes = 64 << 20
	// MaxCacheValue bounds one result; larger ones are not kept.
	MaxCacheValue = 256 << 10

	cacheBatch      = 512                // results gathered before they are written
	cacheBatchBytes = 1 << 20            // or bytes of them
	cacheTimeout    = 2 * time.Second    // a slow database is no reason to wait: the result is computed
	cacheAskBatch   = 512                // results asked for in one statement; a power of two
	cacheWriteBatch = 64                 // rows written by one statement
	cacheTrimBatch  = 1000               // rows removed at a time
	cacheTouch      = 24 * time.Hour     // how exactly the time of last use is kept
	cacheOverhead   = sha256.Size*2 + 64 // bytes a row takes beside its value, roughly
)

// SearchCache keeps results of searches by content across runs and restarts. It
// implements search.Cache. A failing database makes it forget, never fail. It is
// safe for concurrent use.
type SearchCache struct {
	store    *Store
	engine   string // version of the search engine: another version's results are never read
	maxBytes int64

	hits, misses atomic.Int64

	mu           sync.Mutex
	pending      map[string][]byte
	pendingBytes int
	touched      map[string]bool
	sinceCut     int64
}

// SearchCache opens the cache for one version of the search engine. maxBytes of 0
// means DefaultCacheBytes.
func (s *Store) SearchCache(engine string, maxBytes int64) *SearchCache {
	if maxBytes <= 0 {
		maxBytes = DefaultCacheBytes
	}
	return &SearchCache{store: s, engine: engine, maxBytes: maxBytes,
		pending: map[string][]byte{}, touched: map[string]bool{}}
}

// key bounds the length of keys and keeps versions of the engine apart.
func (c *SearchCache) key(key string) string {
	sum := sha256.Sum256([]byte(c.engine + "\x00" + key))
	return hex.EncodeToString(sum[:])
}

// Counts returns how many results were asked for and there, and how many were not
// there, since the cache was opened.
func (c *SearchCache) Counts() (hits, misses int64) { return c.hits.Load(), c.misses.Load() }

// Get implements search.Cache.
func (c *SearchCache) Get(ctx context.Context, keys []string) [][]byte {
	hashed, out := make([]string, len(keys)), make([][]byte, len(keys))
	var ask []string
	known := map[string][]byte{}
	c.mu.Lock()
	for i, key := range keys {
		hashed[i] = c.key(key)
		if value, ok := c.pending[hashed[i]]; ok {
			known[hashed[i]] = value
		} else {
			ask = append(ask, hashed[i])
		}
	}
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, cacheTimeout)
	defer cancel()
	for batch := range slices.Chunk(ask, cacheAskBatch) {
		if err := c.load(ctx, batch, known); err != nil {
			break // what is not known is computed
		}
	}
	for i, k := range hashed {
		if value, ok := known[k]; ok {
			out[i] = value
			c.hits.Add(1)
		} else {
			c.misses.Add(1)
		}
	}
	c.mu.Lock()
	full := len(c.touched) >= cacheBatch
	c.mu.Unlock()
	if full {
		_ = c.Flush(ctx) // a time of use that could not be written is an earlier one
	}
	return out
}

// load adds the results in the database to known. Statements are of a few lengths
// only, so that the database prepares few.
func (c *SearchCache) load(ctx context.Context, keys []string, known map[string][]byte) error {
	n := 1
	for n < len(keys) {
		n *= 2
	}
	args := make([]any, n)
	for i := range args {
		args[i] = keys[min(i, len(keys)-1)]
	}
	var stale []string
	err := each(ctx, c.store.c, "SELECT cache_key, value, used_at FROM search_cache WHERE cache_key IN ("+numbered(0, n)+")", args,
		func(scan func(dest ...any) error) error {
			var key string
			var value []byte
			var used int64
			if err := scan(&key, &value, &used); err != nil {
				return err
			}
			known[key] = append([]byte{}, value...)
			if c.store.clock().Sub(fromMicros(used)) > cacheTouch {
				stale = append(stale, key)
			}
			return nil
		})
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range stale {
		c.touched[key] = true
	}
	return err
}

// numbered lists n parameters of a statement, numbered from after the given one.
func numbered(after, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "$%d", after+i+1)
	}
	return b.String()
}

// Put implements search.Cache. The result is written with others later; Flush
// writes it now.
func (c *SearchCache) Put(ctx context.Context, key string, value []byte) {
	if len(value) > MaxCacheValue {
		return
	}
	c.mu.Lock()
	c.pending[c.key(key)] = value
	c.pendingBytes += len(value)
	full := len(c.pending) >= cacheBatch || c.pendingBytes >= cacheBatchBytes
	c.mu.Unlock()
	if full {
		ctx, cancel := context.WithTimeout(ctx, cacheTimeout)
		defer cancel()
		_ = c.Flush(ctx) // what could not be written is computed again
	}
}

// Flush writes what was gathered. What it cannot write is forgotten.
func (c *SearchCache) Flush(ctx context.Context) error {
	c.mu.Lock()
	pending, touched := c.pending, c.touched
	c.pending, c.touched, c.pendingBytes = map[string][]byte{}, map[string]bool{}, 0
	c.mu.Unlock()
	if len(pending) == 0 && len(touched) == 0 {
		return nil
	}
	if err := c.store.InTx(ctx, func(tx *Tx) error { return c.write(ctx, tx, pending, touched) }); err != nil {
		return fmt.Errorf("write search results: %w", err)
	}
	c.mu.Lock()
	for _, value := range pending {
		c.sinceCut += int64(len(value)) + cacheOverhead
	}
	due := c.sinceCut > c.maxBytes/4
	c.mu.Unlock()
	if due {
		return c.Trim(ctx)
	}
	return nil
}

// write writes results, over those that were found damaged, and times of use. It
// goes by the order of keys, as do other replicas, so that they do not lock each
// other out.
func (c *SearchCache) write(ctx context.Context, tx *Tx, pending map[string][]byte, touched map[string]bool) error {
	now := tx.micros()
	for batch := range slices.Chunk(slices.Sorted(maps.Keys(pending)), cacheWriteBatch) {
		rows, args := make([]string, len(batch)), make([]any, 0, 4*len(batch))
		for i, k := range batch {
			rows[i] = "(" + numbered(4*i, 4) + ")"
			args = append(args, k, c.engine, pending[k], now)
		}
		_, err := tx.c.exec(ctx, "INSERT INTO search_cache (cache_key, engine, value, used_at) VALUES "+strings.Join(rows, ",")+
			" ON CONFLICT (cache_key) DO UPDATE SET value = excluded.value, used_at = excluded.used_at", args...)
		if err != nil {
			return err
		}
	}
	for batch := range slices.Chunk(slices.Sorted(maps.Keys(touched)), cacheWriteBatch) {
		args := []any{now}
		for _, k := range batch {
			args = append(args, k)
		}
		_, err := tx.c.exec(ctx, "UPDATE search_cache SET used_at = $1 WHERE cache_key IN ("+numbered(1, len(batch))+")", args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Trim removes results of other versions of the engine, then those used longest
// ago until the rest fits.
func (c *SearchCache) Trim(ctx context.Context) error {
	c.mu.Lock()
	c.sinceCut = 0
	c.mu.Unlock()
	if _, err := c.store.c.exec(ctx, "DELETE FROM search_cache WHERE engine <> $1", c.engine); err != nil {
		return fmt.Errorf("trim search results: %w", err)
	}
	for {
		size, rows, err := c.size(ctx)
		if err != nil || size <= c.maxBytes {
			return err
		}
		surplus := max(1, rows*(size-c.maxBytes)/size) // by the average row; the rest in the next round
		_, err = c.store.c.exec(ctx, `DELETE FROM search_cache WHERE cache_key IN
			(SELECT cache_key FROM search_cache ORDER BY used_at, cache_key LIMIT $1)`, min(surplus, cacheTrimBatch))
		if err != nil {
			return fmt.Errorf("trim search results: %w", err)
		}
	}
}

// size is about how many bytes the cache takes, and in how many rows.
func (c *SearchCache) size(ctx context.Context) (bytes, rows int64, err error) {
	if err := one(ctx, c.store.c, "SELECT COALESCE(SUM(length(value)), 0), count(*) FROM search_cache", nil, &bytes, &rows); err != nil {
		return 0, 0, fmt.Errorf("size of search results: %w", err)
	}
	return bytes + rows*cacheOverhead, rows, nil
}
