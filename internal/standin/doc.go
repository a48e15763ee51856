// Package standin is a GitHub on loopback: one GitHub App, accounts,
// installations and repositories, each repository a real bare git repository,
// with the REST operations, the git smart HTTP service and the signed webhooks
// that an App meets. The demo runs against it, and so do the tests.
//
// People's actions are methods (Push, OpenPull, Comment, MergePull, Rename ...);
// what the App does comes in over HTTP. Faults, limits and lost or repeated
// deliveries can be planned, every request is kept in a journal, and waiting is
// done on conditions, never on time.
//
// It shows the behaviour of GitHub that matters to an App: token scopes and
// clock skew, permissions, size limits, redirects after a rename, locked
// conversations, archived and empty repositories, rate limits. What it does not
// know it answers with 404, as GitHub does for an unknown route.
//
// It sits on the far side of the wire: it runs git itself, as a server does, and
// imports nothing else of this module. Nothing of the product may import it but
// the demo.
package standin
