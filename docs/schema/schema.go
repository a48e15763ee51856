// Package schema holds the JSON Schemas that this project publishes, so that a
// command can print them. It imports nothing of this module.
package schema

import _ "embed"

// Entry is the schema of scorecard entries of our own writing, schema version 2.0
// (JSON Schema, draft 2020-12).
//
//go:embed entry-2.0.schema.json
var Entry []byte
