package escape

import "strings"

// In a SARIF message "[text](target)" is a link and "{0}" an argument
// (SARIF 2.1.0, 3.11.5 and 3.11.6).
var sarifSpecial = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `{`, `{{`, `}`, `}}`)

// SARIF returns s as one line of the plain text of a SARIF message.
func SARIF(s string) string { return sarifSpecial.Replace(Line(s)) }
