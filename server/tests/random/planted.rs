//! A server whose database forgets that it has booked: the property must notice, with a short script.

use super::operations::tables;
use super::property::search;
use super::world::House;
use crate::support::DatabaseKind;

/// Rows of these effects are gone as soon as they are written, so that no key of a booking is ever taken.
async fn forget_effects(house: &House) {
    let forgetting: &[&str] = match DatabaseKind::of_this_run() {
        DatabaseKind::Sqlite => &["CREATE TRIGGER forgetting AFTER INSERT ON effects \
             WHEN NEW.tool = 'createBooking' BEGIN DELETE FROM effects WHERE id = NEW.id; END"],
        DatabaseKind::Postgres => &[
            "CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql \
             AS 'BEGIN DELETE FROM effects WHERE id = NEW.id; RETURN NULL; END'",
            "CREATE TRIGGER forgetting AFTER INSERT ON effects FOR EACH ROW \
             WHEN (NEW.tool = 'createBooking') EXECUTE FUNCTION forget()",
        ],
    };
    for sql in forgetting {
        house.database().execute(sql).await;
    }
}

#[test]
fn a_door_that_forgets_its_keys_is_caught_by_a_short_script() {
    let found = search(DatabaseKind::of_this_run(), tables(12), 1, 100, forget_effects);
    let found = found.expect_err("twice the same booking went unnoticed");
    // To book, to agree, and to be asked the same once more.
    assert!((3..=5).contains(&found.script.len()), "{}\n{:#?}", found.why, found.script);
    assert!(found.why.contains("repeated"), "{}", found.why);
}
