//! The import itself: one transaction, all or nothing.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::changes;
use super::conflicts;
use super::report::{Changed, MovedUp, Named, Other, Summary};
use crate::agent::consequences;
use crate::db;
use crate::ids::Ids;
use crate::restaurants::bookings::{count_ever, lock_restaurant, to_come, upcoming};
use crate::restaurants::{self, Restaurant};
use crate::store::WriteTx;
use crate::tools::booking_changes::{self, move_up};
use crate::tools::contract::{Consequences, Updated};

/// Makes the database's restaurants those of the file, as far as `remove_others` says, and tells what
/// that changed. Nothing is committed here.
pub async fn apply(
    tx: &mut WriteTx,
    wanted: &[Restaurant],
    remove_others: bool,
    ids: &dyn Ids,
    now: DateTime<Utc>,
) -> Result<Summary, db::Error> {
    let mut summary = Summary::default();
    let mut updated: Vec<Updated> = Vec::new();
    let mut others: BTreeMap<String, Restaurant> = restaurants::all(tx.connection())
        .await?
        .into_iter()
        .map(|restaurant| (restaurant.id.clone(), restaurant))
        .collect();
    // In one order, so that two imports do not wait for each other.
    let mut wanted: Vec<&Restaurant> = wanted.iter().collect();
    wanted.sort_by(|one, other| one.id.cmp(&other.id));

    for restaurant in wanted {
        match others.remove(&restaurant.id) {
            None => {
                if !restaurants::insert(tx.connection(), restaurant).await? {
                    // Another import has added it in this very moment.
                    return Err(db::Error::RowNotFound);
                }
                summary.added.push(Named::of(restaurant));
            }
            Some(stored) => {
                lock_restaurant(tx.connection(), &restaurant.id).await?;
                let fields = changes::between(&stored, restaurant);
                if fields.is_empty() {
                    summary.unchanged.push(Named::of(restaurant));
                } else {
                    restaurants::update(tx.connection(), restaurant).await?;
                    if shows_otherwise(&stored, restaurant) {
                        updated.extend(receipts_follow(tx, restaurant, now).await?);
                    }
                    // There may be more seats, or other hours.
                    let moved_up = move_up(tx.connection(), restaurant, now).await?;
                    updated.extend(moved_up.updated);
                    let of = |booking| MovedUp::of(restaurant, booking);
                    summary.moved_up.extend(moved_up.bookings.iter().map(of));
                    summary.changed.push(Changed { restaurant: Named::of(restaurant), fields });
                }
                let bookings = upcoming(tx.connection(), &restaurant.id, now).await?;
                summary.conflicts.extend(conflicts::of(restaurant, &bookings, now));
            }
        }
    }

    let consequences = Consequences { updated, ..Consequences::default() };
    let events = consequences::follow(tx, consequences, ids, now, None).await?;
    consequences::append(tx, &events, now).await?;

    for other in others.into_values() {
        if remove_others {
            lock_restaurant(tx.connection(), &other.id).await?;
        }
        let bookings = count_ever(tx.connection(), &other.id).await?;
        let restaurant = Named::of(&other);
        match (remove_others, bookings) {
            (true, 0) => {
                restaurants::remove(tx.connection(), &other.id).await?;
                summary.removed.push(restaurant);
            }
            (true, _) => summary.kept.push(Other { restaurant, bookings }),
            (false, _) => summary.others.push(Other { restaurant, bookings }),
        }
    }
    Ok(summary)
}

/// Whether receipts tell something of a restaurant that is otherwise now.
fn shows_otherwise(before: &Restaurant, after: &Restaurant) -> bool {
    (&before.name, &before.address, &before.city, &before.contact, before.time_zone)
        != (&after.name, &after.address, &after.city, &after.contact, after.time_zone)
}

/// The receipts of the bookings that are still to come, as they are now.
async fn receipts_follow(
    tx: &mut WriteTx,
    restaurant: &Restaurant,
    now: DateTime<Utc>,
) -> Result<Vec<Updated>, db::Error> {
    let mut updated = Vec::new();
    for booking in to_come(tx.connection(), &restaurant.id, now).await? {
        let what = "the restaurant's details have changed to these";
        updated.extend(booking_changes::receipts_follow(tx.connection(), &booking, restaurant, what).await?);
    }
    Ok(updated)
}
