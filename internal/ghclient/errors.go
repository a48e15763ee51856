package ghclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"
)

// What can go wrong, as callers tell it apart with errors.Is.
var (
	// ErrSuspended: the owner paused the installation; unsuspend ends it.
	ErrSuspended = errors.New("the installation is suspended by its owner")
	// ErrUninstalled: there is no such installation any more.
	ErrUninstalled = errors.New("the App is no longer installed there")
	// ErrPermission: the App lacks a permission; new_permissions_accepted ends it.
	ErrPermission = errors.New("the owner has not granted the App a permission it needs; accept the request on the installation's settings page")
	// ErrArchived: the repository is read-only.
	ErrArchived = errors.New("the repository is archived")
	// ErrDisabled: GitHub closed the repository.
	ErrDisabled = errors.New("the repository is disabled")
	// ErrNotFound: no such thing, or nothing the App may know of.
	ErrNotFound = errors.New("not found, or hidden from the App")
	// ErrLocked: the conversation is locked.
	ErrLocked = errors.New("the conversation is locked")
	// ErrNoCommit: GitHub does not know the commit; final.
	ErrNoCommit = errors.New("GitHub has no such commit")
	// ErrInvalid: GitHub refuses the content; final.
	ErrInvalid = errors.New("GitHub refused the content")
	// ErrEmpty: the repository has no commit yet.
	ErrEmpty = errors.New("the repository is empty")
	// ErrCredentials: the App's key or id is wrong.
	ErrCredentials = errors.New("GitHub does not accept the App's credentials; check that the App ID and the private key belong together")
	// ErrToken: the installation's token was refused; a new one is made next time.
	ErrToken = errors.New("GitHub does not accept the installation's token")
	// ErrClockSkew: this machine's clock is wrong.
	ErrClockSkew = errors.New("this machine's clock is wrong, so that GitHub refuses the App's signature; set it by NTP")
	// ErrUnavailable: GitHub or the way to it fails; it may pass.
	ErrUnavailable = errors.New("GitHub is not available")
	// ErrForeignHost: a redirect led to another host, which gets no token.
	ErrForeignHost = errors.New("a redirect to another host was not followed, so that no token leaks")
	// errMoved: the repository has another name now; handled here.
	errMoved = errors.New("the repository has moved")
)

// Error is a failed request.
type Error struct {
	Op      string // what was tried, in plain words
	Status  int    // HTTP status; 0 when there was no answer
	Message string // GitHub's own words, bounded; "" when there were none
	Kind    error  // one of the sentinels, or the cause
}

// Error says what was tried and why it failed.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %v", e.Op, e.Kind)
	if e.Status != 0 {
		s += fmt.Sprintf(" (status %d", e.Status)
		if e.Message != "" {
			s += fmt.Sprintf(", %q", e.Message)
		}
		s += ")"
	}
	return s
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

// RateLimitError says that no request may be sent before a time.
type RateLimitError struct {
	Until time.Time
	Why   string
}

// Error says until when.
func (e *RateLimitError) Error() string {
	return fmt.Sprintf("%s; no request before %s", e.Why, e.Until.UTC().Format(time.RFC3339))
}

// ClockSkewError is ErrClockSkew with its size.
type ClockSkewError struct{ Ahead time.Duration } // negative when behind

// Error says how far the clock is off.
func (e *ClockSkewError) Error() string {
	word := "ahead of"
	d := e.Ahead
	if d < 0 {
		word, d = "behind", -d
	}
	return fmt.Sprintf("%v: it is %s %s GitHub's", ErrClockSkew, d.Round(time.Second), word)
}

// Unwrap makes it ErrClockSkew.
func (e *ClockSkewError) Unwrap() error { return ErrClockSkew }

// classify turns what go-github returned into an error of ours; nil stays nil. ctx
// is the caller's: only its end is the end of the caller's time. Our own limits on
// a connection or an answer look the same in the error, and mean an outage.
func classify(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	var limit *RateLimitError
	var ours *Error
	if errors.As(err, &limit) || errors.As(err, &ours) {
		return fmt.Errorf("%s: %w", op, err)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w: %w", op, ctx.Err(), err)
	}
	for _, kind := range []error{ErrForeignHost, ErrClockSkew, ErrSuspended, ErrUninstalled, ErrCredentials} {
		if errors.Is(err, kind) {
			return fmt.Errorf("%s: %w", op, err)
		}
	}
	var accepted *github.AcceptedError
	var response *github.ErrorResponse
	var token *ghinstallation.HTTPError
	switch {
	case errors.As(err, &token) && token.Response != nil:
		kind := ErrUnavailable
		if token.Response.StatusCode == http.StatusNotFound {
			kind = ErrUninstalled
		}
		return &Error{Op: op, Status: token.Response.StatusCode, Kind: kind}
	case errors.As(err, &accepted):
		return &Error{Op: op, Status: http.StatusAccepted, Kind: ErrUnavailable}
	case errors.As(err, &response) && response.Response != nil:
		return &Error{Op: op, Status: response.Response.StatusCode, Message: bounded(response.Message), Kind: kindOf(response)}
	}
	return &Error{Op: op, Kind: fmt.Errorf("%w: %w", ErrUnavailable, err)}
}

// kindOf reads a refused request.
func kindOf(r *github.ErrorResponse) error {
	message := strings.ToLower(r.Message)
	switch status := r.Response.StatusCode; {
	case status >= 300 && status < 400:
		return errMoved
	case status == http.StatusUnauthorized:
		return ErrToken
	case status == http.StatusForbidden:
		return forbidden(message)
	case status == http.StatusNotFound || status == http.StatusGone:
		return ErrNotFound
	case status == http.StatusConflict:
		if strings.Contains(message, "empty") {
			return ErrEmpty
		}
		return ErrUnavailable
	case status == http.StatusUnavailableForLegalReasons:
		return ErrDisabled
	case status == http.StatusUnprocessableEntity:
		if strings.Contains(message, "no commit found") {
			return ErrNoCommit
		}
		return ErrInvalid
	case status >= 500:
		return ErrUnavailable
	}
	return ErrInvalid
}

// forbidden tells GitHub's reasons for 403 apart; there is nothing but its words
// to go by.
func forbidden(message string) error {
	switch {
	case strings.Contains(message, "archived"):
		return ErrArchived
	case strings.Contains(message, "locked"):
		return ErrLocked
	case strings.Contains(message, "suspended"):
		return ErrSuspended
	case strings.Contains(message, "disabled") || strings.Contains(message, "access blocked"):
		return ErrDisabled
	}
	return ErrPermission // "Resource not accessible by integration" and its kin
}

// maxMessage bounds what is kept of GitHub's words, in bytes.
const maxMessage = 300

func bounded(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + "…"
	}
	return s
}

func ignoreNotFound(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
