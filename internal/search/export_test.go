package search

// AtOnce sets what Count holds at a time, and returns what sets it back.
func AtOnce(dirs, files int) (restore func()) {
	wasDirs, wasFiles := dirsAtOnce, filesAtOnce
	dirsAtOnce, filesAtOnce = dirs, files
	return func() { dirsAtOnce, filesAtOnce = wasDirs, wasFiles }
}
