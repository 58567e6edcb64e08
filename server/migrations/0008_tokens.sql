-- What the model has cost: each call, and each guest's day.

-- The last step whose model call broke half way and was begun again; a second break ends the run.
ALTER TABLE runs ADD COLUMN cut_step BIGINT NOT NULL DEFAULT 0;

CREATE TABLE model_calls (
    run_id             TEXT NOT NULL REFERENCES runs (id),
    step               BIGINT NOT NULL,
    -- 1, or 2 where the first one broke half way.
    attempt            BIGINT NOT NULL,
    -- Why the model stopped (end-turn, tool-use, …), or why there is no turn: interrupted, unavailable, rejected,
    -- context-full, given-up.
    ended              TEXT NOT NULL,
    -- As the provider told; of a call that broke, as far as it had told.
    input_tokens       BIGINT NOT NULL,
    output_tokens      BIGINT NOT NULL,
    cache_read_tokens  BIGINT NOT NULL,
    cache_write_tokens BIGINT NOT NULL,
    ended_at           BIGINT NOT NULL,
    PRIMARY KEY (run_id, step, attempt)
);

-- Of all a guest's calls on a day by the house's clock, so that every server knows what is left of the budget.
CREATE TABLE tokens_of_days (
    user_id TEXT NOT NULL REFERENCES users (id),
    -- 2026-12-01
    day     TEXT NOT NULL,
    tokens  BIGINT NOT NULL,
    PRIMARY KEY (user_id, day)
);
