package report

import _ "embed" // the schemas are part of the program

//go:embed schema/outcome-1.schema.json
var outcomeSchema []byte

//go:embed schema/verify-1.schema.json
var verifySchema []byte

// OutcomeSchema returns the JSON Schema (draft 2020-12) of what JSON writes.
func OutcomeSchema() []byte { return outcomeSchema }

// VerifySchema returns the JSON Schema (draft 2020-12) of what VerifyJSON writes.
func VerifySchema() []byte { return verifySchema }
