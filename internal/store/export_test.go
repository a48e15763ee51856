package store

import "context"

// Steps is how many steps there are to the schema of this build.
func Steps() (int, error) {
	steps, err := migrations()
	return len(steps), err
}

// OpenOlder opens a database as the build did that knew only the first n steps.
func OpenOlder(ctx context.Context, o Options, n int) (*Store, error) {
	steps, err := migrations()
	if err != nil {
		return nil, err
	}
	return openWith(ctx, o, steps[:n])
}
