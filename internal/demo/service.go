package demo

import (
	"context"

	"github.com/rescore-app/rescore/internal/standin"
)

// service is the app, running.
type service struct {
	log *tail
}

func startService(ctx context.Context, dir string, gh *standin.GitHub, version string) (*service, error) {
	return nil, nil
}

func (s *service) hookURL() string { return "" }

func (s *service) close() error { return nil }
