package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/store"
)

// tenant is one repository at work: its record, its installation's client, and its
// mirror.
type tenant struct {
	w      *Worker
	repo   store.Repository
	inst   *ghclient.Installation
	mirror *gitmirror.Mirror
	// upTo is the last delivery about the subject that was stored before anything was read.
	upTo int64
}

// gate returns the repository of a job, or an errDone when no work is to be done
// for it.
func (w *Worker) gate(ctx context.Context, o job.Origin) (store.Repository, error) {
	repo, err := w.Store.Repository(ctx, o.RepoID)
	if errors.Is(err, store.ErrNotFound) {
		return store.Repository{}, &errDone{reason: fmt.Errorf("repository %d is not known", o.RepoID)}
	}
	if err != nil {
		return store.Repository{}, err
	}
	if repo.State != store.StateActive {
		return store.Repository{}, &errDone{reason: fmt.Errorf("repository %s is %s", repo.FullName(), repo.State)}
	}
	inst, err := w.installationOf(ctx, o, repo)
	switch {
	case errors.Is(err, store.ErrNotFound): // an event came from it, so that it works
	case err != nil:
		return store.Repository{}, err
	case inst.State == store.StateRemoved: // a late event speaks of it as if it were given
		_, err := w.Store.SetRepositoryState(ctx, repo.ID, store.StateRemoved)
		return store.Repository{}, errors.Join(err, &errDone{reason: fmt.Errorf("installation %d is gone: %s", inst.ID, inst.Reason)})
	case inst.State != store.StateActive:
		return store.Repository{}, &errDone{reason: fmt.Errorf("installation %d stands still: %s", inst.ID, inst.Reason)}
	}
	return repo, nil
}

// installationOf returns the installation of a repository. One that is held to be gone
// and sends events all the same is asked for: GitHub may have said so by mistake.
func (w *Worker) installationOf(ctx context.Context, o job.Origin, repo store.Repository) (store.Installation, error) {
	inst, err := w.Store.Installation(ctx, repo.InstallationID)
	if err != nil || inst.State != store.StateRemoved || o.Seq == 0 {
		return inst, err
	}
	if err := w.revive(ctx, inst.ID); err != nil {
		return inst, err
	}
	return w.Store.Installation(ctx, inst.ID)
}

// tenant opens the repository's mirror. The caller closes it.
func (w *Worker) tenant(ctx context.Context, repo store.Repository) (*tenant, error) {
	t := w.tenantOf(repo)
	return t, t.open(ctx)
}

// tenantOf is the repository without its mirror.
func (w *Worker) tenantOf(repo store.Repository) *tenant {
	return &tenant{w: w, repo: repo, inst: w.App.Installation(repo.InstallationID)}
}

func (t *tenant) open(ctx context.Context) (err error) {
	t.mirror, err = t.w.Mirrors.Get(ctx, t.repo.ID)
	return err
}

func (t *tenant) close(log func(error)) {
	if err := t.mirror.Close(); err != nil {
		log(err)
	}
}

// gh is the repository as the API is asked for it.
func (t *tenant) gh() ghclient.Repo { return ghRepo(t.repo) }

func ghRepo(r store.Repository) ghclient.Repo {
	return ghclient.Repo{ID: r.ID, Owner: r.Owner, OwnerID: r.OwnerID, Name: r.Name}
}

// remote runs one exchange with the git server. A repository that moved is looked
// up by its id, once.
func (t *tenant) remote(ctx context.Context, exchange func(url string, token gitmirror.Token) error) error {
	err := t.signed(ctx, exchange)
	if !isAny(err, []error{gitmirror.ErrRedirected, gitmirror.ErrRemoteNotFound}) {
		return err
	}
	moved, lookErr := t.follow(ctx)
	if lookErr != nil {
		return errors.Join(err, lookErr)
	}
	if moved {
		return t.signed(ctx, exchange)
	}
	return err
}

