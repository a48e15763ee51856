package policy

import _ "embed" // the schema is part of the program

//go:embed schema/policy-1.schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of the policy file. Parse is
// stricter where a schema cannot be: it also checks dates and paths.
func Schema() []byte { return schema }
