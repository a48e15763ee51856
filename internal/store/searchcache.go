package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"time"
)

// Bounds of the search cache.
const (
	// DefaultCacheBytes is how much the cache holds by default.
	DefaultCacheBytes = 64 << 20
	// MaxCacheValue bounds one result; larger ones are not kept.
	MaxCacheValue = 256 << 10

	cacheBatch     = 512                // results gathered before they are written
	cacheTimeout   = 2 * time.Second    // a slow database is no reason to wait: the result is computed
	cacheTrimBatch = 1000               // rows removed at a time
	cacheTouch     = 24 * time.Hour     // how exactly the time of last use is kept
	cacheOverhead  = sha256.Size*2 + 64 // bytes a row takes beside its value, roughly
)

// SearchCache keeps results of searches by content across runs and restarts. It
// implements search.Cache. A failing database makes it forget, never fail. It is
// safe for concurrent use.
type SearchCache struct {
	store    *Store
	engine   string // version of the search engine: another version's results are never read
	maxBytes int64

	mu       sync.Mutex
	pending  map[string][]byte
	touched  map[string]bool
	sinceCut int64
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

// Get returns a result and whether it is there.
func (c *SearchCache) Get(key string) ([]byte, bool) {
	k := c.key(key)
	c.mu.Lock()
	value, ok := c.pending[k]
	c.mu.Unlock()
	if ok {
		return value, true
	}
	ctx, cancel := context.WithTimeout(context.Background(), cacheTimeout)
	defer cancel()
	var used int64
	if err := one(ctx, c.store.c, "SELECT value, used_at FROM search_cache WHERE cache_key = $1", []any{k}, &value, &used); err != nil {
		return nil, false
	}
	if c.store.clock().Sub(fromMicros(used)) > cacheTouch {
		c.mu.Lock()
		c.touched[k] = true
		c.mu.Unlock()
	}
	return value, true
}

// Put keeps a result. It is written with others later; Flush writes it now.
func (c *SearchCache) Put(key string, value []byte) {
	if len(value) > MaxCacheValue {
		return
	}
	c.mu.Lock()
	c.pending[c.key(key)] = append([]byte{}, value...)
	full := len(c.pending) >= cacheBatch
	c.mu.Unlock()
	if full {
		ctx, cancel := context.WithTimeout(context.Background(), cacheTimeout)
		defer cancel()
		_ = c.Flush(ctx) // what could not be written is computed again
	}
}

// Flush writes what was gathered. What it cannot write is forgotten.
func (c *SearchCache) Flush(ctx context.Context) error {
	c.mu.Lock()
	pending, touched := c.pending, c.touched
	c.pending, c.touched = map[string][]byte{}, map[string]bool{}
	c.mu.Unlock()
	if len(pending) == 0 && len(touched) == 0 {
		return nil
	}
	var written int64
	err := c.store.InTx(ctx, func(tx *Tx) error {
		now := tx.micros()
		for k, v := range pending {
			_, err := tx.c.exec(ctx, `INSERT INTO search_cache (cache_key, engine, value, used_at) VALUES ($1, $2, $3, $4)
				ON CONFLICT (cache_key) DO UPDATE SET used_at = excluded.used_at`, k, c.engine, v, now)
			if err != nil {
				return err
			}
			written += int64(len(v)) + cacheOverhead
		}
		for k := range touched {
			if _, err := tx.c.exec(ctx, "UPDATE search_cache SET used_at = $2 WHERE cache_key = $1", k, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write search results: %w", err)
	}
	c.mu.Lock()
	c.sinceCut += written
	due := c.sinceCut > c.maxBytes/4
	c.mu.Unlock()
	if due {
		return c.Trim(ctx)
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
