package standin

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

// token is a credential: of an installation, or of a person.
type token struct {
	installation *installation
	scope        map[int64]struct{} // repositories; nil: all that the installation covers
	permissions  map[string]string
	expires      time.Time
	user         *account
}

// caller is who sends a request. The zero value is nobody.
type caller struct {
	app    bool
	token  *token
	digest string // names the credential in the journal
}

// bearer takes the credential out of a request: "Bearer X", "token X", or the
// password of Basic.
func bearer(r *http.Request) string {
	header := r.Header.Get("Authorization")
	scheme, value, _ := strings.Cut(header, " ")
	switch strings.ToLower(scheme) {
	case "bearer", "token":
		return strings.TrimSpace(value)
	case "basic":
		_, password, _ := r.BasicAuth()
		return password
	}
	return ""
}

// digestOf names a secret without telling it.
func digestOf(secret string) string {
	if secret == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:6])
}

// identify checks the credential. Caller holds mu.
func (g *GitHub) identify(credential string) (caller, *reply) {
	who := caller{digest: digestOf(credential)}
	bad := refuse(http.StatusUnauthorized, "Bad credentials")
	switch {
	case credential == "":
		return who, nil
	case strings.Count(credential, ".") == 2:
		if problem := g.checkJWT(credential); problem != nil {
			return who, problem
		}
		who.app = true
		return who, nil
	}
	t := g.tokens[credential]
	if t == nil || !t.expires.IsZero() && !g.now().Before(t.expires) {
		return who, &bad
	}
	who.token = t
	if i := t.installation; i != nil {
		if g.world.installations[i.id] != i {
			return who, &bad
		}
		if i.suspended != nil {
			no := refuse(http.StatusForbidden, "This installation has been suspended")
			return who, &no
		}
	}
	return who, nil
}

// installation returns the caller's installation, or nil.
func (c caller) installation() *installation {
	if c.token == nil {
		return nil
	}
	return c.token.installation
}

// reaches reports whether the caller's token covers a repository.
func (c caller) reaches(r *repository) bool {
	i := c.installation()
	if !i.covers(r) {
		return false
	}
	if c.token.scope == nil {
		return true
	}
	_, ok := c.token.scope[r.id]
	return ok
}

// sees reports whether the caller may know that a repository exists.
func (c caller) sees(r *repository) bool {
	if !r.private || c.reaches(r) {
		return true
	}
	return c.token != nil && c.token.user != nil && r.roleOf(c.token.user) != RoleNone
}

// has reports whether an installation token holds a permission.
func (t *token) has(n need) bool {
	enough := func(level string) bool { return level == n.level || level == "write" || level == "admin" }
	return enough(t.permissions[n.name]) && enough(t.installation.permissions[n.name])
}

// allow checks what an operation needs on a repository, which may be nil.
func (c caller) allow(op *operation, r *repository) *reply {
	no := func(status int, message string) *reply { p := refuse(status, "%s", message); return &p }
	switch {
	case op.who == theApp && !c.app:
		return no(http.StatusUnauthorized, "A JSON web token could not be decoded")
	case op.who != theApp && c.app:
		return no(http.StatusForbidden, notAccessible)
	case op.who == anInstallation && c.installation() == nil:
		return no(http.StatusForbidden, "You must authenticate with an installation access token in order to list repositories for an installation.")
	case len(op.needs) == 0 || r == nil:
		return nil
	case c.token == nil:
		if op.method == http.MethodGet {
			return nil
		}
		return no(http.StatusUnauthorized, "Requires authentication")
	case c.token.user != nil:
		return c.allowUser(op, r)
	}
	publicRead := !r.private && !c.reaches(r) && op.method == http.MethodGet
	if publicRead {
		return nil
	}
	for _, n := range op.needs {
		if c.reaches(r) && c.token.has(n) {
			return nil
		}
	}
	return no(http.StatusForbidden, notAccessible)
}

// allowUser checks an operation for a person: checks belong to Apps, issues and
// comments to everyone who can read, the rest to those who can write.
func (c caller) allowUser(op *operation, r *repository) *reply {
	if op.method == http.MethodGet {
		return nil
	}
	role := r.roleOf(c.token.user)
	for _, n := range op.needs {
		switch {
		case n.name == "checks" && !strings.HasSuffix(op.name, "/rerequest"):
			p := refuse(http.StatusForbidden, "You must authenticate via a GitHub App.")
			return &p
		case n.name == "issues" && role != RoleNone, role.canWrite():
			return nil
		}
	}
	p := refuse(http.StatusForbidden, "Must have admin rights to Repository.")
	return &p
}
