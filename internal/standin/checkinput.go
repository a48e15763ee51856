package standin

import (
	"slices"
	"time"
	"unicode/utf8"
)

// checkInput is the body of creating and of changing a check run.
type checkInput struct {
	Name        *string      `json:"name"`
	HeadSHA     *string      `json:"head_sha"`
	DetailsURL  *string      `json:"details_url"`
	ExternalID  *string      `json:"external_id"`
	Status      *string      `json:"status"`
	StartedAt   *time.Time   `json:"started_at"`
	Conclusion  *string      `json:"conclusion"`
	CompletedAt *time.Time   `json:"completed_at"`
	Output      *checkOutput `json:"output"`
	Actions     []Action     `json:"actions"`
}

type checkOutput struct {
	Title       *string      `json:"title"`
	Summary     *string      `json:"summary"`
	Text        *string      `json:"text"`
	Annotations []Annotation `json:"annotations"`
}

// check refuses what GitHub refuses with 422.
func (in checkInput) check() *reply {
	no := func(format string, args ...any) *reply { r := unprocessable(format, args...); return &r }
	switch {
	case in.Status != nil && !slices.Contains(appStatuses, *in.Status):
		return no("%s is not a member of %q.", *in.Status, appStatuses)
	case in.Conclusion != nil && !slices.Contains(conclusions, *in.Conclusion):
		return no("%s is not a member of %q.", *in.Conclusion, conclusions)
	case in.Status != nil && *in.Status == statusCompleted && in.Conclusion == nil:
		return no("\"conclusion\" wasn't supplied; it is required when \"status\" is \"completed\".")
	case len(in.Actions) > maxActions:
		return no("No more than %d items are allowed; %d were supplied.", maxActions, len(in.Actions))
	}
	for _, a := range in.Actions {
		if problem := a.check(); problem != nil {
			return problem
		}
	}
	if in.Output == nil {
		return nil
	}
	return in.Output.check()
}

// bound is a text with the most characters that it may have.
type bound struct {
	name, text string
	limit      int
}

func checkBounds(bounds ...bound) *reply {
	for _, b := range bounds {
		if n := utf8.RuneCountInString(b.text); n > b.limit {
			r := unprocessable("Only %d characters are allowed in %q; %d were supplied.", b.limit, b.name, n)
			return &r
		}
	}
	return nil
}

func (a Action) check() *reply {
	if a.Label == "" || a.Description == "" || a.Identifier == "" {
		r := unprocessable("\"label\", \"description\" and \"identifier\" are required in an action.")
		return &r
	}
	return checkBounds(bound{"label", a.Label, maxActionLabel}, bound{"description", a.Description, maxActionDesc},
		bound{"identifier", a.Identifier, maxActionID})
}

func (o *checkOutput) check() *reply {
	no := func(format string, args ...any) *reply { r := unprocessable(format, args...); return &r }
	switch {
	case o.Summary == nil:
		return no("\"summary\" wasn't supplied.")
	case o.Title == nil:
		return no("\"title\" wasn't supplied.")
	case len(o.Annotations) > maxAnnotations:
		return no("No more than %d items are allowed; %d were supplied.", maxAnnotations, len(o.Annotations))
	}
	text := ""
	if o.Text != nil {
		text = *o.Text
	}
	if problem := checkBounds(bound{"summary", *o.Summary, maxOutputChars}, bound{"text", text, maxOutputChars}); problem != nil {
		return problem
	}
	for _, a := range o.Annotations {
		if problem := a.check(); problem != nil {
			return problem
		}
	}
	return nil
}

func (a Annotation) check() *reply {
	no := func(format string, args ...any) *reply { r := unprocessable(format, args...); return &r }
	switch {
	case a.Path == "" || a.Message == "" || a.StartLine == 0 || a.EndLine == 0:
		return no("\"path\", \"start_line\", \"end_line\", \"annotation_level\" and \"message\" are required in an annotation.")
	case !slices.Contains([]string{"notice", "warning", "failure"}, a.Level):
		return no("%s is not a member of [\"notice\", \"warning\", \"failure\"].", a.Level)
	case a.StartLine < 0 || a.EndLine < a.StartLine:
		return no("\"end_line\" must not come before \"start_line\".")
	case a.StartLine != a.EndLine && (a.StartColumn != nil || a.EndColumn != nil):
		return no("\"start_column\" and \"end_column\" are only permitted on a single line.")
	case len(a.Message) > maxAnnotationText || len(a.RawDetails) > maxAnnotationText:
		return no("\"message\" and \"raw_details\" must not be larger than 64 KB.")
	}
	return checkBounds(bound{"title", a.Title, maxTitleChars})
}
