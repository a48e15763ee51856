package gitmirror

import (
	"crypto/sha256"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// remoteName is what a fetch calls its remote. It exists in the environment of the
// fetch only: were it in the mirror's config, git would go to the network for
// every missing blob that is read.
const remoteName = "rescore"

// filter leaves file contents out of a fetch.
const filter = "blob:none"

// remote is where one fetch goes, and with what.
type remote struct {
	url   *url.URL
	token Token
}

// newRemote checks the URL. It must be https, or http to this machine, and carry
// no credentials. The error never shows them.
func newRemote(raw string, token Token, o options) (remote, error) {
	refuse := func(format string, args ...any) (remote, error) {
		return remote{}, fmt.Errorf("%w: %s", ErrRemoteURL, fmt.Sprintf(format, args...))
	}
	u, err := url.Parse(raw)
	if err != nil {
		return refuse("it cannot be parsed")
	}
	switch {
	case u.User != nil:
		return refuse("%q holds credentials; pass a token instead", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "":
		return refuse("%q has a query or a fragment", u.Redacted())
	case u.Path == "" || u.Path == "/":
		return refuse("%q names no repository", u.Redacted())
	case u.Scheme == "file" && o.localRemotes && u.Host == "":
		return remote{url: u, token: token}, nil
	case u.Hostname() == "":
		return refuse("%q names no host", u.Redacted())
	case u.Scheme == "https":
		return remote{url: u, token: token}, nil
	case u.Scheme == "http" && (o.insecureHTTP || isLoopback(u.Hostname())):
		return remote{url: u, token: token}, nil
	case u.Scheme == "http":
		return refuse("%q would send the token in clear; use https", u.Redacted())
	}
	return refuse("scheme %q; use https", u.Scheme)
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// settings is the configuration of one fetch. The token is bound to the URL, and
// redirects are not followed: a repository that was renamed answers with one, and
// its present name is to be had from the API by its id.
func (r remote) settings() []setting {
	s := append(promisorSettings(),
		setting{"remote." + remoteName + ".url", r.url.String()},
		setting{"protocol." + r.url.Scheme + ".allow", "always"},
		setting{"protocol.version", "2"},
		setting{"http.followRedirects", "false"},
		setting{"http.sslVerify", "true"},
		// A stalled transfer ends: under 1,000 bytes a second for 30 seconds.
		setting{"http.lowSpeedLimit", "1000"},
		setting{"http.lowSpeedTime", "30"},
		setting{"fetch.writeCommitGraph", "false"},
		setting{"fetch.showForcedUpdates", "false"},
		setting{"advice.fetchShowForcedUpdates", "false"},
	)
	if r.token.secret != "" {
		s = append(s, setting{"http." + r.url.String() + ".extraHeader", r.token.header()})
	}
	return s
}

// promisorSettings tells git that objects may be absent on purpose, which fetching
// and repacking must know and reading must not.
func promisorSettings() []setting {
	return []setting{
		{"remote." + remoteName + ".promisor", "true"},
		{"remote." + remoteName + ".partialCloneFilter", filter},
	}
}

// refspec returns what to ask the remote for and where to keep it, for a full
// commit id or the full name of a reference.
func refspec(want string) (string, error) {
	if isFullHex(want) {
		oid, err := ParseOID(want)
		if err != nil {
			return "", err
		}
		if oid.IsZero() {
			return "", fmt.Errorf("commit id of zeros: it stands for no commit, so there is nothing to fetch")
		}
		return "+" + string(oid) + ":" + TrackingRef(string(oid)), nil
	}
	if !isRefName(want) {
		return "", fmt.Errorf("want %q: neither a full commit id nor the full name of a reference", clip(want))
	}
	return "+" + want + ":" + TrackingRef(want), nil
}

// TrackingRef returns the reference of a mirror that keeps what Fetch got for a
// want. A reference's name is escaped into one piece: branches a and a/b, which a
// remote can have one after the other, must not be in each other's way.
func TrackingRef(want string) string {
	if isFullHex(want) {
		return trackingPrefix + "commit/" + strings.ToLower(want)
	}
	name := url.PathEscape(want)
	if len(name) > maxRefComponent {
		name = fmt.Sprintf("%x", sha256.Sum256([]byte(want)))
	}
	return trackingPrefix + "ref/" + name
}

// maxRefComponent leaves room in a file name for what git adds to it.
const maxRefComponent = 200

const trackingPrefix = "refs/rescore/"

// isRefName applies the rules of git-check-ref-format to a full name.
func isRefName(name string) bool {
	rest, ok := strings.CutPrefix(name, "refs/")
	if !ok || len(name) > maxRevBytes || strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	for _, r := range name {
		if r <= ' ' || r == 0x7f || strings.ContainsRune(`~^:?*[\`, r) {
			return false
		}
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") || strings.HasSuffix(part, ".") {
			return false
		}
	}
	return true
}
