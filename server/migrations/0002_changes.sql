-- Bookings change: they are cancelled, moved, and move up from the waiting list.

-- Counts what the guest has changed; part of the business key of the next change.
ALTER TABLE bookings ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
-- Its place in line: since when it waits.
ALTER TABLE bookings ADD COLUMN waiting_since BIGINT NOT NULL DEFAULT 0;
UPDATE bookings SET waiting_since = created_at;
CREATE INDEX bookings_of_user ON bookings (user_id, starts_at);

-- The calls whose outputs show a booking: they follow when it changes.
CREATE TABLE booking_receipts (
    booking_id   TEXT NOT NULL REFERENCES bookings (id),
    tool_call_id TEXT NOT NULL,
    PRIMARY KEY (booking_id, tool_call_id)
);
INSERT INTO booking_receipts (booking_id, tool_call_id) SELECT id, tool_call_id FROM bookings;

-- Counts the changes of an output after it was given.
ALTER TABLE tool_calls ADD COLUMN output_revision BIGINT NOT NULL DEFAULT 0;
CREATE INDEX effects_of_call ON effects (tool_call_id);

-- What happened outside of a conversation and concerns it: told to the model with the next user message.
CREATE TABLE news (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id),
    body            TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    -- With which user message it was told; none yet.
    told_with       TEXT
);
CREATE INDEX news_of_conversation ON news (conversation_id, told_with);
