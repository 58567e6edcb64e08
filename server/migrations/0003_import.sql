-- Days on which a restaurant opens no door, beside its hours by weekday.
CREATE TABLE closed_days (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    -- Dates by the restaurant's own calendar, YYYY-MM-DD, both included.
    first_day     TEXT NOT NULL,
    last_day      TEXT NOT NULL,
    -- For guests to read.
    reason        TEXT,
    PRIMARY KEY (restaurant_id, first_day)
);
