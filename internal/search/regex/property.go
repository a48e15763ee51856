package regex

import (
	"strings"
	"sync"
	"unicode"
)

// unicode15Only holds the code points that Unicode 15.0 added. The standard
// library knows them; ripgrep 13 was built with the tables of Unicode 14.0, for
// which they are unassigned. The differential tests compare every code point.
var unicode15Only = newRuneSet([]runeRange{
	{0x0CF3, 0x0CF3}, {0x0ECE, 0x0ECE}, {0x10EFD, 0x10EFF}, {0x1123F, 0x11241},
	{0x11B00, 0x11B09}, {0x11F00, 0x11F10}, {0x11F12, 0x11F3A}, {0x11F3E, 0x11F59},
	{0x1342F, 0x1342F}, {0x13439, 0x13455}, {0x1B132, 0x1B132}, {0x1B155, 0x1B155},
	{0x1D2C0, 0x1D2D3}, {0x1DF25, 0x1DF2A}, {0x1E030, 0x1E06D}, {0x1E08F, 0x1E08F},
	{0x1E4D0, 0x1E4F9}, {0x1F6DC, 0x1F6DC}, {0x1F774, 0x1F776}, {0x1F77B, 0x1F77F},
	{0x1F7D9, 0x1F7D9}, {0x1FA75, 0x1FA77}, {0x1FA87, 0x1FA88}, {0x1FAAD, 0x1FAAF},
	{0x1FABB, 0x1FABD}, {0x1FABF, 0x1FABF}, {0x1FACE, 0x1FACF}, {0x1FADA, 0x1FADB},
	{0x1FAE8, 0x1FAE8}, {0x1FAF7, 0x1FAF8}, {0x2B739, 0x2B739}, {0x31350, 0x323AF},
}...)

// Characters of Unicode 14.0 that got a property only with 15.0.
var (
	newlyAlphabetic = runeSet{{0x0C04, 0x0C04}, {0x0F82, 0x0F83}, {0x11080, 0x11081}}
	newlyLowercase  = runeSet{{0x10FC, 0x10FC}, {0xA7F2, 0xA7F4}, {0xAB69, 0xAB69}}
)

// assignedSet builds a set of characters assigned in Unicode 14.0 from tables.
func assignedSet(tables ...*unicode.RangeTable) runeSet {
	return tableSet(tables...).subtract(unicode15Only)
}

