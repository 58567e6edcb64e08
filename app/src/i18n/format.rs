//! Dates, times and numbers, the same on server and browser.

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveTime, TimeDelta, Timelike, Weekday};

use super::Lang;

/// `19:00`; `7:00 pm`.
pub fn time(lang: Lang, time: NaiveTime) -> String {
    match lang {
        Lang::Vi => clock(time),
        Lang::En => {
            let (afternoon, hour) = time.hour12();
            format!("{hour}:{:02} {}", time.minute(), if afternoon { "pm" } else { "am" })
        }
    }
}

/// `19:00` in every language, as in a form's field.
pub fn clock(time: NaiveTime) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// `thứ Bảy 05/12/2026`; `Saturday 5 December 2026`.
pub fn date(lang: Lang, date: NaiveDate) -> String {
    let weekday = weekday(lang, date.weekday());
    match lang {
        Lang::Vi => format!("{weekday} {}", vi_date(date)),
        Lang::En => format!("{weekday} {} {} {}", date.day(), en_month(date.month()), date.year()),
    }
}

/// `05/12`; `5 Dec`.
pub fn short_date(lang: Lang, date: NaiveDate) -> String {
    match lang {
        Lang::Vi => format!("{:02}/{:02}", date.day(), date.month()),
        Lang::En => {
            let month = en_month(date.month());
            format!("{} {}", date.day(), month.get(..3).unwrap_or(month))
        }
    }
}

/// `05/12/2026`.
pub fn vi_date(date: NaiveDate) -> String {
    format!("{:02}/{:02}/{:04}", date.day(), date.month(), date.year())
}

/// `2026-12-05`, as in a form's field.
pub fn iso_date(date: NaiveDate) -> String {
    format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
}

/// `19:00, thứ Bảy 05/12/2026`; `7:00 pm, Saturday 5 December 2026`. By the clock that `moment` carries.
pub fn moment(lang: Lang, moment: DateTime<FixedOffset>) -> String {
    format!("{}, {}", time(lang, moment.time()), date(lang, moment.date_naive()))
}

/// `thứ Bảy`; `Saturday`.
pub fn weekday(lang: Lang, day: Weekday) -> &'static str {
    match (lang, day) {
        (Lang::Vi, Weekday::Mon) => "thứ Hai",
        (Lang::Vi, Weekday::Tue) => "thứ Ba",
        (Lang::Vi, Weekday::Wed) => "thứ Tư",
        (Lang::Vi, Weekday::Thu) => "thứ Năm",
        (Lang::Vi, Weekday::Fri) => "thứ Sáu",
        (Lang::Vi, Weekday::Sat) => "thứ Bảy",
        (Lang::Vi, Weekday::Sun) => "Chủ nhật",
        (Lang::En, Weekday::Mon) => "Monday",
        (Lang::En, Weekday::Tue) => "Tuesday",
        (Lang::En, Weekday::Wed) => "Wednesday",
        (Lang::En, Weekday::Thu) => "Thursday",
        (Lang::En, Weekday::Fri) => "Friday",
        (Lang::En, Weekday::Sat) => "Saturday",
        (Lang::En, Weekday::Sun) => "Sunday",
    }
}

fn en_month(month: u32) -> &'static str {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let index = usize::try_from(month).unwrap_or(1).saturating_sub(1);
    NAMES.get(index).copied().unwrap_or("")
}

/// `4 người`; `4 people`.
pub fn people(lang: Lang, count: u8) -> String {
    match (lang, count) {
        (Lang::Vi, _) => format!("{count} người"),
        (Lang::En, 1) => "1 person".to_owned(),
        (Lang::En, _) => format!("{count} people"),
    }
}

/// `350.000`; `350,000`.
pub fn count(lang: Lang, count: u64) -> String {
    let mark = match lang {
        Lang::Vi => '.',
        Lang::En => ',',
    };
    let digits = count.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(mark);
        }
        grouped.push(digit);
    }
    grouped
}

/// `350.000 ₫`; `₫350,000`. Never broken over two lines.
pub fn dong(lang: Lang, amount: u64) -> String {
    let amount = count(lang, amount);
    match lang {
        Lang::Vi => format!("{amount}\u{a0}₫"),
        Lang::En => format!("₫{amount}"),
    }
}

/// An amount in whole đồng as people write it in either language: `350000`, `350.000 ₫`, `₫350,000`. Marks
/// must part groups of three, so that no decimals are taken for thousands.
pub fn read_dong(text: &str) -> Option<u64> {
    let text = text.trim();
    let sign = |text: &str| -> Option<usize> {
        let lower = text.to_lowercase();
        ["vnđ", "vnd", "đồng", "₫", "đ"].iter().find(|sign| lower.ends_with(**sign)).map(|sign| sign.len())
    };
    let text = text.strip_prefix('₫').unwrap_or(text).trim_start();
    // Lower case is as long as upper case for these signs.
    let text = sign(text).and_then(|length| text.get(..text.len() - length)).unwrap_or(text).trim_end();
    let parts: Vec<&str> = text.split(|c: char| matches!(c, '.' | ',') || c.is_whitespace()).collect();
    let marks: Vec<char> = text.chars().filter(|c| !c.is_ascii_digit()).collect();
    let one_mark = marks.windows(2).all(|pair| pair.first() == pair.last());
    let (first, rest) = parts.split_first()?;
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = rest.is_empty()
        || (one_mark && (1..=3).contains(&first.len()) && rest.iter().all(|part| part.len() == 3));
    (grouped && !first.is_empty() && parts.iter().all(|part| is_number(part)))
        .then(|| parts.concat().parse().ok())
        .flatten()
}

