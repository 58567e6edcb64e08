//! Where a link of a stranger's may lead.

/// A link that may be followed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    pub href: String,
    pub target: Target,
}

/// What is shown of it, whatever its text says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Another site, by its host.
    Site(String),
    /// A mail address.
    Mail(String),
}

impl Link {
    /// `None`: not a web or mail address, or one that browsers might read otherwise than it looks. It stays text.
    ///
    /// Far stricter than the URL standard, so that what is shown as the host is what a browser goes to: no
    /// user name, no characters that are dropped, folded or turned into others.
    pub fn read(url: &str) -> Option<Self> {
        if !url.bytes().all(|byte| byte.is_ascii_graphic()) || url.contains('\\') {
            return None;
        }
        let (scheme, rest) = url.split_once(':')?;
        let target = match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => Target::Site(host(rest.strip_prefix("//")?)?),
            "mailto" => Target::Mail(mailbox(rest)?),
            _ => return None,
        };
        Some(Self { href: url.to_owned(), target })
    }
}

/// The host, with its port where it names one.
fn host(rest: &str) -> Option<String> {
    let authority = rest.split(['/', '?', '#']).next()?;
    let (name, port) = match authority.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (authority, None),
    };
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_port =
        |port: &str| (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    // A last label of digits alone (or 0x…) is read as a number, and shown as such it would hide where it leads.
    let last = name.rsplit('.').next()?;
    let is_name = name.contains('.') && last.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    (name.split('.').all(is_label) && is_name && port.is_none_or(is_port))
        .then(|| authority.to_ascii_lowercase())
}

/// The address alone: what follows could fill in a whole mail.
fn mailbox(rest: &str) -> Option<String> {
    let (name, domain) = rest.split_once('@')?;
    let fits = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+'))
    };
    (fits(name) && fits(domain)).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_and_mail_addresses_show_where_they_lead() {
        for (url, host) in [
            ("https://example.com", "example.com"),
            ("HTTPS://Example.COM/a?b=c#d", "example.com"),
            ("http://nha-hang.vn:8080/thuc-don", "nha-hang.vn:8080"),
            ("https://example.com?https://other.example/", "example.com"),
            ("https://xn--nh-hng-jtab.vn/", "xn--nh-hng-jtab.vn"),
        ] {
            let link = Link::read(url).unwrap_or_else(|| panic!("{url}"));
            assert_eq!((link.target, link.href.as_str()), (Target::Site(host.to_owned()), url));
        }
        let mail = Link::read("mailto:hello@example.com").map(|link| link.target);
        assert_eq!(mail, Some(Target::Mail("hello@example.com".to_owned())));
    }

    #[test]
    fn what_a_browser_could_read_otherwise_is_no_link() {
        for url in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\tscript:alert(1)",
            "data:text/html,<script>",
            "vbscript:x",
            "file:///etc/passwd",
            "blob:https://example.com/1",
            "//example.com",
            "/api/conversations",
            "example.com",
            "https:example.com",
            "https:/example.com",
            "https:///example.com",
            "https://",
            "https://user@example.com",
            "https://example.com@evil.example",
            "https://example.com:pass@evil.example",
            "https://example.com\\@evil.example",
            "https://exa\u{200b}mple.com",
            "https://ex%61mple.com",
            "https://еxample.com",
            "https://example..com",
            "https://.com",
            "https://localhost",
            "https://127.0.0.1",
            "https://2130706433",
            "https://0x7f.1",
            "https://[::1]/",
            "https://example.com:99999999",
            "https://example.com:80:80",
            "mailto:hello@example.com?bcc=all@example.com",
            "mailto:",
            "mailto:@",
            "tel:+84123",
            "",
            ":",
        ] {
            assert_eq!(Link::read(url), None, "{url:?}");
        }
    }
}
