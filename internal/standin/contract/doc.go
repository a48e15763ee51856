// Package contract checks HTTP exchanges and webhooks against GitHub's own
// description of its API, in both directions: that a client asks for what GitHub
// takes, and that the stand-in answers what GitHub answers. It proves shape, not
// behaviour.
//
// It is support for tests, of the stand-in and of what talks to it: only tests may
// import it, and it imports nothing of the product. The
// description lies in testdata, with its licence; trim makes it.
package contract
