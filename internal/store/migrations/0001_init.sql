-- Times are microseconds since 1970, in UTC. Ids are GitHub's unless said.

CREATE TABLE installations (
    id BIGINT PRIMARY KEY,
    account TEXT NOT NULL,
    account_id BIGINT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    updated_at BIGINT NOT NULL
);

CREATE TABLE repositories (
    id BIGINT PRIMARY KEY,
    installation_id BIGINT NOT NULL,
    owner TEXT NOT NULL,
    owner_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    default_branch TEXT NOT NULL,
    state TEXT NOT NULL,
    facts_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE INDEX repositories_by_installation ON repositories (installation_id);

CREATE TABLE repository_names (
    repo_id BIGINT NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (repo_id, owner, name)
);

CREATE TABLE deliveries (
    seq {id},
    delivery_id TEXT NOT NULL UNIQUE,
    content_key TEXT UNIQUE,
    event TEXT NOT NULL,
    action TEXT NOT NULL,
    received_at BIGINT NOT NULL
);

CREATE INDEX deliveries_by_time ON deliveries (received_at);

CREATE TABLE pulls (
    repo_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    base_ref TEXT NOT NULL,
    head_sha TEXT NOT NULL,
    state TEXT NOT NULL,
    action TEXT NOT NULL,
    base_from TEXT NOT NULL,
    head_from TEXT NOT NULL,
    doubtful BIGINT NOT NULL DEFAULT 0,
    facts_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (repo_id, number)
);

-- How far the deliveries of a subject have been worked: a job whose delivery is
-- not above done_seq has nothing left to do.
CREATE TABLE progress (
    subject TEXT PRIMARY KEY,
    done_seq BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE baselines (
    id {id},
    repo_id BIGINT NOT NULL,
    commit_sha TEXT NOT NULL,
    card_path TEXT NOT NULL,
    card_blob TEXT NOT NULL,
    origin TEXT NOT NULL,
    card {bytes} NOT NULL,
    outcome_digest TEXT NOT NULL,
    scorer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (repo_id, commit_sha, card_blob)
);

CREATE INDEX baselines_latest ON baselines (repo_id, id);

-- Append-only. hash covers the entry and prev_hash, the hash of the entry before.
CREATE TABLE reaudit_log (
    repo_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    from_commit TEXT NOT NULL,
    to_commit TEXT NOT NULL,
    criterion TEXT NOT NULL,
    parameter TEXT NOT NULL,
    mechanism TEXT NOT NULL,
    from_level TEXT NOT NULL,
    to_level TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (repo_id, seq)
);

-- One row a check run. check_run_id is 0 from the moment we decide to create a
-- run until GitHub has told its id. settled is 1 once everything that belongs to
-- the result, the comment as well, is published.
CREATE TABLE checks (
    id {id},
    repo_id BIGINT NOT NULL,
    subject TEXT NOT NULL,
    head_sha TEXT NOT NULL,
    external_id TEXT NOT NULL UNIQUE,
    cause TEXT NOT NULL,
    check_run_id BIGINT NOT NULL,
    state TEXT NOT NULL,
    conclusion TEXT NOT NULL,
    input_digest TEXT NOT NULL,
    settled BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE INDEX checks_by_subject ON checks (repo_id, subject, id);

CREATE INDEX checks_by_run ON checks (check_run_id);

CREATE INDEX checks_by_head ON checks (repo_id, head_sha);

CREATE TABLE comments (
    repo_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    slot TEXT NOT NULL,
    comment_id BIGINT NOT NULL,
    body_digest TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (repo_id, number, slot)
);

CREATE TABLE search_cache (
    cache_key TEXT PRIMARY KEY,
    engine TEXT NOT NULL,
    value {bytes} NOT NULL,
    used_at BIGINT NOT NULL
);

CREATE INDEX search_cache_by_use ON search_cache (used_at);

CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE TABLE replicas (
    id TEXT PRIMARY KEY,
    beat_at BIGINT NOT NULL
);
