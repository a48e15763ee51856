package gitmirror_test

import "time"

// How long tests wait for something that another process does, at most.
const (
	wait = 20 * time.Second
	tick = 10 * time.Millisecond
)