/// `27 phút`; `27 minutes`. Full minutes; below one, less than a minute.
pub fn minutes(lang: Lang, span: TimeDelta) -> String {
    match (lang, span.num_minutes()) {
        (Lang::Vi, ..=0) => "chưa đầy 1 phút".to_owned(),
        (Lang::Vi, minutes) => format!("{minutes} phút"),
        (Lang::En, ..=0) => "less than a minute".to_owned(),
        (Lang::En, 1) => "1 minute".to_owned(),
        (Lang::En, minutes) => format!("{minutes} minutes"),
    }
}

/// `A, B và C`; `A, B and C`.
pub fn list(lang: Lang, items: &[String]) -> String {
    let and = match lang {
        Lang::Vi => " và ",
        Lang::En => " and ",
    };
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{}{and}{last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saturday() -> DateTime<FixedOffset> {
        "2026-12-05T19:00:00+07:00".parse().unwrap()
    }

    #[test]
    fn a_moment_reads_naturally_in_both_languages() {
        assert_eq!(moment(Lang::Vi, saturday()), "19:00, thứ Bảy 05/12/2026");
        assert_eq!(moment(Lang::En, saturday()), "7:00 pm, Saturday 5 December 2026");
    }

    #[test]
    fn noon_and_midnight_are_told_apart() {
        let at = |hour| NaiveTime::from_hms_opt(hour, 5, 0).unwrap();
        assert_eq!(time(Lang::En, at(0)), "12:05 am");
        assert_eq!(time(Lang::En, at(12)), "12:05 pm");
        assert_eq!(time(Lang::Vi, at(0)), "00:05");
    }

    #[test]
    fn every_day_of_the_week_and_month_of_the_year_has_its_name() {
        let mut seen = std::collections::BTreeSet::new();
        for day in (1..=366).filter_map(|day| NaiveDate::from_yo_opt(2024, day)) {
            for lang in Lang::ALL {
                assert!(seen.insert(date(lang, day)), "{day} reads like another day");
            }
        }
    }

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!(people(Lang::En, 1), "1 person");
        assert_eq!(people(Lang::En, 4), "4 people");
        assert_eq!(people(Lang::Vi, 4), "4 người");
        assert_eq!(minutes(Lang::En, TimeDelta::seconds(59)), "less than a minute");
        assert_eq!(minutes(Lang::En, TimeDelta::seconds(60)), "1 minute");
        assert_eq!(minutes(Lang::Vi, TimeDelta::minutes(27)), "27 phút");
    }

    #[test]
    fn money_is_grouped_and_signed_as_the_language_does_it() {
        assert_eq!(dong(Lang::Vi, 350_000), "350.000\u{a0}₫");
        assert_eq!(dong(Lang::En, 350_000), "₫350,000");
        assert_eq!(dong(Lang::Vi, 0), "0\u{a0}₫");
        assert_eq!(dong(Lang::En, 999), "₫999");
        assert_eq!(dong(Lang::En, 1_234_567_890), "₫1,234,567,890");
        assert_eq!(dong(Lang::Vi, u64::MAX), "18.446.744.073.709.551.615\u{a0}₫");
    }

    #[test]
    fn money_reads_back_as_either_language_writes_it() {
        for amount in [0, 1, 999, 1_000, 350_000, 1_000_000_000] {
            for lang in Lang::ALL {
                assert_eq!(read_dong(&dong(lang, amount)), Some(amount));
                assert_eq!(read_dong(&count(lang, amount)), Some(amount));
            }
        }
        for text in ["350000", " 350 000 đ ", "350.000VND", "350000 đồng", "350.000 VNĐ", "350.000 Đ"] {
            assert_eq!(read_dong(text), Some(350_000), "{text}");
        }
    }

    #[test]
    fn what_could_be_another_amount_is_none() {
        for text in [
            "",
            " ",
            "₫",
            "350.5",
            "350,50",
            "3500.000",
            "1.000,000",
            "1,00",
            ".500",
            "500.",
            "-5",
            "1e3",
            "350k",
            "350.000.",
            "1..000",
            "٣٥٠",
            "99999999999999999999",
        ] {
            assert_eq!(read_dong(text), None, "{text}");
        }
    }

    #[test]
    fn a_list_has_its_last_word() {
        let items = ["Đà Lạt", "Hà Nội", "Đà Nẵng"].map(str::to_owned);
        assert_eq!(list(Lang::Vi, &items), "Đà Lạt, Hà Nội và Đà Nẵng");
        assert_eq!(list(Lang::En, &items[..2]), "Đà Lạt and Hà Nội");
        assert_eq!(list(Lang::En, &items[..1]), "Đà Lạt");
        assert_eq!(list(Lang::En, &[]), "");
    }
}
