package search

// AtOnce sets what an evaluation in full holds at a time, and returns what sets it
// back.
func AtOnce(dirs, entries, files int) (restore func()) {
	wasDirs, wasEntries, wasFiles := dirsAtOnce, entriesAtOnce, filesAtOnce
	dirsAtOnce, entriesAtOnce, filesAtOnce = dirs, entries, files
	return func() { dirsAtOnce, entriesAtOnce, filesAtOnce = wasDirs, wasEntries, wasFiles }
}
