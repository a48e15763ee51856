package gitmirror

import "time"

const defaultFetchTimeout = 10 * time.Minute
