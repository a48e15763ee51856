// Package ghclient speaks GitHub's REST API as the App: installation tokens, a
// budget an installation, rate limits that are honoured, renames that are
// followed, and failures in plain words as typed errors.
//
// It builds on go-github and ghinstallation and may import no other package of
// this module.
package ghclient
