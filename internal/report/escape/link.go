package escape

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

// maxURL bounds a link; browsers and servers give up on longer ones.
const maxURL = 2000

var repoPath = lazy.Regexp(`^(/[A-Za-z0-9._-]+)+$`)

// RepoURL returns raw as the address of a repository that links may start with,
// or "" when it is none: https, or http on loopback (the stand-in and tests);
// no user, query or fragment; a path of plain segments.
func RepoURL(raw string) string {
	u, err := url.Parse(strings.TrimSuffix(strings.TrimSuffix(raw, "/"), ".git"))
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return ""
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return ""
	}
	if !repoPath().MatchString(u.EscapedPath()) || !localPath(strings.TrimPrefix(u.Path, "/")) || !hostname(u.Host) {
		return ""
	}
	return u.String()
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

var plainHost = lazy.Regexp(`^([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(:[0-9]+)?$`)

func hostname(h string) bool { return plainHost().MatchString(h) }

// localPath reports whether p stays below where it starts: a browser resolves
// "." and ".." before it asks the server.
func localPath(p string) bool {
	for seg := range strings.SplitSeq(p, "/") {
		if seg == "" || seg == "." || seg == ".." {
			return false
		}
	}
	return true
}

// Destination returns link as the destination of a Markdown link or an HTML
// attribute, every byte in it either unreserved or percent-encoded, or "" when
// the link is too long or the path it leads to, file, leaves the repository.
func Destination(link, file string) string {
	if !localPath(file) {
		return ""
	}
	var b strings.Builder
	for i := range len(link) {
		c := link[i]
		if safeInURL(c) {
			b.WriteByte(c)
			continue
		}
		percent(&b, c)
	}
	if b.Len() > maxURL {
		return ""
	}
	return b.String()
}

func safeInURL(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("-._~/:#%?=+,@", c) >= 0
}

// Link returns a Markdown link with the text in a code span, or the code span
// alone when there is no destination. The destination comes from Destination.
func Link(text, destination string) string {
	if destination == "" {
		return Code(text)
	}
	return "[" + Code(text) + "](" + destination + ")"
}

// Relative returns a path of the repository as a relative URI, or "" when it
// leaves the repository.
func Relative(file string) string {
	if !localPath(file) {
		return ""
	}
	var b strings.Builder
	for i := range len(file) {
		if c := file[i]; c == '/' || c != ':' && c != '?' && c != '#' && c != '%' && safeInURL(c) {
			b.WriteByte(c)
			continue
		}
		percent(&b, file[i])
	}
	if b.Len() > maxURL {
		return ""
	}
	return b.String()
}

func percent(b *strings.Builder, c byte) {
	const hex = "0123456789ABCDEF"
	b.WriteByte('%')
	b.WriteByte(hex[c>>4])
	b.WriteByte(hex[c&15])
}
