//! A guest with orders, a model that does what the test says, and somebody who moves the money.

use serde_json::{Value, json};

use crate::support::{FakeStripe, Stage, Turn, tool_parts};

pub const ORDER: &str = "DH-7K2Q4";
pub const TOTAL: u64 = 480_000;

/// A stage whose guest has one order.
pub async fn with_order(settings: &[(&str, &str)]) -> Stage {
    let stage = Stage::with_settings(settings, []).await;
    give_order(&stage, &stage.conversation, ORDER, TOTAL).await;
    stage
}

/// The same, with Stripe for the money.
pub async fn with_stripe() -> (FakeStripe, Stage) {
    let stripe = FakeStripe::start().await;
    let stage = with_order(&stripe.settings()).await;
    (stripe, stage)
}

/// Gives the guest of a conversation an order, paid as `pi_` and its number.
pub async fn give_order(stage: &Stage, conversation: &str, number: &str, total: u64) {
    let database = stage.server.database().await;
    let order = format!(
        "INSERT INTO orders (number, user_id, restaurant_name, time_zone, status, total, payee, payment_reference, \
         placed_at) SELECT '{number}', user_id, 'Mây Núi', 'Asia/Ho_Chi_Minh', 'delivered', {total}, \
         'Visa •••• 4242', 'pi_{number}', created_at FROM conversations WHERE id = '{conversation}'"
    );
    database.execute_owned(order).await;
    let item = format!(
        "INSERT INTO order_items (order_number, position, name, quantity, unit_price) \
         VALUES ('{number}', 0, 'Lẩu gà lá é', 2, {})",
        total / 2
    );
    database.execute_owned(item).await;
}

pub fn refund(order: &str, amount: Option<u64>, reason: &str) -> Turn {
    Turn::call("refundOrder", wish(order, amount, reason))
}

pub fn wish(order: &str, amount: Option<u64>, reason: &str) -> Value {
    match amount {
        Some(amount) => json!({ "orderId": order, "amount": amount, "reason": reason }),
        None => json!({ "orderId": order, "reason": reason }),
    }
}

/// Lets the model ask for all that is left of the order, and agrees.
pub async fn refund_all(stage: &Stage) -> Value {
    stage.model.then([refund(ORDER, None, "It came cold."), Turn::text("So.")]);
    stage.say("My money back, please").await;
    stage.answer_form(json!({ "approved": true })).await
}

pub fn last_part(view: &Value) -> Value {
    tool_parts(view).last().expect("a tool part").clone()
}

/// The same refund again, which has to be a repetition of the first part without any form.
pub async fn assert_repeated(stage: &Stage, amount: Option<u64>, first: &Value) {
    stage.model.then([refund(ORDER, amount, "Another reason."), Turn::text("It stands.")]);
    let view = stage.say("And again").await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    let part = last_part(&view);
    assert_eq!(
        (&part["state"], &part["reason"], &part["of"]),
        (&json!("output-cancelled"), &json!("repeated"), &first["toolCallId"]),
        "{part:#}"
    );
}

/// Settings with Stripe at this address.
pub fn settings_of(url: &str) -> Vec<(&str, &str)> {
    vec![
        ("TRUTHTABLE_REFUNDS", "stripe"),
        ("STRIPE_SECRET_KEY", "sk_test_secret"),
        ("TRUTHTABLE_STRIPE_URL", url),
    ]
}
