// Package publish makes GitHub show what was found: one current check run a
// subject, and one comment of ours a pull request, each written so that a crash
// between any two requests leaves nothing twice and nothing open.
//
// Every write is preceded by a record of the intent; after a crash GitHub is asked
// what became of it. The caller holds the subject's lease, so that two jobs never
// publish for one subject at once. The package may import ghclient, store, report
// and outcome, and no other stage.
package publish
