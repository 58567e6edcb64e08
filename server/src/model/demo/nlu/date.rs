//! Days as the calendar has them, from the way they were said.

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, Weekday};

use super::lang::Language;

/// A day as it was said; which one it is depends on when that was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateExpr {
    /// Days from today; negative: past.
    Offset(i64),
    /// `week`: of the calendar, 0 is this one; none: the next such day.
    Weekday {
        day: Weekday,
        week: Option<i64>,
    },
    /// `5/12`: the day first, as in Vietnam; in English it may be meant the other way round.
    Numeric {
        first: u32,
        second: u32,
    },
    DayMonth {
        day: u32,
        month: u32,
    },
    /// `ngày 5`: the next such day; `month`: 0 is this month, 1 the next.
    DayOfMonth {
        day: u32,
        month: Option<u32>,
    },
    Full(NaiveDate),
    /// `two weeks from friday`: so many days after such a day.
    After {
        day: Weekday,
        week: Option<i64>,
        days: i64,
    },
    /// A whole month: this one or the next that has this number.
    Month(u32),
    /// A whole month, so many from this one.
    MonthsAhead(i32),
    /// `mùng 3 tết`: of the lunar calendar.
    Lunar,
    /// `two days before the 5th`: not worked out.
    Unclear,
    /// Saturday and Sunday; 0 is the one that comes.
    Weekend {
        week: i64,
    },
    /// A whole calendar week; 0 is this one.
    Week {
        week: i64,
    },
    /// `31/2`: there is no such day.
    Impossible,
}

/// Why a day cannot be told from what was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateProblem {
    /// A weekend or a week: several days.
    Several,
    /// `12/5` in English, where both readings lie ahead.
    DayOrMonthFirst,
    Impossible,
    /// Of the lunar calendar.
    Lunar,
    Unclear,
    /// Two different days were named.
    Conflicting,
}

/// How far ahead bookings go: of two readings of a date, one beyond this is not meant.
const BOOKING_DAYS: i64 = 90;

impl DateExpr {
    /// The day that is meant. `at` decides whether today still counts for a weekday.
    pub fn resolve(
        self,
        now: NaiveDateTime,
        at: Option<NaiveTime>,
        language: Language,
    ) -> Result<NaiveDate, DateProblem> {
        let today = now.date();
        match self {
            Self::Offset(days) => Ok(plus_days(today, days)),
            Self::Weekday { day, week: Some(week) } => {
                Ok(plus_days(monday_of(today), week * 7 + i64::from(day.num_days_from_monday())))
            }
            Self::Weekday { day, week: None } => {
                let ahead = (7 + day.num_days_from_monday() - today.weekday().num_days_from_monday()) % 7;
                let gone = ahead == 0 && at.is_some_and(|at| at <= now.time());
                Ok(plus_days(today, i64::from(if gone { 7 } else { ahead })))
            }
            Self::Numeric { first, second } => {
                let day_first = next_such(today, first, second);
                if language == Language::Vietnamese || first == second {
                    return day_first.ok_or(DateProblem::Impossible);
                }
                let near = |date: &NaiveDate| (*date - today).num_days() <= BOOKING_DAYS;
                match (day_first, next_such(today, second, first)) {
                    (None, None) => Err(DateProblem::Impossible),
                    (Some(date), None) | (None, Some(date)) => Ok(date),
                    (Some(date), Some(other)) => match (near(&date), near(&other)) {
                        (true, false) => Ok(date),
                        (false, true) => Ok(other),
                        (true, true) | (false, false) => Err(DateProblem::DayOrMonthFirst),
                    },
                }
            }
            Self::DayMonth { day, month } => next_such(today, day, month).ok_or(DateProblem::Impossible),
            Self::DayOfMonth { day, month } => {
                let in_month = |months: u32| {
                    let first = today.with_day(1)?.checked_add_months(Months::new(months))?;
                    first.with_day(day)
                };
                // A month without a 31st is followed by one that has it.
                let next = || (0..3).filter_map(in_month).find(|date| *date >= today);
                month.map_or_else(next, in_month).ok_or(DateProblem::Impossible)
            }
            Self::Full(date) => Ok(date),
            Self::After { day, week, days } => {
                let from = Self::Weekday { day, week }.resolve(now, None, language)?;
                Ok(plus_days(from, days))
            }
            Self::Weekend { .. } | Self::Week { .. } | Self::Month(_) | Self::MonthsAhead(_) => {
                Err(DateProblem::Several)
            }
            Self::Lunar => Err(DateProblem::Lunar),
            Self::Unclear => Err(DateProblem::Unclear),
            Self::Impossible => Err(DateProblem::Impossible),
        }
    }

    /// The first and the last day of what was said, for a forecast that shall reach them.
    pub fn span(self, now: NaiveDateTime, language: Language) -> Result<(NaiveDate, NaiveDate), DateProblem> {
        let today = now.date();
        let month = |months: i32| {
            let step = Months::new(months.unsigned_abs());
            let first = today.with_day(1)?;
            let first =
                if months < 0 { first.checked_sub_months(step) } else { first.checked_add_months(step) }?;
            Some((first, plus_days(first.checked_add_months(Months::new(1))?, -1)))
        };
        match self {
            Self::Weekend { week } => {
                let monday = monday_of(today);
                Ok((plus_days(monday, week * 7 + 5), plus_days(monday, week * 7 + 6)))
            }
            Self::Week { week } => {
                let monday = monday_of(today);
                Ok((plus_days(monday, week * 7), plus_days(monday, week * 7 + 6)))
            }
            Self::Month(number) => {
                let ahead = (12 + i64::from(number) - i64::from(today.month())) % 12;
                i32::try_from(ahead).ok().and_then(month).ok_or(DateProblem::Impossible)
            }
            Self::MonthsAhead(months) => month(months).ok_or(DateProblem::Impossible),
            Self::Offset(_)
            | Self::Weekday { .. }
            | Self::After { .. }
            | Self::Numeric { .. }
            | Self::DayMonth { .. }
            | Self::DayOfMonth { .. }
            | Self::Full(_)
            | Self::Lunar
            | Self::Unclear
            | Self::Impossible => self.resolve(now, None, language).map(|day| (day, day)),
        }
    }
}

fn monday_of(day: NaiveDate) -> NaiveDate {
    plus_days(day, -i64::from(day.weekday().num_days_from_monday()))
}

pub fn plus_days(day: NaiveDate, days: i64) -> NaiveDate {
    let step = Days::new(days.unsigned_abs());
    let moved = if days < 0 { day.checked_sub_days(step) } else { day.checked_add_days(step) };
    moved.unwrap_or(day)
}

/// The next day with this day and month, today included.
fn next_such(today: NaiveDate, day: u32, month: u32) -> Option<NaiveDate> {
    // Up to eight years ahead: the 29th of February.
    (0..=8)
        .filter_map(|years| NaiveDate::from_ymd_opt(today.year() + years, month, day))
        .find(|date| *date >= today)
}

/// The one day that all of them name.
pub fn one_day(
    said: &[DateExpr],
    now: NaiveDateTime,
    at: Option<NaiveTime>,
    language: Language,
) -> Result<NaiveDate, DateProblem> {
    let mut day: Option<NaiveDate> = None;
    for expr in said {
        let next = expr.resolve(now, at, language)?;
        match day {
            Some(before) if before != next => return Err(DateProblem::Conflicting),
            _ => day = Some(next),
        }
    }
    day.ok_or(DateProblem::Several)
}
