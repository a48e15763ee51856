package config

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// enterprisePath is where an Enterprise Server's REST API begins.
const enterprisePath = "/api/v3"

// urls reads where GitHub's pages and API are. An API that is not named follows
// from the pages: api.github.com for github.com, else /api/v3 on the same host.
func (l *loader) urls(insecure bool) (web, api *url.URL) {
	webText, webWhere, webGiven := l.get(keyWebURL)
	if !webGiven {
		webText = DefaultWebURL
	}
	web = l.url(webWhere, webText, insecure)
	apiText, apiWhere, apiGiven := l.get(keyAPIURL)
	switch {
	case apiGiven:
	case web == nil:
		return nil, nil // the problem is named already
	case web.String() == DefaultWebURL:
		apiText = DefaultAPIURL
	default:
		apiText = web.String() + enterprisePath
	}
	api = l.url(apiWhere, apiText, insecure)
	if web == nil || api == nil {
		return web, api
	}
	if needsEnterprisePath(web, api) {
		l.problem(apiWhere, fmt.Sprintf("%q is the address of the pages, not of the API", api),
			fmt.Sprintf("an Enterprise Server's API is at %s%s", web, enterprisePath))
	}
	return web, api
}

// needsEnterprisePath reports an API address on the pages' own host that lacks
// /api/v3: the server would answer with HTML. Loopback stand-ins may serve both.
func needsEnterprisePath(web, api *url.URL) bool {
	return api.Host == web.Host && !strings.HasSuffix(api.Path, enterprisePath) && !IsLoopback(api.Hostname())
}

// url checks one address and strips its trailing slashes.
func (l *loader) url(where, text string, insecure bool) *url.URL {
	u, err := url.Parse(strings.TrimRight(text, "/"))
	fix := "use an address like https://github.example.com"
	switch {
	case strings.Contains(text, "@"):
		l.problem(where, "the address holds a user name or a password", "leave it out: the App signs in with its key")
		return nil
	case err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http"):
		l.problem(where, fmt.Sprintf("%q is not a web address", text), fix)
		return nil
	case u.RawQuery != "" || u.Fragment != "":
		l.problem(where, fmt.Sprintf("%q has a query or a fragment", text), fix)
		return nil
	case u.Scheme == "http" && !insecure && !IsLoopback(u.Hostname()):
		l.problem(where, fmt.Sprintf("%q would send tokens unencrypted", text), "use https, or set "+keyInsecure.env+"=1 if this network is trusted")
		return nil
	}
	return u
}

// IsLoopback reports whether a host name or address is this machine.
func IsLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
