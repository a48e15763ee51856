-- When GitHub was last asked about the repository as a whole, so that what no event
-- told is found all the same; 0 for one that was on record before.

ALTER TABLE repositories ADD COLUMN asked_at BIGINT NOT NULL DEFAULT 0;

DROP INDEX checks_by_run;