// signed runs one exchange with the installation's token. One that was refused is
// replaced, once.
func (t *tenant) signed(ctx context.Context, exchange func(url string, token gitmirror.Token) error) error {
	try := func() error {
		token, err := t.inst.Token(ctx)
		if err != nil {
			return err
		}
		began := time.Now()
		err = exchange(t.w.GitURL(t.repo.Owner, t.repo.Name), gitmirror.NewToken(token))
		t.w.ObserveGit(time.Since(began), err)
		return err
	}
	err := try()
	if !errors.Is(err, gitmirror.ErrUnauthorized) {
		return err
	}
	t.w.App.Forget(t.repo.InstallationID)
	t.inst = t.w.App.Installation(t.repo.InstallationID)
	return try()
}

// follow asks for the repository's present name and state by its id. moved says
// that the name is another one.
func (t *tenant) follow(ctx context.Context) (moved bool, err error) {
	r, err := t.inst.RepositoryByID(ctx, t.repo.ID)
	if err != nil {
		return false, err
	}
	now := ghclient.RepoOf(r)
	moved = now.Owner != t.repo.Owner || now.Name != t.repo.Name
	t.repo.Owner, t.repo.OwnerID, t.repo.Name = now.Owner, now.OwnerID, now.Name
	if err := t.w.Store.RenameRepository(ctx, now.ID, now.Owner, now.OwnerID, now.Name); err != nil {
		return moved, err
	}
	switch {
	case r.GetDisabled():
		return moved, ghclient.ErrDisabled
	case r.GetArchived():
		return moved, ghclient.ErrArchived
	}
	return moved, nil
}

// fetch makes commits and references readable and returns the commits of the
// references, in order.
func (t *tenant) fetch(ctx context.Context, wants ...string) ([]gitmirror.OID, error) {
	err := t.remote(ctx, func(url string, token gitmirror.Token) error {
		return t.mirror.Fetch(ctx, url, token, wants...)
	})
	if err != nil {
		return nil, err
	}
	out := make([]gitmirror.OID, len(wants))
	for i, want := range wants {
		if id, err := gitmirror.ParseOID(want); err == nil {
			out[i] = id
			continue
		}
		if out[i], err = t.mirror.Resolve(ctx, gitmirror.TrackingRef(want)); err != nil {
			return nil, fmt.Errorf("read what was fetched for %s: %w", want, err)
		}
	}
	return out, nil
}

// fetchBlobs makes file contents readable.
func (t *tenant) fetchBlobs(ctx context.Context, oids []gitmirror.OID) error {
	return t.remote(ctx, func(url string, token gitmirror.Token) error {
		return t.mirror.FetchBlobs(ctx, url, token, oids)
	})
}

// source is the repository as the pipeline reads it.
func (t *tenant) source() rescore.Repo { return rescore.Mirrored(t.mirror.Repo, t.fetchBlobs) }

// file is a small file at a commit.
type file struct {
	path string
	oid  gitmirror.OID
}

// errNoFile says that none of the paths is a file.
var errNoFile = errors.New("no such file")

// find returns the first of the paths that is a regular file at the commit,
// without its content, or errNoFile. Symbolic links are not followed.
func (t *tenant) find(ctx context.Context, commit gitmirror.OID, paths ...string) (file, error) {
	for _, p := range paths {
		entry, err := t.mirror.PathAt(ctx, commit, p)
		switch {
		case errors.Is(err, gitmirror.ErrNotFound):
		case err != nil:
			return file{}, err
		case entry.Mode == gitmirror.ModeFile || entry.Mode == gitmirror.ModeExecutable:
			return file{path: p, oid: entry.OID}, nil
		}
	}
	return file{}, errNoFile
}

// read returns a file's content, of at most limit bytes.
func (t *tenant) read(ctx context.Context, f file, limit int64) ([]byte, error) {
	missing, err := t.mirror.Missing(ctx, []gitmirror.OID{f.oid})
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		if err := t.fetchBlobs(ctx, missing); err != nil {
			return nil, err
		}
	}
	return t.mirror.Blob(ctx, f.oid, limit)
}
