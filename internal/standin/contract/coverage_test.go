package contract_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/standin"
)

// Every operation of the stand-in is in the description, and every described one
// is answered, so that neither grows without the other.
func TestDescriptionAndStandInAgree(t *testing.T) {
	assert.Equal(t, newChecker(t).Operations(), standin.Operations())
}
