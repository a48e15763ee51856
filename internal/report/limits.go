package report

// Limits of GitHub's platform. Its documentation counts characters; the columns
// behind some of these fields count bytes. Bytes are never fewer than characters,
// so a text within the limit in bytes is within it either way.
const (
	// MaxComment is the longest comment body; a longer one is refused with 422.
	MaxComment = 65_536
	// MaxCheckText is the longest summary and the longest text of a check run.
	MaxCheckText = 65_535
	// MaxTitle is the longest title of a check run's output or of an annotation.
	MaxTitle = 255
	// MaxAnnotationText is the longest message and the longest raw_details of an
	// annotation: 64 KB.
	MaxAnnotationText = 64 * 1024
	// MaxAnnotationsPerRequest is how many annotations one request may carry.
	MaxAnnotationsPerRequest = 50
)

// Limits of our own, for the reader's sake.
const (
	// DefaultMaxAnnotations bounds the annotations of one check: two requests.
	DefaultMaxAnnotations = 2 * MaxAnnotationsPerRequest
	maxAnnotationMessage  = 2_000 // bytes; GitHub folds longer ones away
	maxReasonRunes        = 400   // a reason or finding in a line of a report
	maxFieldRunes         = 200   // a path, a search command, a label
	maxRawBytes           = 2_048 // of a text that are looked at to make a line of it
	maxIDRunes            = 40    // a cap's or a band's name
	maxNamed              = 4     // names in a list before "and N more"
	maxChangedLines       = 10    // new and lost lines shown for one search
	maxQuoteLines         = 20    // cited lines shown as they were
	maxBrokenShown        = 6     // broken evidence items shown unfolded
	maxReasonsShown       = 6     // reasons under the verdict
	maxCellLink           = 400   // bytes of a link in the table, which is never cut
)
