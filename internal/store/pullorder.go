package store

// later returns what holds after both events, whichever of them came first here.
// GitHub dates a pull request in whole seconds; within one second the events
// themselves tell their order, or there is doubt.
func later(a, b Pull) Pull {
	switch {
	case b.FactsAt.After(a.FactsAt):
		return b
	case a.FactsAt.After(b.FactsAt):
		return a
	}
	out := a
	out.Action = lastAction(a, b)
	out.Head, out.HeadFrom = laterHead(a, b)
	var doubt bool
	out.BaseRef, out.BaseFrom, doubt = laterBase(a, b)
	out.Doubtful = a.Doubtful || b.Doubtful || doubt
	out.State, doubt = laterState(a, b)
	out.Doubtful = out.Doubtful || doubt
	return out
}

// laterHead follows the pushes: a push names the head before it. Where two do not
// join, the one that came last is as good a hint as any.
func laterHead(a, b Pull) (head, from string) {
	if a.HeadFrom != "" && a.HeadFrom == b.Head {
		return a.Head, a.HeadFrom
	}
	return b.Head, b.HeadFrom
}

// laterBase follows the edits of the base: an edit names the base before it.
func laterBase(a, b Pull) (base, from string, doubt bool) {
	switch {
	case a.BaseRef == b.BaseRef:
		return a.BaseRef, first(a.BaseFrom, b.BaseFrom), false
	case b.BaseFrom == a.BaseRef && a.BaseFrom != b.BaseRef:
		return b.BaseRef, b.BaseFrom, false
	case a.BaseFrom == b.BaseRef && b.BaseFrom != a.BaseRef:
		return a.BaseRef, a.BaseFrom, false
	}
	return b.BaseRef, b.BaseFrom, true
}

// laterState knows that a pull request is opened once, and that nothing but
// reopening follows closing. Beside GitHub's own answer an event is in doubt: it may
// have come before the question.
func laterState(a, b Pull) (state string, doubt bool) {
	if a.State == b.State {
		return a.State, false
	}
	open := a
	if b.State == PullOpen {
		open = b
	}
	if open.Action == actionReopened || a.Action == "" || b.Action == "" {
		return b.State, true // closed before it, or after
	}
	return PullClosed, false
}

const actionReopened = "reopened"

// lastAction keeps in mind that the pull request was reopened within this second.
func lastAction(a, b Pull) string {
	if a.Action == actionReopened {
		return a.Action
	}
	return b.Action
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
