//! When a refund that its receiver does not have counts as not done.

use std::sync::Arc;
use std::time::Duration;

use chrono::{TimeDelta, Utc};
use server::agent::settling::{Looked, Looker, Settler};
use server::clock::SetClock;
use server::ids::RandomIds;
use server::refunds::{Receivers, Stripe, StripeSettings, Timeouts};
use server::store::{EffectRow, Store};
use server::tools::contract::Outside;

use super::counter::{last_part, refund_all, settings_of, with_order};
use crate::support::{FakeStripe, Post, Stage};

const GIVE_UP: Duration = Duration::from_secs(600);

/// Somebody whose own clock is so far from the database's.
async fn with_clock(stage: &Stage, stripe: &FakeStripe, off: TimeDelta) -> Settler {
    let store = Store::open_existing(&stage.server.database_url()).await.unwrap();
    let settings = StripeSettings {
        base_url: stripe.url.clone(),
        secret_key: "sk_test_secret".to_owned(),
        timeouts: Timeouts::default(),
    };
    let outside = Outside {
        read: store.reader().clone(),
        receivers: Receivers::new(Arc::new(Stripe::new(&settings).unwrap()), Vec::new()),
        clock: Arc::new(SetClock::new(Utc::now() + off)),
    };
    let look_again = Duration::from_secs(2);
    let (ids, looker) = (Arc::new(RandomIds), Looker::Operator);
    Settler { store, outside, ids, looker, look_again, give_up: GIVE_UP }
}

async fn the_unknown_one(settler: &Settler) -> EffectRow {
    settler.store.unknown_effects().await.unwrap().pop().expect("an effect of which nobody knows")
}

#[tokio::test]
async fn it_is_the_databases_clock_that_says_how_long_ago_it_was_sent() {
    let stripe = FakeStripe::start().await;
    let hour = [("TRUTHTABLE_LOOK_AGAIN_SECONDS", "3600"), ("TRUTHTABLE_GIVE_UP_SECONDS", "3600")];
    let stage = with_order(&[settings_of(&stripe.url), hour.to_vec()].concat()).await;
    stripe.then([Post::Error(500, "api_error", "")]);
    assert_eq!(last_part(&refund_all(&stage).await)["state"], "output-unknown");

    // Whoever lives in tomorrow does not give up what was sent a moment ago.
    let ahead = with_clock(&stage, &stripe, TimeDelta::days(1)).await;
    let looked = ahead.look_into(the_unknown_one(&ahead).await).await.unwrap();
    assert!(matches!(looked, Looked::Open(_)), "{looked:?}");
    assert_eq!(last_part(&stage.view().await)["state"], "output-unknown");

    // Whoever lives in yesterday gives up what was sent long ago.
    let database = stage.server.database().await;
    database.execute("UPDATE effects SET asked_at = asked_at - 601000").await;
    let behind = with_clock(&stage, &stripe, -TimeDelta::days(1)).await;
    let looked = behind.look_into(the_unknown_one(&behind).await).await.unwrap();
    assert!(matches!(looked, Looked::Settled { output: None, .. }), "{looked:?}");
    let view = stage.until(|view| last_part(view)["state"] == "output-error").await;
    assert_eq!(last_part(&view)["code"], "receiver-unavailable");
}
