package store

import (
	"context"
	"fmt"
	"time"
)

// Repository is a repository by its numeric id, which survives renames and
// transfers.
type Repository struct {
	ID             int64
	InstallationID int64
	Owner          string
	OwnerID        int64
	Name           string
	DefaultBranch  string // "" when not known yet
	State          string
	FactsAt        time.Time // GitHub's own time of these facts; older facts never replace newer
}

// FullName returns owner/name.
func (r Repository) FullName() string { return r.Owner + "/" + r.Name }

// PutRepository records what an event or an answer of GitHub tells about a
// repository. Facts older than those on record are passed over, since deliveries
// arrive in any order. An empty default branch leaves the known one.
func (q *queries) PutRepository(ctx context.Context, r Repository) error {
	_, err := q.c.exec(ctx, `INSERT INTO repositories
			(id, installation_id, owner, owner_id, name, default_branch, state, facts_at, updated_at, asked_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
		ON CONFLICT (id) DO UPDATE SET installation_id = excluded.installation_id, owner = excluded.owner,
			owner_id = excluded.owner_id, name = excluded.name, state = excluded.state,
			default_branch = CASE WHEN excluded.default_branch = '' THEN repositories.default_branch ELSE excluded.default_branch END,
			facts_at = excluded.facts_at, updated_at = excluded.updated_at
		WHERE excluded.facts_at >= repositories.facts_at`,
		r.ID, r.InstallationID, r.Owner, r.OwnerID, r.Name, r.DefaultBranch, r.State, r.FactsAt.UnixMicro(), q.micros())
	if err != nil {
		return fmt.Errorf("record repository %d: %w", r.ID, err)
	}
	return q.putName(ctx, r.ID, r.Owner, r.Name)
}

func (q *queries) putName(ctx context.Context, id int64, owner, name string) error {
	_, err := q.c.exec(ctx, `INSERT INTO repository_names (repo_id, owner, name, since) VALUES ($1, $2, $3, $4)
		ON CONFLICT (repo_id, owner, name) DO NOTHING`, id, owner, name, q.micros())
	if err != nil {
		return fmt.Errorf("record name of repository %d: %w", id, err)
	}
	return nil
}

const repositoryColumns = "id, installation_id, owner, owner_id, name, default_branch, state, facts_at"

func scanRepository(scan func(...any) error) (Repository, error) {
	var r Repository
	var facts int64
	err := scan(&r.ID, &r.InstallationID, &r.Owner, &r.OwnerID, &r.Name, &r.DefaultBranch, &r.State, &facts)
	r.FactsAt = fromMicros(facts)
	return r, err
}

// Repository returns a repository, or ErrNotFound.
func (q *queries) Repository(ctx context.Context, id int64) (Repository, error) {
	var r Repository
	var facts int64
	err := one(ctx, q.c, "SELECT "+repositoryColumns+" FROM repositories WHERE id = $1", []any{id},
		&r.ID, &r.InstallationID, &r.Owner, &r.OwnerID, &r.Name, &r.DefaultBranch, &r.State, &facts)
	if err != nil {
		return Repository{}, fmt.Errorf("repository %d: %w", id, err)
	}
	r.FactsAt = fromMicros(facts)
	return r, nil
}

// Repositories returns the repositories of an installation by id.
func (q *queries) Repositories(ctx context.Context, installationID int64) ([]Repository, error) {
	var out []Repository
	err := each(ctx, q.c, "SELECT "+repositoryColumns+" FROM repositories WHERE installation_id = $1 ORDER BY id",
		[]any{installationID}, func(scan func(...any) error) error {
			r, err := scanRepository(scan)
			out = append(out, r)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("repositories of installation %d: %w", installationID, err)
	}
	return out, nil
}

// RepositoriesIn returns the ids of the repositories in a state.
func (q *queries) RepositoriesIn(ctx context.Context, state string) ([]int64, error) {
	out, err := q.ids(ctx, "SELECT id FROM repositories WHERE state = $1 ORDER BY id", state)
	if err != nil {
		return nil, fmt.Errorf("list %s repositories: %w", state, err)
	}
	return out, nil
}

// Owners returns the ids of the owners who gave the App a repository and did not take
// it back.
func (q *queries) Owners(ctx context.Context) ([]int64, error) {
	out, err := q.ids(ctx, "SELECT DISTINCT owner_id FROM repositories WHERE state <> $1 ORDER BY owner_id", StateRemoved)
	if err != nil {
		return nil, fmt.Errorf("list owners: %w", err)
	}
	return out, nil
}

// ids runs a query for numbers.
func (q *queries) ids(ctx context.Context, query string, args ...any) ([]int64, error) {
	var out []int64
	err := each(ctx, q.c, query, args, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		out = append(out, id)
		return err
	})
	return out, err
}

// RenameRepository records a name that GitHub told when it was asked by id, and leaves
// all else as it is; ErrNotFound for a repository that is not known.
func (q *queries) RenameRepository(ctx context.Context, id int64, owner string, ownerID int64, name string) error {
	n, err := q.c.exec(ctx, "UPDATE repositories SET owner = $2, owner_id = $3, name = $4, updated_at = $5 WHERE id = $1",
		id, owner, ownerID, name, q.micros())
	if err == nil && n == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("rename repository %d: %w", id, err)
	}
	return q.putName(ctx, id, owner, name)
}

// OwnerRepository returns the active repository of an owner that has the name, or
// ErrNotFound.
func (q *queries) OwnerRepository(ctx context.Context, ownerID int64, name string) (Repository, error) {
	var id int64
	err := one(ctx, q.c, "SELECT id FROM repositories WHERE owner_id = $1 AND name = $2 AND state = $3 ORDER BY facts_at DESC LIMIT 1",
		[]any{ownerID, name, StateActive}, &id)
	if err != nil {
		return Repository{}, fmt.Errorf("repository %q of owner %d: %w", name, ownerID, err)
	}
	return q.Repository(ctx, id)
}

// SetRepositoryState notes that work for a repository stops or resumes and
// reports whether that is news.
func (q *queries) SetRepositoryState(ctx context.Context, id int64, state string) (changed bool, err error) {
	n, err := q.c.exec(ctx, "UPDATE repositories SET state = $2, updated_at = $3 WHERE id = $1 AND state <> $2",
		id, state, q.micros())
	if err != nil {
		return false, fmt.Errorf("set state of repository %d: %w", id, err)
	}
	return n > 0, nil
}

// RepositoryName is a name that a repository had.
type RepositoryName struct {
	Owner, Name string
	Since       time.Time // when we first heard of it
}

// RepositoryNames returns the names a repository had, oldest first.
func (q *queries) RepositoryNames(ctx context.Context, id int64) ([]RepositoryName, error) {
	var out []RepositoryName
	err := each(ctx, q.c, "SELECT owner, name, since FROM repository_names WHERE repo_id = $1 ORDER BY since, owner, name",
		[]any{id}, func(scan func(...any) error) error {
			var n RepositoryName
			var since int64
			err := scan(&n.Owner, &n.Name, &since)
			n.Since = fromMicros(since)
			out = append(out, n)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("names of repository %d: %w", id, err)
	}
	return out, nil
}
