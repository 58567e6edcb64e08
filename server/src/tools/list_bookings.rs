//! listBookings: what the guest has booked, wherever it was done.

use std::collections::HashMap;

use async_trait::async_trait;
use shared::tools::{ListBookings, ListBookingsInput, ListBookingsOutput};

use super::contract::{ReadTool, ToolContext, ToolFailure};
use crate::restaurants::{self, Restaurant, bookings};

/// More than a card shows well; what is live and still to come is shown whatever it is.
const MAX_BOOKINGS: usize = 20;
/// More live bookings to come than any guest has.
const MAX_LIVE: usize = 100;

#[async_trait]
impl ReadTool for ListBookings {
    async fn run(cx: &ToolContext, _: ListBookingsInput) -> Result<ListBookingsOutput, ToolFailure> {
        // One read transaction: all of the same moment.
        let mut connection = cx.read.begin().await?;
        let rows = bookings::of_guest(&mut connection, &cx.user, cx.now).await?;
        let live = rows.iter().take_while(|row| row.is_live() && row.starts_at > cx.now).count();
        let shown = live.clamp(MAX_BOOKINGS, MAX_LIVE);
        let left_out = rows.len().saturating_sub(shown);
        let mut known: HashMap<String, Restaurant> = HashMap::new();
        let mut bookings = Vec::new();
        for row in rows.into_iter().take(shown) {
            if !known.contains_key(&row.restaurant_id)
                && let Some(restaurant) = restaurants::find(&mut connection, &row.restaurant_id).await?
            {
                known.insert(row.restaurant_id.clone(), restaurant);
            }
            // A booking keeps its restaurant: the table says so.
            if let Some(restaurant) = known.get(&row.restaurant_id) {
                bookings.push(row.shown(restaurant));
            }
        }
        Ok(ListBookingsOutput {
            bookings,
            as_of: cx.now,
            left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
        })
    }
}
