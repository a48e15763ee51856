package job

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/rescore-app/rescore/internal/store"
)

// client fits River's client, whose type depends on the database, to engine.
type client[TTx any] struct {
	*river.Client[TTx]
	tx func(*store.Tx) TTx
}

func newClient[TTx any](driver riverdriver.Driver[TTx], cfg *river.Config, tx func(*store.Tx) TTx) (engine, error) {
	c, err := river.NewClient(driver, cfg)
	if err != nil {
		return nil, err
	}
	return client[TTx]{c, tx}, nil
}

func (c client[TTx]) insert(ctx context.Context, tx *store.Tx, params []river.InsertManyParams) error {
	_, err := c.InsertManyTx(ctx, c.tx(tx), params)
	return err
}

// migrate brings River's own tables up to date.
func migrate(ctx context.Context, s *store.Store, log *slog.Logger) error {
	if s.IsSQLite() {
		return migrateWith(ctx, riversqlite.New(s.SQLite()), log)
	}
	return migrateWith(ctx, riverpgxv5.New(s.Pool()), log)
}

func migrateWith[TTx any](ctx context.Context, driver riverdriver.Driver[TTx], log *slog.Logger) error {
	m, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: log})
	if err != nil {
		return err
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
