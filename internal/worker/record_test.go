package worker

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

// What is stored of a card is the whole card.
func TestCardsAreStoredWhole(t *testing.T) {
	card := cardtest.Heron()
	since := map[string]string{"C1": "abc"}
	data, err := packCard(card, since)
	require.NoError(t, err)
	back, backSince, err := unpackCard(data)
	require.NoError(t, err)
	assert.Equal(t, card, back)
	assert.Equal(t, since, backSince)
}

func TestDamagedRecordsAreTold(t *testing.T) {
	zip := func(s string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(s))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return b.Bytes()
	}
	for _, data := range [][]byte{nil, []byte("x"), zip("{"), zip(`{"form":9,"card":{}}`), zip(`{"form":1}`)} {
		_, _, err := unpackCard(data)
		require.ErrorContains(t, err, "unpack card")
	}
}
