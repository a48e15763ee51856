// Package archtest holds the rules of the one-way road and checks them: which
// room may import which, who may touch the world, and the outward form of the
// code (length of files, formatting, package comments).
//
// The check runs as a test, so that no linter has to be installed; the same
// import rules stand in .golangci.yml for editors. Nothing imports this package,
// and it imports no other package of this module.
package archtest
