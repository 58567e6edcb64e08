//! The invented orders that a guest of the demo model begins with.

use chrono::{DateTime, TimeDelta, Utc};
use shared::ids::UserId;
use shared::tools::{OrderItem, OrderStatus};

use super::{Order, free_number, insert};
use crate::db::{self, Connection};
use crate::ids::Ids;

struct Sample {
    restaurant_name: &'static str,
    status: OrderStatus,
    payee: &'static str,
    placed_before: TimeDelta,
    items: &'static [(&'static str, u32, u64)],
}

/// The newest first.
const SAMPLES: [Sample; 3] = [
    Sample {
        restaurant_name: "Mây Núi",
        status: OrderStatus::Delivered,
        payee: "Visa •••• 4242",
        placed_before: TimeDelta::hours(3),
        items: &[
            ("Lẩu gà lá é (phần nhỏ)", 1, 185_000),
            ("Rau rừng xào tỏi", 1, 55_000),
            ("Trà atisô", 2, 20_000),
        ],
    },
    Sample {
        restaurant_name: "Bếp Bên Sông",
        status: OrderStatus::Delivered,
        payee: "MoMo •••• 890",
        placed_before: TimeDelta::days(3),
        items: &[
            ("Cá lóc nướng trui", 2, 240_000),
            ("Gỏi củ hũ dừa tôm thịt", 1, 165_000),
            ("Lẩu mắm miền Tây", 1, 420_000),
            ("Cơm trắng", 5, 12_000),
            ("Nước mía", 5, 23_000),
        ],
    },
    Sample {
        restaurant_name: "Sóng Khuya",
        status: OrderStatus::Cancelled,
        payee: "Mastercard •••• 5100",
        placed_before: TimeDelta::days(9),
        items: &[("Mì Quảng ếch", 3, 65_000), ("Bánh tráng cuốn thịt heo", 2, 130_000)],
    },
];

/// Gives a new guest their orders.
pub async fn give_samples(
    transaction: &mut Connection,
    user: &UserId,
    ids: &dyn Ids,
    now: DateTime<Utc>,
) -> Result<(), db::Error> {
    for sample in &SAMPLES {
        let items: Vec<OrderItem> = sample
            .items
            .iter()
            .map(|&(name, quantity, unit_price)| OrderItem { name: name.to_owned(), quantity, unit_price })
            .collect();
        let order = Order {
            number: free_number(&mut *transaction, &ids.next()).await?,
            user: user.clone(),
            restaurant_name: sample.restaurant_name.to_owned(),
            time_zone: chrono_tz::Asia::Ho_Chi_Minh,
            status: sample.status,
            total: items.iter().map(|item| u64::from(item.quantity) * item.unit_price).sum(),
            payee: sample.payee.to_owned(),
            payment_reference: None,
            placed_at: now - sample.placed_before,
            items,
        };
        if !insert(&mut *transaction, &order).await? {
            // Taken in this very moment; whoever comes next is luckier.
            return Err(db::Error::RowNotFound);
        }
    }
    Ok(())
}
