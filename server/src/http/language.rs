//! Which language a page speaks: the guest's choice, else the browser's, else Vietnamese.

use app::i18n::Lang;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use axum_extra::extract::CookieJar;

pub const COOKIE: &str = "truthtable_lang";

pub fn parse(text: &str) -> Option<Lang> {
    match text {
        "vi" => Some(Lang::Vi),
        "en" => Some(Lang::En),
        _ => None,
    }
}

pub fn choose(asked: Option<&str>, jar: &CookieJar, headers: &HeaderMap) -> Lang {
    let cookie = jar.get(COOKIE).map(|cookie| cookie.value());
    let browser = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    asked
        .and_then(parse)
        .or_else(|| cookie.and_then(parse))
        .or_else(|| browser.and_then(of_browser))
        .unwrap_or(Lang::Vi)
}

/// The best of ours in `Accept-Language`: the highest weight, the first of equals.
fn of_browser(header: &str) -> Option<Lang> {
    let mut best: Option<(Lang, f32)> = None;
    for range in header.split(',') {
        let mut pieces = range.split(';');
        let tag = pieces.next().unwrap_or_default().trim().to_ascii_lowercase();
        let weight = pieces.find_map(|piece| piece.trim().strip_prefix("q=")?.parse().ok()).unwrap_or(1.0);
        let lang = parse(tag.split('-').next().unwrap_or_default());
        if let Some(lang) = lang.filter(|_| weight > best.map_or(0.0, |(_, weight)| weight)) {
            best = Some((lang, weight));
        }
    }
    best.map(|(lang, _)| lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browsers_best_language_of_ours_is_taken() {
        assert_eq!(of_browser("vi-VN,vi;q=0.9,en;q=0.8"), Some(Lang::Vi));
        assert_eq!(of_browser("fr,en;q=0.5,vi;q=0.4"), Some(Lang::En));
        assert_eq!(of_browser("en-GB"), Some(Lang::En));
        assert_eq!(of_browser("fr, de;q=0.5"), None);
        assert_eq!(of_browser("en;q=0"), None);
        assert_eq!(of_browser(";;,,q=x"), None);
    }
}
