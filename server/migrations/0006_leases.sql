-- A run at work is leased to one worker, by the database's clock.

-- Milliseconds since 1970; when it has passed, any worker may take the run.
ALTER TABLE runs ADD COLUMN lease_until BIGINT NOT NULL DEFAULT 0;
-- How often it was taken since it last came further.
ALTER TABLE runs ADD COLUMN pickups BIGINT NOT NULL DEFAULT 0;
CREATE INDEX runs_to_take ON runs (status, lease_until);
-- What a guest sent in the last minute is counted.
CREATE INDEX runs_of_user ON runs (user_id, created_at);
-- The latest run of a conversation is asked for all the time.
CREATE INDEX runs_of_conversation ON runs (conversation_id, created_at, id);
