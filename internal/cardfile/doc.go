// Package cardfile reads and writes scorecards: report Markdown in both house
// styles and any mixture of them, and entry JSON, schema version 2.0.
//
// Reading and writing again loses nothing. A file whose card did not change is
// written back byte for byte. When the card did change, only the places that
// changed are replaced: a line of Markdown keeps its own separators, a JSON file
// its own order and indentation, and lines that nobody understood stay where they
// stand.
//
// The package does no I/O. It may import scorecard and rubric and nothing else of
// this module.
package cardfile
