// Package outcome is the result of rescoring one card from one commit to
// another: what each criterion rests on now, the score diff, the re-audit log and
// what it cost. Its JSON is the "rescore.outcome/1" schema of the command line
// contract.
//
// It is pure data. It may import scorecard and nothing else of this module.
package outcome
