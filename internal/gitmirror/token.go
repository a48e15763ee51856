package gitmirror

import (
	"encoding/base64"
	"strings"
)

// Token is a secret for the remote. Formatting, logging or marshalling it shows
// "[redacted]". The zero Token means anonymous access.
type Token struct{ secret string }

// tokenUser is the user name that GitHub wants beside an installation token.
const tokenUser = "x-access-token"

const redacted = "[redacted]"

// NewToken wraps a secret.
func NewToken(secret string) Token { return Token{secret: secret} }

// String hides the secret.
func (t Token) String() string { return redacted }

// GoString hides the secret.
func (t Token) GoString() string { return "gitmirror.Token{" + redacted + "}" }

// MarshalText hides the secret.
func (t Token) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// header returns the HTTP header that authenticates a request.
func (t Token) header() string {
	return "Authorization: Basic " + t.basic()
}

func (t Token) basic() string {
	return base64.StdEncoding.EncodeToString([]byte(tokenUser + ":" + t.secret))
}

// redact replaces the secret in all the forms in which it travels.
func (t Token) redact(s string) string {
	if t.secret == "" {
		return s
	}
	return strings.NewReplacer(t.secret, redacted, t.basic(), redacted).Replace(s)
}
