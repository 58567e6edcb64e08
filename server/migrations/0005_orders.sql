-- Orders, and the refunds that were asked for. Money is in whole đồng.

CREATE TABLE orders (
    -- As guests know it: DH- and five letters or digits.
    number            TEXT PRIMARY KEY,
    user_id           TEXT NOT NULL REFERENCES users (id),
    restaurant_name   TEXT NOT NULL,
    -- IANA name: by whose clock it was placed.
    time_zone         TEXT NOT NULL,
    -- preparing, delivered, cancelled
    status            TEXT NOT NULL,
    total             BIGINT NOT NULL,
    -- How it was paid, which is where a refund goes.
    payee             TEXT NOT NULL,
    -- The payment at the receiver of refunds, where it knows one: Stripe's payment intent.
    payment_reference TEXT,
    placed_at         BIGINT NOT NULL
);
CREATE INDEX orders_of_user ON orders (user_id, placed_at);

CREATE TABLE order_items (
    order_number TEXT NOT NULL REFERENCES orders (number),
    -- Its place on the bill.
    position     BIGINT NOT NULL,
    name         TEXT NOT NULL,
    quantity     BIGINT NOT NULL,
    unit_price   BIGINT NOT NULL,
    PRIMARY KEY (order_number, position)
);

-- What we have asked for; a row lives as long as its order, however soon a receiver forgets.
CREATE TABLE refunds (
    id                 TEXT PRIMARY KEY,
    order_number       TEXT NOT NULL REFERENCES orders (number),
    amount             BIGINT NOT NULL,
    -- claimed and unknown: it may be done. submitted: asked for, not back yet. succeeded. failed: for good.
    status             TEXT NOT NULL,
    -- ledger, stripe
    receiver           TEXT NOT NULL,
    -- The business key with its generation, as it went down to the receiver.
    key                TEXT NOT NULL UNIQUE,
    -- What the receiver calls it; none before it has answered.
    receiver_reference TEXT,
    failure            TEXT,
    tool_call_id       TEXT NOT NULL REFERENCES tool_calls (id),
    created_at         BIGINT NOT NULL,
    settled_at         BIGINT
);
CREATE INDEX refunds_of_order ON refunds (order_number, created_at);

-- The receiver that is in this database: what it has paid back, once a key.
CREATE TABLE ledger_refunds (
    key          TEXT PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    order_number TEXT NOT NULL,
    amount       BIGINT NOT NULL,
    created_at   BIGINT NOT NULL
);

-- When somebody else is asked next how an effect stands; none: nothing is open.
ALTER TABLE effects ADD COLUMN look_at BIGINT;
-- How often they were asked. Whoever asks counts it first, so that of several only one records the answer.
ALTER TABLE effects ADD COLUMN looks BIGINT NOT NULL DEFAULT 0;
-- When it was last sent to them.
ALTER TABLE effects ADD COLUMN asked_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX effects_to_look ON effects (look_at);
