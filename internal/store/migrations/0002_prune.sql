-- What is pruned is found by its age, and the head of an open pull request by its commit.

CREATE INDEX checks_by_age ON checks (updated_at);

CREATE INDEX pulls_by_age ON pulls (updated_at);

CREATE INDEX pulls_by_head ON pulls (repo_id, head_sha);

CREATE INDEX comments_by_age ON comments (updated_at);

CREATE INDEX progress_by_age ON progress (updated_at);
