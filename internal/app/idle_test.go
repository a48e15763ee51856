package app_test

import "time"

// pollEvery is how often a state of the database is looked at that nothing
// signals.
const pollEvery = 20 * time.Millisecond

// unfinished counts unfinished jobs, the periodic sweep left out.
func unfinished(w *world) (int, error) {
	counts, err := w.app.Counts(w.ctx)
	n := 0
	for _, c := range counts {
		if c.Kind != "sweep" {
			n += int(c.Jobs)
		}
	}
	return n, err
}
