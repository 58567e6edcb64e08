//! getOrder: one of the guest's own orders, and what of it was refunded.

use async_trait::async_trait;
use shared::error_code::ErrorCode;
use shared::tools::{GetOrder, GetOrderInput, GetOrderOutput};

use super::contract::{ReadTool, Refused, ToolContext, ToolFailure};
use crate::db::{self, Connection};
use crate::orders::refunds::{self, RefundRow, held, refunded};
use crate::orders::{self, Order};

const PATH: &str = "/orderId";

/// As many of a guest's own orders as a refusal names.
const NAMED: u32 = 5;

#[async_trait]
impl ReadTool for GetOrder {
    async fn run(cx: &ToolContext, input: GetOrderInput) -> Result<GetOrderOutput, ToolFailure> {
        // One read transaction: the order and its refunds are of the same moment.
        let mut connection = cx.read.begin().await?;
        let number = if input.order_id.trim().eq_ignore_ascii_case(GetOrderInput::LATEST) {
            let newest = orders::numbers_of(&mut connection, &cx.user, 1).await?.pop();
            newest.ok_or_else(no_order_at_all)?
        } else {
            input.order_id
        };
        let order = own_order(&mut connection, cx, &number).await?;
        let refunds = refunds::of_order(&mut connection, &order.number).await?;
        Ok(GetOrderOutput {
            placed_at: order.local_placed_at(),
            refunded: refunded(&refunds),
            left: left(&order, &refunds),
            refunds: refunds.iter().filter_map(RefundRow::listed).collect(),
            order_id: order.number,
            restaurant_name: order.restaurant_name,
            items: order.items,
            total: order.total,
            status: order.status,
            payee: order.payee,
        })
    }
}

/// What can still be refunded: what was asked for and is not known to have failed cannot.
pub fn left(order: &Order, refunds: &[RefundRow]) -> u64 {
    order.total.saturating_sub(held(refunds))
}

/// The guest's own order, or a refusal that names those that there are.
pub async fn own_order(
    connection: &mut Connection,
    cx: &ToolContext,
    number: &str,
) -> Result<Order, ToolFailure> {
    match orders::find_own(&mut *connection, &cx.user, number).await? {
        Some(order) => Ok(order),
        None => Err(unknown_order(connection, cx).await?.into()),
    }
}

async fn unknown_order(connection: &mut Connection, cx: &ToolContext) -> Result<Refused, db::Error> {
    let own = orders::numbers_of(connection, &cx.user, NAMED).await?;
    if own.is_empty() {
        return Ok(no_order_at_all());
    }
    let message = format!(
        "The user has no order with this number. The newest of their own: {}. If it is not certain which one is \
         meant, ask the user.",
        own.join(", ")
    );
    Ok(Refused::new(ErrorCode::UnknownOrder, PATH, message).with("orders", own))
}

fn no_order_at_all() -> Refused {
    Refused::new(ErrorCode::UnknownOrder, PATH, "The user has no orders.")
        .with("orders", Vec::<String>::new())
}
