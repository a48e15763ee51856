package rescore

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/search"
)

// meter measures the work of one call of the engine on a repository.
type meter struct {
	engine *Engine
	repo   Repo
	start  time.Time
	before gitmirror.Stats
	cache  *countedCache // nil without a cache
}

func (e *Engine) meter(repo Repo) *meter {
	m := &meter{engine: e, repo: repo, start: e.opts.Now(), before: repo.Stats()}
	if e.opts.Cache != nil {
		m.cache = &countedCache{Cache: e.opts.Cache}
	}
	return m
}

// search returns the options for the evaluation of searches.
func (m *meter) search() []search.Option {
	if m.cache == nil {
		return nil
	}
	return []search.Option{search.WithCache(m.cache)}
}

// cost is the work done so far.
func (m *meter) cost() outcome.Cost {
	after := m.repo.Stats()
	c := outcome.Cost{
		BlobsRead:    after.BlobsRead - m.before.BlobsRead,
		GitProcesses: after.GitProcesses - m.before.GitProcesses,
		ElapsedMS:    m.engine.opts.Now().Sub(m.start).Milliseconds(),
	}
	if m.cache != nil {
		c.ResultsReused = m.cache.found.Load()
	}
	return c
}

// countedCache counts the results that a cache had.
type countedCache struct {
	search.Cache
	found atomic.Int64
}

// Get implements search.Cache.
func (c *countedCache) Get(ctx context.Context, keys []string) [][]byte {
	values := c.Cache.Get(ctx, keys)
	for _, v := range values {
		if v != nil {
			c.found.Add(1)
		}
	}
	return values
}
