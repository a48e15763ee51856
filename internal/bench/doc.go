// Package bench measures what the engine costs against what else the same answer
// would cost: git's own tree diff, checking everything again, and a script that
// re-runs every check. It generates the repositories it measures on. Everything is
// given as a ratio of two things measured in turn in one run, because times alone
// say more about the machine than about the program.
//
// It runs git, ripgrep and the built command; only cmd/rescore-lab imports it.
package bench
