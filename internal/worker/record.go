package worker

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// maxRecord bounds a stored card after decompression, in bytes.
const maxRecord = 32 << 20

// cardRecord is a baseline's card as it is stored. It holds the whole card, also
// what the exchange form has no place for, and when each criterion was last
// checked.
type cardRecord struct {
	Form  int               `json:"form"` // of this record
	Card  *scorecard.Card   `json:"card"`
	Since map[string]string `json:"since,omitempty"`
}

const recordForm = 1

func packCard(card *scorecard.Card, since map[string]string) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := json.NewEncoder(z).Encode(cardRecord{recordForm, card, since}); err != nil {
		return nil, fmt.Errorf("pack card: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack card: %w", err)
	}
	return b.Bytes(), nil
}

func unpackCard(data []byte) (*scorecard.Card, map[string]string, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, fmt.Errorf("unpack card: %w", err)
	}
	var r cardRecord
	if err := json.NewDecoder(io.LimitReader(z, maxRecord)).Decode(&r); err != nil {
		return nil, nil, fmt.Errorf("unpack card: %w", err)
	}
	if r.Form != recordForm || r.Card == nil {
		return nil, nil, fmt.Errorf("unpack card: record of form %d; this build reads form %d", r.Form, recordForm)
	}
	return r.Card, r.Since, nil
}
