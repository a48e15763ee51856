// Package worker does the jobs: it runs the stages in their order and maps what
// goes wrong to retry, snooze or cancel.
//
//	resolve -> fetch -> policy -> card -> engine -> decide -> report -> publish
//
// The order of the stages is in evaluate.go and nowhere else; each stage is a
// small function of its own. Stages do not call each other. One job at a time
// works on a subject (a pull request, or the default branch), across all replicas.
//
// It may import the stages and what they hand on; no stage may import it. The engine,
// with its judges, is made by app.
package worker
