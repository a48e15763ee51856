package app

import (
	"fmt"
	"strings"
	"time"

	"github.com/rescore-app/rescore/internal/config"
	"github.com/rescore-app/rescore/internal/judge/known"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/worker"
)

// engines makes pipelines for lists of judges.
type engines struct {
	version string
	now     func() time.Time
	usual   []string
	cache   search.Cache
}

// newEngines checks the configured judges.
func newEngines(cfg *config.Config, d Deps) (engines, error) {
	e := engines{version: d.Version, now: d.Now, usual: cfg.Judges}
	if _, err := e.get(nil); err != nil {
		return engines{}, fmt.Errorf("RESCORE_JUDGES: %w", err)
	}
	return e, nil
}

// get returns the pipeline with the named judges, or the usual ones.
func (e engines) get(names []string) (worker.Engine, error) {
	if len(names) == 0 {
		names = e.usual
	}
	opts := rescore.Options{Version: e.version, Now: e.now, Cache: e.cache}
	for _, name := range names {
		j, ok := known.ByName(name)
		if !ok {
			return nil, fmt.Errorf("no judge is called %q; there is %s", name, strings.Join(known.Names(), ", "))
		}
		opts.Judges = append(opts.Judges, j)
	}
	return rescore.NewEngine(opts)
}
