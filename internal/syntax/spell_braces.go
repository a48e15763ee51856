package syntax

// spellBraces is the spelling of languages in braces.
func spellBraces(ls *lexemes) []respelling { return nil }
