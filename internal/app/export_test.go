package app

import (
	"context"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

// Store lets tests look at what is remembered.
func (a *App) Store() *store.Store { return a.store }

// Counts lets tests see whether work is left.
func (a *App) Counts(ctx context.Context) ([]job.Count, error) { return a.queue.Counts(ctx) }

// CollectSooner is what a running server does about garbage.
var CollectSooner = collectSooner
