use crate::support::{Database, FakeStripe, Home, Post};

use super::story::{Receiver, Story};

pub const ORDER: &str = "DH-7K2Q4";

/// What is around the server, and outlives it.
pub struct World {
    pub database: Database,
    /// Where a refund of the story goes there.
    pub stripe: Option<FakeStripe>,
}

impl World {
    pub async fn of(story: Story, home: &Home) -> Self {
        let stripe = match story.receiver() {
            Receiver::Ledger => None,
            Receiver::Stripe => {
                let stripe = FakeStripe::start().await;
                // Then only our door prevents the double.
                stripe.ignore_keys();
                if story == Story::PendingRefund {
                    stripe.then([Post::Done("pending")]);
                }
                if story == Story::LostRefund {
                    stripe.lose_answers();
                    stripe.fail_looks(true);
                }
                Some(stripe)
            }
        };
        Self { database: home.database().await, stripe }
    }

    pub fn settings(&self) -> Vec<(&str, &str)> {
        match &self.stripe {
            Some(stripe) => stripe.settings(),
            None => vec![("TRUTHTABLE_LOOK_AGAIN_SECONDS", "0.02"), ("TRUTHTABLE_GIVE_UP_SECONDS", "3")],
        }
    }

    /// Gives the guest of a conversation an order.
    pub async fn give_order(&self, conversation: &str) {
        let order = format!(
            "INSERT INTO orders (number, user_id, restaurant_name, time_zone, status, total, payee, \
             payment_reference, placed_at) SELECT '{ORDER}', user_id, 'Mây Núi', 'Asia/Ho_Chi_Minh', 'delivered', \
             480000, 'Visa •••• 4242', 'pi_1', created_at FROM conversations WHERE id = '{conversation}'"
        );
        self.database.execute_owned(order).await;
        let item = format!(
            "INSERT INTO order_items (order_number, position, name, quantity, unit_price) \
             VALUES ('{ORDER}', 0, 'Lẩu gà lá é', 2, 240000)"
        );
        self.database.execute_owned(item).await;
    }

    /// The refunds that were really made, by whoever moves the money.
    pub async fn refunds_made(&self) -> usize {
        let ledger = self.database.number("SELECT COUNT(*) FROM ledger_refunds").await as usize;
        ledger + self.stripe.as_ref().map_or(0, |stripe| stripe.refunds().len())
    }
}
