package app_test

import (
	"os"
	"runtime/metrics"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/app"
)

// gogc is the percentage in force.
func gogc() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func TestOperatorDecidesOnMemory(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv(name, "") // put back in the end
		require.NoError(t, os.Unsetenv(name))
	}
	was := gogc()
	restore := app.CollectSooner()
	assert.EqualValues(t, 50, gogc())
	restore()
	assert.Equal(t, was, gogc())
	for name, value := range map[string]string{"GOGC": "100", "GOMEMLIMIT": "1GiB"} {
		t.Setenv(name, value)
		restore := app.CollectSooner()
		assert.Equal(t, was, gogc(), name)
		restore()
		assert.Equal(t, was, gogc(), name)
		require.NoError(t, os.Unsetenv(name))
	}
}
