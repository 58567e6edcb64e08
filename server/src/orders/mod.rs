//! Orders of guests: what was ordered, what it cost, and what of it was refunded.

pub mod file;
pub mod refunds;
mod samples;

use chrono::{DateTime, FixedOffset, Utc};
use chrono_tz::Tz;
use shared::ids::UserId;
use shared::tools::{OrderItem, OrderStatus, canonical_order_id};

use crate::db::{self, Connection, Row};
use crate::restaurants::bookings::letters;

pub use samples::give_samples;

/// How a number of ours begins.
const PREFIX: &str = "DH-";
const NUMBER_LETTERS: usize = 5;
const NUMBER_ATTEMPTS: u32 = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// As guests know it.
    pub number: String,
    pub user: UserId,
    pub restaurant_name: String,
    /// By whose clock it was placed.
    pub time_zone: Tz,
    pub status: OrderStatus,
    /// Whole đồng.
    pub total: u64,
    /// How it was paid, which is where a refund goes.
    pub payee: String,
    /// The payment at the receiver of refunds, where it knows one.
    pub payment_reference: Option<String>,
    pub placed_at: DateTime<Utc>,
    pub items: Vec<OrderItem>,
}

impl Order {
    pub fn local_placed_at(&self) -> DateTime<FixedOffset> {
        self.placed_at.with_timezone(&self.time_zone).fixed_offset()
    }
}

const COLUMNS: &str =
    "number, user_id, restaurant_name, time_zone, status, total, payee, payment_reference, placed_at";

/// As the database has it.
fn status_text(status: OrderStatus) -> &'static str {
    match status {
        OrderStatus::Preparing => "preparing",
        OrderStatus::Delivered => "delivered",
        OrderStatus::Cancelled => "cancelled",
    }
}

fn read(row: &Row) -> Result<Order, db::Error> {
    let text = |column| row.try_get::<String>(column);
    let status = text("status")?;
    let known = [OrderStatus::Preparing, OrderStatus::Delivered, OrderStatus::Cancelled];
    Ok(Order {
        number: text("number")?,
        user: UserId(text("user_id")?),
        restaurant_name: text("restaurant_name")?,
        time_zone: text("time_zone")?.parse().map_err(unreadable)?,
        status: known
            .into_iter()
            .find(|known| status_text(*known) == status)
            .ok_or_else(|| db::Error::Decode(format!("order status {status:?}").into()))?,
        total: money(row.try_get("total")?)?,
        payee: text("payee")?,
        payment_reference: row.try_get("payment_reference")?,
        placed_at: moment(row.try_get("placed_at")?)?,
        items: Vec::new(),
    })
}

async fn with_items(connection: &mut Connection, mut order: Order) -> Result<Order, db::Error> {
    let rows: Vec<(String, i64, i64)> = db::query_as(
        "SELECT name, quantity, unit_price FROM order_items WHERE order_number = $1 ORDER BY position",
    )
    .bind(&order.number)
    .fetch_all(connection)
    .await?;
    for (name, quantity, unit_price) in rows {
        let quantity = u32::try_from(quantity).map_err(unreadable)?;
        order.items.push(OrderItem { name, quantity, unit_price: money(unit_price)? });
    }
    Ok(order)
}

/// The order with this number, whosever it is.
pub async fn find(connection: &mut Connection, number: &str) -> Result<Option<Order>, db::Error> {
    let number = canonical_order_id(number);
    // PostgreSQL takes no NUL, not even to say that there is no such thing.
    if number.contains('\0') {
        return Ok(None);
    }
    let sql = format!("SELECT {COLUMNS} FROM orders WHERE number = $1");
    let row = db::query(db::AssertSqlSafe(sql)).bind(number).fetch_optional(&mut *connection).await?;
    match row {
        Some(row) => with_items(connection, read(&row)?).await.map(Some),
        None => Ok(None),
    }
}

/// The guest's own order with this number; somebody else's does not exist for them.
pub async fn find_own(
    connection: &mut Connection,
    user: &UserId,
    number: &str,
) -> Result<Option<Order>, db::Error> {
    Ok(find(connection, number).await?.filter(|order| order.user == *user))
}

