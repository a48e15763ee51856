package standin

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// appClaims are what GitHub reads of an App's JWT.
type appClaims struct {
	Issuer   json.RawMessage `json:"iss"`
	IssuedAt json.Number     `json:"iat"`
	Expires  json.Number     `json:"exp"`
}

// Valid leaves the times to checkJWT, which knows the stand-in's clock.
func (appClaims) Valid() error { return nil }

// checkJWT refuses a JWT as GitHub does: it must be signed RS256 with the App's
// key, issued in the past, and expire within ten minutes. There is no leeway, so
// clock skew shows. Caller holds mu.
func (g *GitHub) checkJWT(signed string) *reply {
	no := func(message string) *reply { r := refuse(http.StatusUnauthorized, "%s", message); return &r }
	var claims appClaims
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithJSONNumber())
	_, err := parser.ParseWithClaims(signed, &claims, func(*jwt.Token) (any, error) { return &g.key.PublicKey, nil })
	if err != nil {
		return no("A JSON web token could not be decoded")
	}
	if iss := string(claims.Issuer); iss != strconv.FormatInt(g.app.id, 10) && iss != strconv.Quote(strconv.FormatInt(g.app.id, 10)) {
		r := refuse(http.StatusNotFound, "Integration not found")
		return &r
	}
	now := g.opts.Clock()
	exp, err := wholeSeconds(claims.Expires)
	if err != nil || !now.Before(exp) {
		return no("'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires")
	}
	if exp.Sub(now) > jwtMaxLifetime {
		return no("'Expiration time' claim ('exp') is too far in the future")
	}
	iat, err := wholeSeconds(claims.IssuedAt)
	if err != nil || iat.After(now) {
		return no("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	}
	return nil
}

var errNotSeconds = errors.New("not a whole number of seconds")

func wholeSeconds(n json.Number) (time.Time, error) {
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) {
		return time.Time{}, errNotSeconds
	}
	return time.Unix(int64(f), 0), nil
}
