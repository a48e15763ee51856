// Package testenv gives tests what they find around them: the module root, the
// shared inputs and mirrors that are not part of this repository, the oracle
// programs (ripgrep, git), the audited agents with their cards and repositories, a
// PostgreSQL database of their own, and small git repositories with a known history.
//
// What is absent makes a test skip, with a sentence that says how to provide it.
//
// It owns nothing of the product. Only tests import it, and it imports no other
// package of this module.
package testenv
