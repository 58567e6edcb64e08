-- Conversations that a guest has sent to a person.

CREATE TABLE handovers (
    reference       TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    -- The run that it is about: sent again, it is the same.
    run_id          TEXT NOT NULL UNIQUE REFERENCES runs (id),
    -- How the guest can be reached, in their own words.
    reply_to        TEXT,
    note            TEXT,
    created_at      BIGINT NOT NULL,
    -- When somebody of the house has marked it as handled.
    done_at         BIGINT
);
CREATE INDEX handovers_open ON handovers (done_at, created_at);
