// Package gitmirror is the only place where the product runs git.
//
// It reads objects of a local clone, a bare repository or one of our own mirrors
// (Repo), and keeps those mirrors: bare repositories without file content, one a
// tenant, filled over HTTPS with an installation token (Mirrors, Mirror).
//
// Rules that hold for every call, all kept in command.go:
//
//   - Arguments are constants of this package or operands that cannot be taken
//     for a flag. Lists are read with -z. No shell is involved.
//   - The environment is built from nothing, and the configuration that matters
//     is pinned above whatever the repository's own config says: no hooks, no
//     fsmonitor, no filters, no helpers, no prompts, no replace refs, no grafts.
//   - No transport is allowed, except the one that a fetch names.
//   - Reading a missing object is ErrMissing. It never goes to the network.
//   - A token travels in the environment of one fetch, and nowhere else.
//   - Output, time and memory are bounded; cancelling the context kills git and
//     all it started.
//
// Git 2.31 or newer is needed (a fetch is configured in its environment). The package
// must not import any other room of the product but search, whose Source it
// implements. It runs on unix systems: it relies on process groups and flock.
package gitmirror
