package standin

import (
	"slices"
	"strings"
)

// newRouter lists the operations that the stand-in answers, by the names of
// GitHub's API description, with the permissions they need.
func newRouter() *router {
	r := &router{}
	r.on("GET /rate_limit", anyone, getRateLimit)
	appOperations(r)
	repositoryOperations(r)
	checkOperations(r)
	conversationOperations(r)
	pullOperations(r)
	gitOperations(r)
	r.sort()
	return r
}

func appOperations(r *router) {
	r.on("GET /app", theApp, getApp)
	r.on("GET /app/installations", theApp, listInstallations)
	r.on("GET /app/installations/{installation_id}", theApp, getInstallation)
	r.on("DELETE /app/installations/{installation_id}", theApp, deleteInstallation)
	r.on("POST /app/installations/{installation_id}/access_tokens", theApp, createToken)
	r.on("GET /app/hook/config", theApp, getHookConfig)
	r.on("PATCH /app/hook/config", theApp, updateHookConfig)
	r.on("GET /app/hook/deliveries", theApp, listDeliveries)
	r.on("GET /app/hook/deliveries/{delivery_id}", theApp, getDelivery)
	r.on("POST /app/hook/deliveries/{delivery_id}/attempts", theApp, redeliver)
	r.on("GET /repos/{owner}/{repo}/installation", theApp, getRepoInstallation)
	r.on("GET /orgs/{org}/installation", theApp, getOrgInstallation)
	r.on("GET /users/{username}/installation", theApp, getUserInstallation)
	r.on("GET /installation/repositories", anInstallation, listInstallationRepos)
	r.on("DELETE /installation/token", anInstallation, revokeToken)
}

func repositoryOperations(r *router) {
	r.on("GET /repos/{owner}/{repo}", anyone, getRepo, read("metadata"))
	r.on("GET /repos/{owner}/{repo}/collaborators/{username}/permission", anyone, getPermission, read("metadata"))
	r.on("GET /repos/{owner}/{repo}/branches/{branch...}", anyone, getBranch, read("contents"))
	r.on("GET /repos/{owner}/{repo}/contents/{path...}", anyone, getContents, read("contents"))
	r.on("GET /repos/{owner}/{repo}/contents/", anyone, getContents, read("contents"))
	r.on("GET /repos/{owner}/{repo}/contents", anyone, getContents, read("contents"))
}

func checkOperations(r *router) {
	const checks = "checks"
	r.on("POST /repos/{owner}/{repo}/check-runs", anyone, createCheckRun, write(checks))
	r.on("GET /repos/{owner}/{repo}/check-runs/{check_run_id}", anyone, getCheckRun, read(checks))
	r.on("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", anyone, updateCheckRun, write(checks))
	r.on("GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations", anyone, listAnnotations, read(checks))
	r.on("POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest", anyone, rerequestCheckRun, write(checks))
	r.on("POST /repos/{owner}/{repo}/check-suites", anyone, createCheckSuite, write(checks))
	r.on("GET /repos/{owner}/{repo}/check-suites/{check_suite_id}", anyone, getCheckSuite, read(checks))
	r.on("GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs", anyone, listSuiteRuns, read(checks))
	r.on("POST /repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest", anyone, rerequestCheckSuite, write(checks))
	r.on("GET /repos/{owner}/{repo}/commits/{ref...}/check-runs", anyone, listRefRuns, read(checks))
	r.on("GET /repos/{owner}/{repo}/commits/{ref...}/check-suites", anyone, listRefSuites, read(checks))
	r.on("POST /repos/{owner}/{repo}/statuses/{sha}", anyone, createStatus, write("statuses"))
	r.on("GET /repos/{owner}/{repo}/commits/{ref...}/statuses", anyone, listStatuses, read("statuses"))
}

func conversationOperations(r *router) {
	issues, pulls := "issues", "pull_requests"
	r.on("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", anyone, listComments, read(issues), read(pulls))
	r.on("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", anyone, createComment, write(issues), write(pulls))
	r.on("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", anyone, getComment, read(issues), read(pulls))
	r.on("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", anyone, updateComment, write(issues), write(pulls))
	r.on("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", anyone, deleteComment, write(issues), write(pulls))
	r.on("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", anyone, createReaction, write(issues), write(pulls))
	r.on("GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", anyone, listReactions, read(issues), read(pulls))
	r.on("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}", anyone, deleteReaction, write(issues), write(pulls))
}

func pullOperations(r *router) {
	const pulls = "pull_requests"
	r.on("GET /repos/{owner}/{repo}/pulls", anyone, listPulls, read(pulls))
	r.on("POST /repos/{owner}/{repo}/pulls", anyone, createPull, write(pulls))
	r.on("GET /repos/{owner}/{repo}/pulls/{pull_number}", anyone, getPull, read(pulls))
	r.on("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", anyone, updatePull, write(pulls))
	r.on("GET /repos/{owner}/{repo}/pulls/{pull_number}/files", anyone, listPullFiles, read(pulls))
	r.on("GET /repos/{owner}/{repo}/pulls/{pull_number}/commits", anyone, listPullCommits, read(pulls))
	r.on("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", anyone, listCommitPulls, read(pulls))
}

func gitOperations(r *router) {
	const contents = "contents"
	r.on("GET /repos/{owner}/{repo}/commits", anyone, listCommits, read(contents))
	r.on("GET /repos/{owner}/{repo}/commits/{ref...}", anyone, getCommit, read(contents))
	r.on("GET /repos/{owner}/{repo}/compare/{basehead...}", anyone, compareCommits, read(contents))
	r.on("GET /repos/{owner}/{repo}/git/trees/{tree_sha...}", anyone, getTree, read(contents))
	r.on("GET /repos/{owner}/{repo}/git/blobs/{file_sha}", anyone, getBlob, read(contents))
	r.on("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", anyone, getGitCommit, read(contents))
	r.on("GET /repos/{owner}/{repo}/git/ref/{ref...}", anyone, getRef, read(contents))
}

// Operations lists what the stand-in answers, by the names of GitHub's API
// description, sorted.
func Operations() []string {
	var out []string
	for _, op := range newRouter().operations {
		if !strings.HasSuffix(strings.TrimSuffix(op.name, "/"), "/contents") { // the root of a tree, which the description leaves out
			out = append(out, op.name)
		}
	}
	slices.Sort(out)
	return out
}
