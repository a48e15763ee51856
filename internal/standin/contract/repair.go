package contract

import "github.com/getkin/kin-openapi/openapi3"

// repair mends known mistakes of the packaged description, each shown by what
// GitHub really sends.
func repair(doc *openapi3.T) {
	// A pull request from a deleted fork has no repository, and may have no user.
	for _, name := range []string{"pull-request", "pull-request-simple"} {
		for _, field := range []string{"repo", "user", "label"} {
			allowNull(doc.Components.Schemas[name], "head", field)
		}
	}
	allowNull(doc.Components.Schemas["webhook-pull-request-synchronize"], "pull_request", "head", "repo")
	// Apps subscribe to events that are younger than the list in two old schemas.
	for _, name := range []string{"webhook-check-suite-requested", "webhook-check-suite-rerequested"} {
		if events := within(doc.Components.Schemas[name], "check_suite", "app", "events"); events != nil {
			events.Value.Items.Value.Enum = nil
		}
	}
	// An account is a user or an enterprise, not both at once.
	if item := doc.Paths.Value("/app/installations"); item != nil && item.Get != nil {
		media := item.Get.Responses.Value("200").Value.Content.Get("application/json")
		if account := media.Schema.Value.Items.Value.Properties["account"]; account != nil && len(account.Value.AllOf) == 2 {
			account.Value.AnyOf, account.Value.AllOf = account.Value.AllOf, nil
		}
	}
}

// allowNull makes the property at a path nullable, without touching a schema that
// others share.
func allowNull(s *openapi3.SchemaRef, path ...string) {
	s = within(s, path...)
	if s == nil {
		return
	}
	own := *s.Value
	own.Nullable = true
	s.Ref, s.Value = "", &own
}

// within returns the property at a path, or nil.
func within(s *openapi3.SchemaRef, path ...string) *openapi3.SchemaRef {
	for _, name := range path {
		if s == nil || s.Value == nil {
			return nil
		}
		s = s.Value.Properties[name]
	}
	if s == nil || s.Value == nil {
		return nil
	}
	return s
}
