//! The headers that every answer carries, and the page's content security policy.

use crate::support::{Answer, Guest, Server};

/// A policy's directives: name and sources.
fn policy(answer: &Answer) -> Vec<(String, Vec<String>)> {
    let headers: Vec<_> = answer.headers.get_all("content-security-policy").iter().collect();
    let [policy] = headers.as_slice() else { panic!("one policy is wanted: {headers:?}") };
    let directives = policy.to_str().unwrap().split(';').map(|directive| {
        let mut words = directive.split_whitespace().map(str::to_owned);
        (words.next().unwrap(), words.collect())
    });
    directives.collect()
}

fn sources(policy: &[(String, Vec<String>)], directive: &str) -> Vec<String> {
    let found: Vec<_> = policy.iter().filter(|(name, _)| name == directive).collect();
    let [(_, sources)] = found.as_slice() else { panic!("one {directive} is wanted: {policy:?}") };
    sources.clone()
}

fn nonce(policy: &[(String, Vec<String>)]) -> String {
    let nonces: Vec<String> = sources(policy, "script-src")
        .iter()
        .filter_map(|source| Some(source.strip_prefix("'nonce-")?.strip_suffix('\'')?.to_owned()))
        .collect();
    let [nonce] = nonces.as_slice() else { panic!("one nonce is wanted: {policy:?}") };
    nonce.clone()
}

#[tokio::test]
async fn a_pages_policy_allows_what_the_page_needs_and_nothing_else() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    for path in ["/", &format!("/c/{conversation}"), "/c/none", "/nowhere", "/?lang=en"] {
        let answer = guest.get(path).await;
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"), "{path}");
        let policy = policy(&answer);
        let text = answer.headers["content-security-policy"].to_str().unwrap();
        for forbidden in ["'unsafe-inline'", "'unsafe-eval'", "http:", "https:", "*"] {
            let found =
                policy.iter().any(|(_, sources)| sources.iter().any(|source| source.contains(forbidden)));
            assert!(!found, "{path}: {forbidden} in {text}");
        }
        for (directive, wanted) in [
            ("default-src", &["'none'"][..]),
            ("img-src", &["'self'", "data:"]),
            ("connect-src", &["'self'"]),
            ("frame-ancestors", &["'none'"]),
            ("object-src", &["'none'"]),
            ("base-uri", &["'none'"]),
            ("form-action", &["'self'"]),
        ] {
            assert_eq!(sources(&policy, directive), wanted, "{path}: {directive}");
        }
        assert!(sources(&policy, "script-src").contains(&"'wasm-unsafe-eval'".to_owned()), "{text}");
    }
}

#[tokio::test]
async fn each_page_has_a_nonce_of_its_own_and_every_script_of_it_carries_that() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Thời tiết Huế").await;
    let mut seen = Vec::new();
    for path in ["/", "/", &format!("/c/{conversation}"), &format!("/c/{conversation}"), "/c/none"] {
        let answer = guest.get(path).await;
        let nonce = nonce(&policy(&answer));
        assert!(nonce.len() >= 22, "{nonce}");
        assert!(!seen.contains(&nonce), "the nonce of an earlier page came again");
        let scripts: Vec<&str> = answer.text.split("<script").skip(1).collect();
        assert!(!scripts.is_empty(), "{path}: {}", answer.text);
        for script in scripts {
            let tag = script.split('>').next().unwrap();
            assert!(tag.contains(&format!("nonce=\"{nonce}\"")), "{path}: <script{tag}>");
        }
        seen.push(nonce);
    }
}

#[tokio::test]
async fn a_page_has_no_inline_handlers_styles_or_remote_addresses() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Tìm bàn ở Đà Lạt cho 4 người lúc 7 giờ tối mai").await;
    let page = guest.get(&format!("/c/{conversation}")).await.expect(200).text;
    for forbidden in [
        " onclick=",
        " onload=",
        " onerror=",
        " style=\"",
        "javascript:",
        "src=\"http",
        "src=\"//",
        "href=\"http",
        "href=\"//",
    ] {
        assert!(!page.contains(forbidden), "{forbidden} in {page}");
    }
}

#[tokio::test]
async fn every_answer_forbids_sniffing_and_keeps_its_address_to_itself() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    for path in [
        "/".to_owned(),
        format!("/c/{conversation}"),
        "/c/none".to_owned(),
        "/nowhere".to_owned(),
        "/api/tools".to_owned(),
        "/api/conversations".to_owned(),
        format!("/api/conversations/{conversation}"),
        "/api/nothing".to_owned(),
        "/healthz".to_owned(),
        "/readyz".to_owned(),
    ] {
        let answer = guest.get(&path).await;
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answer.headers["referrer-policy"], "same-origin", "{path}");
        assert!(answer.headers.contains_key("content-security-policy"), "{path}");
        let cache = answer.headers["cache-control"].to_str().unwrap();
        assert!(cache.contains("private") || cache.contains("no-store"), "{path}: {cache}");
    }
    let stream = guest.listen(&conversation, "", &[]).await;
    assert_eq!(stream.headers["x-content-type-options"], "nosniff");
    assert_eq!(stream.headers["referrer-policy"], "same-origin");
}
