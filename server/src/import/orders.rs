//! A file's orders, into the database.

use super::report::Orders;
use crate::db::{self, Connection};
use crate::orders::refunds::{held, of_order};
use crate::orders::{self, Order};

/// Why an order cannot be what the file says.
#[derive(Debug, thiserror::Error)]
pub enum OrderRefused {
    #[error("the order {number} is of the guest {user:?}, whom nobody knows here")]
    UnknownGuest { number: String, user: String },
    #[error("the order {number} is another guest's already")]
    AnothersOrder { number: String },
    #[error("of the order {number} {held} đồng were refunded, more than its total of {total}")]
    RefundedMore { number: String, held: u64, total: u64 },
}

#[derive(Debug, thiserror::Error)]
pub enum OrdersError {
    #[error(transparent)]
    Refused(#[from] OrderRefused),
    #[error(transparent)]
    Database(#[from] db::Error),
}

/// Makes the orders what the file says. Nothing is committed here.
pub async fn apply(transaction: &mut Connection, wanted: &[Order]) -> Result<Orders, OrdersError> {
    let mut summary = Orders::default();
    // In one order, so that two imports do not wait for each other.
    let mut wanted: Vec<&Order> = wanted.iter().collect();
    wanted.sort_by(|one, other| one.number.cmp(&other.number));
    for order in wanted {
        let number = order.number.clone();
        orders::lock(transaction, &number).await?;
        match orders::find(transaction, &number).await? {
            Some(stored) if stored == *order => summary.unchanged.push(number),
            Some(stored) if stored.user != order.user => {
                return Err(OrderRefused::AnothersOrder { number }.into());
            }
            Some(_) => {
                // Refunds go on with the payee and the payment that they were claimed with.
                let held = held(&of_order(transaction, &number).await?);
                if held > order.total {
                    return Err(OrderRefused::RefundedMore { number, held, total: order.total }.into());
                }
                orders::update(transaction, order).await?;
                summary.changed.push(number);
            }
            None => {
                if !knows(transaction, order).await? {
                    let user = order.user.as_str().to_owned();
                    return Err(OrderRefused::UnknownGuest { number, user }.into());
                }
                if !orders::insert(transaction, order).await? {
                    // Another import has added it in this very moment.
                    return Err(db::Error::RowNotFound.into());
                }
                summary.added.push(number);
            }
        }
    }
    Ok(summary)
}

async fn knows(connection: &mut Connection, order: &Order) -> Result<bool, db::Error> {
    let row: Option<String> = db::query_scalar("SELECT id FROM users WHERE id = $1")
        .bind(order.user.as_str())
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}
