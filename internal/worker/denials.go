package worker

import (
	"sync"
	"time"
)

const (
	// denialTTL is how long a denial is believed without asking. A grant never is.
	denialTTL = time.Minute
	// maxDenials bounds how many are remembered.
	maxDenials = 10_000
)

// person is somebody in a repository.
type person struct {
	repo  int64
	login string
}

// denials remembers for a while who may not give commands.
type denials struct {
	mu sync.Mutex
	at map[person]time.Time
}

func (d *denials) standing(repo int64, login string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	at, ok := d.at[person{repo, login}]
	return ok && now.Sub(at) < denialTTL
}

func (d *denials) add(repo int64, login string, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.at) >= maxDenials || d.at == nil {
		d.at = map[person]time.Time{}
	}
	d.at[person{repo, login}] = now
}
