package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/rescore-app/rescore/internal/standin"
)

// maxSourceBytes bounds a file that the local page shows.
const maxSourceBytes = 1 << 20

// hub reads a repository of the stand-in as one of its members does.
type hub struct {
	github *standin.GitHub
	repo   string // owner/name
	token  string // a person's
}

// newestRun returns the newest check run on a commit, if there is one.
func (h *hub) newestRun(sha string) (standin.CheckRun, bool, error) {
	runs, err := h.github.CheckRuns(h.repo, sha)
	if err != nil || len(runs) == 0 {
		return standin.CheckRun{}, false, err
	}
	return runs[len(runs)-1], true, nil
}

// changedFile is a file that a pull request changes.
type changedFile struct {
	Filename string `json:"filename"`
	Previous string `json:"previous_filename"`
	Status   string `json:"status"`
	Patch    string `json:"patch"`
}

func (h *hub) changedFiles(ctx context.Context, pull int) ([]changedFile, error) {
	data, err := h.get(ctx, fmt.Sprintf("pulls/%d/files?per_page=100", pull), "application/vnd.github+json")
	if err != nil {
		return nil, err
	}
	var out []changedFile
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("read the files of pull request %d: %w", pull, err)
	}
	return out, nil
}

// file returns a file at a commit; errNotFound when there is none.
func (h *hub) file(ctx context.Context, commit, path string) ([]byte, error) {
	where := "contents/" + (&url.URL{Path: path}).EscapedPath() + "?ref=" + url.QueryEscape(commit)
	return h.get(ctx, where, "application/vnd.github.raw+json")
}

func (h *hub) get(ctx context.Context, where, accept string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.github.APIURL()+"repos/"+h.repo+"/"+where, nil)
	if err != nil {
		return nil, errNotFound
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("Authorization", "Bearer "+h.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask the stand-in: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxSourceBytes))
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, fmt.Errorf("read the stand-in's answer: %w", err)
	}
	switch res.StatusCode {
	case http.StatusOK:
		return data, nil
	case http.StatusNotFound, http.StatusUnprocessableEntity:
		return nil, errNotFound
	}
	return nil, fmt.Errorf("ask the stand-in for %s: %s", where, res.Status)
}
