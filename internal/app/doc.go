// Package app assembles the server: configuration in, a running App out. It wires
// the rooms together and serves their routes; it decides nothing.
//
// It may import any room. Of the product only demo and the commands import it.
package app
