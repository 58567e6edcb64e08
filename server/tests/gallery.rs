//! The designers' gallery: every card in every state, each with an address, without script and without a guest.

mod support;

use app::gallery::fixtures;
use reqwest::Method;
use support::{Answer, Guest, Server};

async fn look(guest: &Guest, path: &str) -> Answer {
    guest.raw(Method::GET, path, None, &[]).await
}

fn count(page: &str, piece: &str) -> usize {
    page.matches(piece).count()
}

#[tokio::test]
async fn every_specimen_is_shown_and_has_an_address_of_its_own() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    let overview = look(&guest, "/gallery").await.expect(200).text;
    for fixture in fixtures::all() {
        let name = &fixture.name;
        assert!(overview.contains(&format!(" id=\"{name}\"")), "{name} is not shown");
        assert!(overview.contains(&format!("href=\"/gallery/{name}?")), "{name} has no link");
    }
    for name in ["booking-approval-requested", "weather-output-available", "refund-output-unknown"] {
        let page = look(&guest, &format!("/gallery/{name}?lang=en&theme=dark&text=200&motion=reduced")).await;
        let page = page.expect(200).text;
        assert_eq!(count(&page, "data-tool-call="), 1, "{page}");
        for wanted in ["lang=\"en\"", "data-theme=\"dark\"", "data-text=\"200\"", "data-motion=\"reduced\""] {
            assert!(page.contains(wanted), "{wanted} is not in {page}");
        }
    }
}

#[tokio::test]
async fn tool_and_state_narrow_it_down() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    let page = look(&guest, "/gallery?tool=createBooking&state=approval-requested").await.expect(200).text;
    let shown = count(&page, "<figure");
    assert!(shown > 0);
    assert_eq!(count(&page, "data-tool=\"createBooking\""), shown);
    assert_eq!(count(&page, "data-state=\"approval-requested\""), shown);
    let nothing = look(&guest, "/gallery?tool=createBooking&state=no-such-state").await.expect(200).text;
    assert_eq!(count(&nothing, "<figure"), 0);
}

#[tokio::test]
async fn another_width_or_both_themes_put_each_specimen_on_pages_of_its_own() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    let page = look(&guest, "/gallery?tool=getWeather&theme=both&width=390").await.expect(200).text;
    let (figures, frames) = (count(&page, "<figure"), count(&page, "<iframe"));
    assert!(figures > 0 && frames == 2 * figures, "{figures} figures, {frames} frames");
    assert_eq!(count(&page, "data-width=\"390\""), frames);
    assert_eq!(count(&page, "data-tool-call="), 0, "nothing twice");
}

#[tokio::test]
async fn hostile_texts_stay_texts_and_no_page_has_a_script() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    for path in ["/gallery", "/gallery?tool=hostile", "/gallery/hostile-booking-output-available"] {
        let answer = look(&guest, path).await.expect(200);
        assert_eq!(count(&answer.text, "<script"), 0, "{path}");
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("script-src"), "{policy}");
        assert!(policy.contains("frame-ancestors 'self'"), "{policy}");
        assert!(answer.headers.get("set-cookie").is_none(), "it is about no guest");
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found_and_a_setting_turns_all_of_it_off() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    look(&guest, "/gallery/no-such-specimen").await.expect(404);
    let without = Server::start(&[("TRUTHTABLE_GALLERY", "off")]);
    let guest = Guest::new(&without);
    look(&guest, "/gallery").await.expect(404);
    look(&guest, "/gallery/booking-approval-requested").await.expect(404);
}
