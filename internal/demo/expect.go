package demo

import (
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/testdata"
)

// judge says what is wrong with an answer, given what the pull request does. It
// looks at what everybody sees: the check's conclusion and title, and the comment.
func judge(e testdata.Expectation, a answer) error {
	title := a.Run.Title
	fell := strings.Contains(title, "→")
	improved := strings.Contains(a.Comment.Body, "may have improved")
	switch e {
	case testdata.Weakens:
		if a.Run.Conclusion != "failure" || !fell {
			return answered(a, "a failing check whose score falls: the policy guards C2")
		}
		if !strings.Contains(a.Comment.Body, "C2") {
			return fmt.Errorf("the comment does not name C2, whose control was weakened")
		}
	case testdata.Moves:
		if a.Run.Conclusion != "success" || fell || improved {
			return answered(a, "success with an unchanged score: nothing but places changed")
		}
	case testdata.Strengthens:
		if a.Run.Conclusion != "neutral" || fell || !improved {
			return answered(a, "a neutral check that sees a possible improvement and raises nothing by itself")
		}
	default:
		return fmt.Errorf("nothing is known of pull requests that are %q", e)
	}
	return nil
}

func answered(a answer, want string) error {
	return fmt.Errorf("the check reads %q, %s; it should be %s", a.Run.Title, a.Run.Conclusion, want)
}
