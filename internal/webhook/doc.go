// Package webhook takes GitHub's deliveries: it checks who sent them, translates
// each into the arguments of jobs, and answers once they are stored. Nothing else
// happens here: no policy, no request to GitHub.
//
// It may import job, store for the records that an event fills, and command to
// read what a comment asks. It may not import any other stage.
package webhook
