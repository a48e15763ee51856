package standin_test

import (
	"context"
	"fmt"

	"github.com/rescore-app/rescore/internal/standin"
)

func Example() {
	ctx := context.Background()
	gh, err := standin.New(standin.Options{})
	if err != nil {
		panic(err)
	}
	defer func() { _ = gh.Close() }()
	if err := gh.Start(); err != nil {
		panic(err)
	}
	// The App finds itself by gh.URL, gh.APIURL, gh.AppID, gh.PrivateKeyPEM and
	// gh.WebhookSecret, and is told of events once gh.SetWebhook names its address.
	gh.AddOrg("acme")
	gh.AddUser("ada")
	if _, err := gh.AddRepo(ctx, "acme/agent", standin.RepoOptions{}); err != nil {
		panic(err)
	}
	if _, err := gh.Install("acme", standin.InstallOptions{}); err != nil {
		panic(err)
	}
	// People work; in a real test the App answers with gh.WaitCheck and gh.WaitComment.
	for _, branch := range []string{"main", "topic"} {
		if _, err := gh.Commit(ctx, "ada", "acme/agent", branch, "Work on "+branch, standin.File{Path: branch, Content: "x\n"}); err != nil {
			panic(err)
		}
	}
	pull, err := gh.OpenPull(ctx, "ada", "acme/agent", standin.PullRequest{Title: "Topic", Head: "topic"})
	if err != nil {
		panic(err)
	}
	fmt.Println(pull.Number, pull.State, pull.BaseRef, pull.HeadRef)
	// Output: 1 open main topic
}
