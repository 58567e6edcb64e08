-- One text for SQLite and PostgreSQL: ids are TEXT, times BIGINT milliseconds since 1970 (UTC), JSON is TEXT.

CREATE TABLE users (
    id         TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL
);

CREATE TABLE sessions (
    -- SHA-256 of the cookie's token, in hex: a stolen table opens no session.
    token_hash TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL
);

CREATE TABLE conversations (
    id            TEXT PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES users (id),
    title         TEXT NOT NULL,
    -- As the provider is told; with the demo model `demo/<persona>`.
    model_name    TEXT NOT NULL,
    -- What the model is told stays as it was while the conversation lives.
    system_prompt TEXT NOT NULL,
    tools         TEXT NOT NULL,
    -- The sequence number of its last event.
    last_seq      BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);
CREATE INDEX conversations_of_user ON conversations (user_id, updated_at);

CREATE TABLE events (
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    seq             BIGINT NOT NULL,
    at              BIGINT NOT NULL,
    body            TEXT NOT NULL,
    PRIMARY KEY (conversation_id, seq)
);

CREATE TABLE model_messages (
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    position        BIGINT NOT NULL,
    run_id          TEXT NOT NULL,
    body            TEXT NOT NULL,
    PRIMARY KEY (conversation_id, position)
);

CREATE TABLE runs (
    id                 TEXT PRIMARY KEY,
    conversation_id    TEXT NOT NULL REFERENCES conversations (id),
    user_id            TEXT NOT NULL REFERENCES users (id),
    -- The assistant message that it fills.
    message_id         TEXT NOT NULL,
    status             TEXT NOT NULL,
    -- Rises with every worker that takes the run; a write with an older one touches nothing.
    epoch              BIGINT NOT NULL,
    stop_requested     BIGINT NOT NULL,
    -- Counters of this user message; parking keeps them.
    step               BIGINT NOT NULL,
    -- The last step whose assistant turn is stored, and the last one whose results are.
    turn_step          BIGINT NOT NULL,
    delivered_step     BIGINT NOT NULL,
    tool_errors        BIGINT NOT NULL,
    last_call          TEXT NOT NULL,
    last_call_count    BIGINT NOT NULL,
    input_tokens       BIGINT NOT NULL,
    output_tokens      BIGINT NOT NULL,
    cache_read_tokens  BIGINT NOT NULL,
    cache_write_tokens BIGINT NOT NULL,
    -- Milliseconds at work; waiting for a person does not count.
    worked_ms          BIGINT NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL
);
-- One live run a conversation.
CREATE UNIQUE INDEX one_live_run ON runs (conversation_id)
    WHERE status IN ('queued', 'running', 'awaiting-approval');
CREATE INDEX runs_by_status ON runs (status);

CREATE TABLE user_messages (
    conversation_id   TEXT NOT NULL REFERENCES conversations (id),
    client_message_id TEXT NOT NULL,
    message_id        TEXT NOT NULL,
    text              TEXT NOT NULL,
    -- The run that the first request for it started: the answer to the same request again.
    run_id            TEXT NOT NULL,
    created_at        BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, client_message_id)
);

CREATE TABLE tool_calls (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    run_id          TEXT NOT NULL REFERENCES runs (id),
    step            BIGINT NOT NULL,
    -- Its place in the turn.
    position        BIGINT NOT NULL,
    name            TEXT NOT NULL,
    -- Three things kept apart: what the model proposed (text as it wrote it, and validated as JSON),
    -- what the person approved (approvals.edited_input), what ran.
    arguments       TEXT NOT NULL,
    proposed_input  TEXT,
    executed_input  TEXT,
    -- planned, ready, waiting, approved, ended
    state           TEXT NOT NULL,
    -- Where it has ended: output, error, denied, cancelled, repeated
    ended_as        TEXT,
    business_key    TEXT,
    output          TEXT,
    -- What the model hears.
    result_content  TEXT,
    result_note     TEXT,
    result_is_error BIGINT,
    created_at      BIGINT NOT NULL,
    UNIQUE (run_id, step, position)
);
CREATE INDEX calls_by_key ON tool_calls (run_id, business_key);

CREATE TABLE approvals (
    id              TEXT PRIMARY KEY,
    tool_call_id    TEXT NOT NULL REFERENCES tool_calls (id),
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    run_id          TEXT NOT NULL REFERENCES runs (id),
    user_id         TEXT NOT NULL REFERENCES users (id),
    tool            TEXT NOT NULL,
    -- SHA-256 of the arguments that the person was shown.
    arguments_hash  TEXT NOT NULL,
    -- The arguments that a plain yes would run.
    input           TEXT NOT NULL,
    preview         TEXT NOT NULL,
    -- pending, then decided exactly once: approved, declined, expired, superseded, stopped.
    status          TEXT NOT NULL,
    edited_input    TEXT,
    expires_at      BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    decided_at      BIGINT
);
CREATE INDEX approvals_of_call ON approvals (tool_call_id);
CREATE INDEX approvals_waiting ON approvals (status, expires_at);

CREATE TABLE effects (
    id           TEXT PRIMARY KEY,
    tool         TEXT NOT NULL,
    business_key TEXT NOT NULL,
    -- Counts the lives of a key; a new one begins when the last one was released.
    generation   BIGINT NOT NULL,
    -- claimed, done, unknown: live. failed, released: the key is free again.
    status       TEXT NOT NULL,
    -- The input that it was claimed with.
    request      TEXT NOT NULL,
    tool_call_id TEXT NOT NULL REFERENCES tool_calls (id),
    output       TEXT,
    created_at   BIGINT NOT NULL,
    UNIQUE (tool, business_key, generation)
);
CREATE UNIQUE INDEX one_live_effect ON effects (tool, business_key)
    WHERE status IN ('claimed', 'done', 'unknown');

CREATE TABLE restaurants (
    id        TEXT PRIMARY KEY,
    name      TEXT NOT NULL,
    city      TEXT NOT NULL,
    address   TEXT NOT NULL,
    cuisine   TEXT NOT NULL,
    contact   TEXT NOT NULL,
    -- IANA name.
    time_zone TEXT NOT NULL,
    seats     BIGINT NOT NULL
);

CREATE TABLE opening_hours (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    -- 1 is Monday, 7 Sunday.
    weekday       BIGINT NOT NULL,
    -- Minutes after midnight by the restaurant's clock; closing may lie after 24 h.
    opens         BIGINT NOT NULL,
    closes        BIGINT NOT NULL,
    PRIMARY KEY (restaurant_id, weekday, opens)
);

CREATE TABLE bookings (
    id            TEXT PRIMARY KEY,
    reference     TEXT NOT NULL UNIQUE,
    user_id       TEXT NOT NULL REFERENCES users (id),
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    tool_call_id  TEXT NOT NULL,
    party_size    BIGINT NOT NULL,
    starts_at     BIGINT NOT NULL,
    -- It holds its seats until then.
    ends_at       BIGINT NOT NULL,
    note          TEXT,
    -- confirmed or waitlisted
    status        TEXT NOT NULL,
    created_at    BIGINT NOT NULL
);
CREATE INDEX bookings_at ON bookings (restaurant_id, starts_at);