/// The numbers of a guest's orders, the newest first, at most so many.
pub async fn numbers_of(
    connection: &mut Connection,
    user: &UserId,
    most: u32,
) -> Result<Vec<String>, db::Error> {
    db::query_scalar("SELECT number FROM orders WHERE user_id = $1 ORDER BY placed_at DESC, number LIMIT $2")
        .bind(user.as_str())
        .bind(i64::from(most))
        .fetch_all(connection)
        .await
}

/// Keeps an order from other writers until the transaction ends: what is left of it is true for a refund
/// only behind this.
pub async fn lock(transaction: &mut Connection, number: &str) -> Result<(), db::Error> {
    let number = canonical_order_id(number);
    if number.contains('\0') {
        return Ok(());
    }
    // A write is the one lock of a row that SQLite and PostgreSQL say with the same words.
    db::query("UPDATE orders SET total = total WHERE number = $1").bind(number).execute(transaction).await?;
    Ok(())
}

/// Adds an order; false where there is one with this number already, which then stays as it is.
pub async fn insert(transaction: &mut Connection, order: &Order) -> Result<bool, db::Error> {
    let sql = format!(
        "INSERT INTO orders ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING"
    );
    let added = db::query(db::AssertSqlSafe(sql))
        .bind(&order.number)
        .bind(order.user.as_str())
        .bind(&order.restaurant_name)
        .bind(order.time_zone.name())
        .bind(status_text(order.status))
        .bind(stored(order.total))
        .bind(&order.payee)
        .bind(order.payment_reference.as_deref())
        .bind(order.placed_at.timestamp_millis())
        .execute(&mut *transaction)
        .await?;
    if added.rows_affected() == 0 {
        return Ok(false);
    }
    insert_items(transaction, order).await?;
    Ok(true)
}

/// Makes the order with this number what it shall be; its owner stays.
pub async fn update(transaction: &mut Connection, order: &Order) -> Result<(), db::Error> {
    db::query(
        "UPDATE orders SET restaurant_name = $2, time_zone = $3, status = $4, total = $5, payee = $6,
             payment_reference = $7, placed_at = $8 WHERE number = $1",
    )
    .bind(&order.number)
    .bind(&order.restaurant_name)
    .bind(order.time_zone.name())
    .bind(status_text(order.status))
    .bind(stored(order.total))
    .bind(&order.payee)
    .bind(order.payment_reference.as_deref())
    .bind(order.placed_at.timestamp_millis())
    .execute(&mut *transaction)
    .await?;
    db::query("DELETE FROM order_items WHERE order_number = $1")
        .bind(&order.number)
        .execute(&mut *transaction)
        .await?;
    insert_items(transaction, order).await
}

async fn insert_items(transaction: &mut Connection, order: &Order) -> Result<(), db::Error> {
    for (position, item) in (0_i64..).zip(&order.items) {
        db::query(
            "INSERT INTO order_items (order_number, position, name, quantity, unit_price)
             VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(&order.number)
        .bind(position)
        .bind(&item.name)
        .bind(i64::from(item.quantity))
        .bind(stored(item.unit_price))
        .execute(&mut *transaction)
        .await?;
    }
    Ok(())
}

/// A number that no order has. `id`: any unique text.
async fn free_number(transaction: &mut Connection, id: &str) -> Result<String, db::Error> {
    for attempt in 0..NUMBER_ATTEMPTS {
        let number = format!("{PREFIX}{}", letters(id, attempt, NUMBER_LETTERS));
        let taken: Option<String> = db::query_scalar("SELECT number FROM orders WHERE number = $1")
            .bind(&number)
            .fetch_optional(&mut *transaction)
            .await?;
        if taken.is_none() {
            return Ok(number);
        }
    }
    Err(db::Error::Protocol(format!("no free number for order {id}")))
}

/// Money as the database has it.
fn stored(amount: u64) -> i64 {
    i64::try_from(amount).unwrap_or(i64::MAX)
}

fn money(amount: i64) -> Result<u64, db::Error> {
    u64::try_from(amount).map_err(unreadable)
}

fn moment(millis: i64) -> Result<DateTime<Utc>, db::Error> {
    DateTime::from_timestamp_millis(millis).ok_or_else(|| db::Error::Decode("a time out of range".into()))
}

/// A value that the database holds but that makes no sense.
fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> db::Error {
    db::Error::Decode(Box::new(error))
}
