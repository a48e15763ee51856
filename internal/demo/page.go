package demo

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rescore-app/rescore/internal/standin"
)

//go:embed pages/*
var pageFiles embed.FS

var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").ParseFS(pageFiles, "pages/*.html"))
})

// page serves what the stand-in holds of the repository: the pull requests with
// their checks and comments, and its files at any commit. Every request reads it
// anew, so a reload shows what happened since.
type page struct {
	hub   *hub
	intro string
}

// startPage listens and serves until stop is called. It returns the page's address.
func startPage(listen string, p *page) (url string, stop func(), err error) {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return "", nil, fmt.Errorf("open the local page: %w; give another address with --listen", err)
	}
	srv := &http.Server{Handler: p.routes(), ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l) // ends with ErrServerClosed
	}()
	return "http://" + l.Addr().String(), func() { _ = srv.Close(); <-done }, nil
}

func (p *page) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.show("index.html", p.index))
	mux.HandleFunc("GET /pulls/{number}", p.show("pull.html", p.pull))
	mux.HandleFunc("GET /source/{commit}/{path...}", p.show("source.html", p.source))
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, pageFiles, "pages/style.css")
	})
	return mux
}

// notFound is answered with 404; everything else a view returns is a 500.
var errNotFound = errors.New("not found")

// show renders what a view returns.
func (p *page) show(name string, view func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		data, err := view(r)
		switch {
		case errors.Is(err, errNotFound):
			http.NotFound(w, r)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		var b strings.Builder
		if err := pages().ExecuteTemplate(&b, name, data); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(b.String()))
	}
}

type indexView struct {
	Repo, Intro string
	Pulls       []indexPull
}

type indexPull struct {
	standin.Pull
	Conclusion, CheckTitle string
}

func (p *page) index(*http.Request) (any, error) {
	pulls, err := p.hub.github.Pulls(p.hub.repo)
	if err != nil {
		return nil, err
	}
	v := indexView{Repo: p.hub.repo, Intro: p.intro}
	for _, pull := range pulls {
		run, _, err := p.hub.newestRun(pull.HeadSHA)
		if err != nil {
			return nil, err
		}
		v.Pulls = append(v.Pulls, indexPull{pull, cmp.Or(run.Conclusion, run.Status, "no check yet"), run.Title})
	}
	return v, nil
}

type pullView struct {
	Repo        string
	Pull        standin.Pull
	Run         standin.CheckRun
	Conclusion  string
	Body        template.HTML
	Summary     template.HTML
	Text        template.HTML
	Annotations []annotationView
	Comments    []commentView
	Files       []changedFile
}

type commentView struct {
	standin.Comment
	HTML template.HTML
}

type annotationView struct {
	standin.Annotation
	Commit string
}

func (p *page) pull(r *http.Request) (any, error) {
	n, err := strconv.Atoi(r.PathValue("number"))
	if err != nil {
		return nil, errNotFound
	}
	pull, err := p.hub.github.Pull(p.hub.repo, n)
	if err != nil {
		return nil, errNotFound
	}
	v := pullView{Repo: p.hub.repo, Pull: pull}
	if v.Run, _, err = p.hub.newestRun(pull.HeadSHA); err != nil {
		return nil, err
	}
	v.Conclusion = cmp.Or(v.Run.Conclusion, v.Run.Status, "no check yet")
	for to, source := range map[*template.HTML]string{&v.Body: pull.Body, &v.Summary: v.Run.Summary, &v.Text: v.Run.Text} {
		if *to, err = pageHTML(source); err != nil {
			return nil, err
		}
	}
	for _, a := range v.Run.Annotations {
		v.Annotations = append(v.Annotations, annotationView{a, pull.HeadSHA})
	}
	comments, err := p.hub.github.Comments(p.hub.repo, n)
	if err != nil {
		return nil, err
	}
	for _, c := range comments {
		body, err := pageHTML(c.Body)
		if err != nil {
			return nil, err
		}
		v.Comments = append(v.Comments, commentView{c, body})
	}
	v.Files, err = p.hub.changedFiles(r.Context(), n)
	return v, err
}

type sourceView struct {
	Repo, Commit, Path string
	Lines              []sourceLine
}

type sourceLine struct {
	Number int
	Text   string
	Marked bool
}

func (p *page) source(r *http.Request) (any, error) {
	commit, path := r.PathValue("commit"), r.PathValue("path")
	data, err := p.hub.file(r.Context(), commit, path)
	if err != nil {
		return nil, err
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("from"))
	to, _ := strconv.Atoi(r.URL.Query().Get("to"))
	v := sourceView{Repo: p.hub.repo, Commit: commit, Path: path}
	for i, text := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		v.Lines = append(v.Lines, sourceLine{i + 1, text, from <= i+1 && i+1 <= to})
	}
	return v, nil
}

// waitForPage is how long a page may take to answer the demo's own check of it.
const waitForPage = 5 * time.Second

// checkPage asks for every page of the pull requests once, as a reader would.
func checkPage(ctx context.Context, url string, pulls []int) error {
	ctx, cancel := context.WithTimeout(ctx, waitForPage)
	defer cancel()
	paths := []string{"/", "/style.css"}
	for _, n := range pulls {
		paths = append(paths, "/pulls/"+strconv.Itoa(n))
	}
	for _, path := range paths {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, nil)
		if err != nil {
			return fmt.Errorf("ask for the local page: %w", err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return fmt.Errorf("ask for the local page: %w", err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("the local page %s answers %s", path, res.Status)
		}
	}
	return nil
}