var (
	wordSet = sync.OnceValue(func() runeSet {
		return alphabeticSet().union(assignedSet(unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control))
	})
	spaceSet = sync.OnceValue(func() runeSet { return assignedSet(unicode.White_Space) })
	digitSet = sync.OnceValue(func() runeSet { return assignedSet(unicode.Nd) })
	// alphabeticSet, lowercaseSet and uppercaseSet are derived properties; the
	// standard library has their parts.
	alphabeticSet = sync.OnceValue(func() runeSet {
		return assignedSet(unicode.Lu, unicode.Ll, unicode.Lt, unicode.Lm, unicode.Lo, unicode.Nl, unicode.Other_Alphabetic).
			subtract(newlyAlphabetic)
	})
	lowercaseSet = sync.OnceValue(func() runeSet {
		return assignedSet(unicode.Ll, unicode.Other_Lowercase).subtract(newlyLowercase)
	})
	uppercaseSet = sync.OnceValue(func() runeSet { return assignedSet(unicode.Lu, unicode.Other_Uppercase) })
	visibleSet   = sync.OnceValue(func() runeSet {
		return assignedSet(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
	})
	unassignedSet = sync.OnceValue(func() runeSet {
		return visibleSet().union(assignedSet(unicode.Cc, unicode.Cf, unicode.Co)).negate()
	})
)

// binaryProperties are the yes-or-no properties that are evaluated, by
// normalised name.
var binaryProperties = map[string]func() runeSet{
	"any":           func() runeSet { return newRuneSet(runeRange{0, unicode.MaxRune}) },
	"ascii":         func() runeSet { return runeSet{{0, 0x7F}} },
	"assigned":      func() runeSet { return unassignedSet().negate() },
	"alphabetic":    alphabeticSet,
	"alpha":         alphabeticSet,
	"lowercase":     lowercaseSet,
	"lower":         lowercaseSet,
	"uppercase":     uppercaseSet,
	"upper":         uppercaseSet,
	"whitespace":    spaceSet,
	"wspace":        spaceSet,
	"space":         spaceSet,
	"asciihexdigit": func() runeSet { return assignedSet(unicode.ASCII_Hex_Digit) },
	"ahex":          func() runeSet { return assignedSet(unicode.ASCII_Hex_Digit) },
	"hexdigit":      func() runeSet { return assignedSet(unicode.Hex_Digit) },
	"hex":           func() runeSet { return assignedSet(unicode.Hex_Digit) },
	"dash":          func() runeSet { return assignedSet(unicode.Dash) },
	"quotationmark": func() runeSet { return assignedSet(unicode.Quotation_Mark) },
	"qmark":         func() runeSet { return assignedSet(unicode.Quotation_Mark) },
}

// categories are the general categories by normalised name, short and long.
// "lc" and "sc" are left out: ripgrep takes them for other properties and fails.
var categories = sync.OnceValue(func() map[string]func() runeSet {
	m := map[string]func() runeSet{}
	for short, table := range unicode.Categories {
		m[normalName(short)] = func() runeSet { return assignedSet(table) }
	}
	other := func() runeSet { return visibleSet().negate() }
	m["c"], m["cn"] = other, unassignedSet
	m["lc"] = func() runeSet { return assignedSet(unicode.Lu, unicode.Ll, unicode.Lt) }
	for long, short := range unicode.CategoryAliases {
		m[normalName(long)] = m[normalName(short)]
	}
	delete(m, "lc")
	delete(m, "sc")
	return m
})

var scripts = sync.OnceValue(func() map[string]func() runeSet {
	m := map[string]func() runeSet{}
	for name, table := range unicode.Scripts {
		m[normalName(name)] = func() runeSet { return assignedSet(table) }
	}
	return m
})

// propertySet finds the set that \p{name} stands for. The name is a category, a
// script or a binary property, or gc=category or sc=script. ok is false for a
// name that is not evaluated, known to ripgrep or not.
func propertySet(name string) (set runeSet, ok bool) {
	if key, value, found := strings.Cut(name, "="); found {
		return valueSet(key, value)
	}
	if key, value, found := strings.Cut(name, ":"); found {
		return valueSet(key, value)
	}
	n := normalName(name)
	for _, table := range []map[string]func() runeSet{binaryProperties, categories(), scripts()} {
		if f, found := table[n]; found {
			return f(), true
		}
	}
	return nil, false
}

func valueSet(key, value string) (runeSet, bool) {
	var table map[string]func() runeSet
	switch normalName(key) {
	case "gc", "generalcategory":
		table = categories()
	case "sc", "script":
		table = scripts()
	default:
		return nil, false
	}
	if f, found := table[normalName(value)]; found {
		return f(), true
	}
	return nil, false
}

// normalName is the loose matching of UAX 44 as ripgrep does it: case, spaces,
// hyphens, underscores and a leading "is" do not count.
func normalName(s string) string {
	prefixed := len(s) >= 2 && strings.EqualFold(s[:2], "is")
	if prefixed {
		s = s[2:]
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == ' ', r == '_', r == '-', r > unicode.MaxASCII:
			return -1
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, s)
	if prefixed && s == "c" {
		return "isc" // the name of a property of its own
	}
	return s
}

// asciiClasses are the [:name:] classes.
var asciiClasses = map[string]runeSet{
	"alnum":  {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}},
	"alpha":  {{'A', 'Z'}, {'a', 'z'}},
	"ascii":  {{0, 0x7F}},
	"blank":  {{'\t', '\t'}, {' ', ' '}},
	"cntrl":  {{0, 0x1F}, {0x7F, 0x7F}},
	"digit":  {{'0', '9'}},
	"graph":  {{'!', '~'}},
	"lower":  {{'a', 'z'}},
	"print":  {{' ', '~'}},
	"punct":  {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}},
	"space":  {{'\t', '\r'}, {' ', ' '}},
	"upper":  {{'A', 'Z'}},
	"word":   {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}},
	"xdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}},
}

// isUppercase reports whether smart case counts r as an upper-case letter.
func isUppercase(r rune) bool {
	if r < 0x80 {
		return 'A' <= r && r <= 'Z'
	}
	return uppercaseSet().contains(r)
}

// isWordRune reports whether r is in \w; isWordByte is its ASCII part.
func isWordRune(r rune) bool {
	if r < 0x80 {
		return isWordByte(byte(r))
	}
	return wordSet().contains(r)
}

func isWordByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
}
