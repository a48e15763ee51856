// Package app assembles the server: configuration in, a running App out. It wires
// the rooms together and serves their routes; it decides nothing.
package app
