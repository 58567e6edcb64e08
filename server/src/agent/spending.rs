//! What model calls cost, and what is left of a guest's day.

use std::time::Duration;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use shared::ids::UserId;
use shared::run::Usage;

use super::Agent;
use super::worker::Worker;
use crate::db;
use crate::store::{EndedCall, WriteTx};

/// What a worker knows of its calls' cost.
#[derive(Debug, Default)]
pub struct Spending {
    /// Of the call under way, as far as the provider has told.
    pub so_far: Usage,
    /// A call that is over; recorded with whatever is made of it.
    ended: Option<EndedCall>,
    /// What the guest has used today, over all servers, as last read.
    pub today: u64,
}

impl Worker {
    /// A model call is over; `ended`: why the model stopped, or why there is no turn.
    pub fn call_ended(&mut self, ended: &'static str, usage: Usage) {
        let attempt = if self.run.cut_step == self.run.step { 2 } else { 1 };
        self.run.usage = self.run.usage + usage;
        self.spending.ended = Some(EndedCall { step: self.run.step, attempt, ended, usage });
        self.spending.so_far = Usage::default();
    }

    /// Records the call that is over, in the transaction of what is made of it.
    pub async fn record_spending(&mut self, tx: &mut WriteTx) -> Result<(), db::Error> {
        let Some(call) = self.spending.ended.take() else { return Ok(()) };
        let now = self.services().clock.now();
        let day = day_of(now, self.services().time_zone);
        self.spending.today = tx.record_model_call(&self.run, &call, day, now).await?;
        Ok(())
    }

    /// Reads what the guest has used before, also by runs elsewhere.
    pub async fn read_spending(&mut self, tx: &mut WriteTx) -> Result<(), db::Error> {
        let day = day_of(self.services().clock.now(), self.services().time_zone);
        self.spending.today = tx.tokens_of_day(&self.run.user, day).await?;
        Ok(())
    }
}

impl Agent {
    /// How long the guest has to wait for tokens, where those of today are used up.
    pub(super) async fn day_is_used_up(
        &self,
        tx: &mut WriteTx,
        user: &UserId,
        now: DateTime<Utc>,
    ) -> Result<Option<Duration>, db::Error> {
        let services = &self.services;
        let used = tx.tokens_of_day(user, day_of(now, services.time_zone)).await?;
        Ok((used >= services.limits.daily_tokens).then(|| until_tomorrow(now, services.time_zone)))
    }
}

/// The house's day: its guests' tomorrow begins at their midnight.
fn day_of(now: DateTime<Utc>, zone: Tz) -> NaiveDate {
    now.with_timezone(&zone).date_naive()
}

fn until_tomorrow(now: DateTime<Utc>, zone: Tz) -> Duration {
    let midnight = day_of(now, zone).checked_add_days(Days::new(1)).map(|day| day.and_time(NaiveTime::MIN));
    // A zone may skip its midnight: then a whole day is long enough.
    let midnight = midnight.and_then(|midnight| midnight.and_local_timezone(zone).earliest());
    let left = midnight.map_or(TimeDelta::days(1), |midnight| midnight.to_utc() - now);
    left.to_std().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use chrono_tz::Asia::Ho_Chi_Minh;

    use super::*;

    fn at(hour: u32, minute: u32) -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 12, 1, hour, minute, 0).single().expect("a time")
    }

    #[test]
    fn the_day_ends_at_the_house_s_midnight() {
        assert_eq!(day_of(at(16, 59), Ho_Chi_Minh).to_string(), "2026-12-01");
        assert_eq!(until_tomorrow(at(16, 59), Ho_Chi_Minh), Duration::from_secs(60));
        assert_eq!(day_of(at(17, 0), Ho_Chi_Minh).to_string(), "2026-12-02");
        assert_eq!(until_tomorrow(at(17, 0), Ho_Chi_Minh), Duration::from_secs(24 * 3600));
    }
}
