// Package rescore is the pipeline from two commits to an outcome:
//
//	plan -> follow -> judge -> apply -> score
//
// It sequences the rooms below it (plan, evidence, the judges, scorecard) and
// owns what none of them can: how rulings become a new card, the interval of
// what is unproven, and the log. It knows nothing of GitHub, policies or output
// formats, and may import none of the rooms that do; callers give the outcome to policy
// and report. Which judges there are it is told.
package rescore
