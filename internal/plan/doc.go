// Package plan computes, from a card and the paths that changed between two
// trees, which criteria are touched and by what.
//
// What can change a criterion is declared by its evidence, and the plan follows
// from that alone: a citation is touched by its path, a search by every changed
// path that it would have read. No content is looked at. The package also finds
// the `path:lines` tokens in a card's prose and writes new ones in their place.
//
// The package is pure. It must not import anything that reads repositories, nor
// the stages above it.
package plan
