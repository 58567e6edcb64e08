//! The model's prose: Markdown as nodes, and nothing of a stranger's that acts.

use app::i18n::{Lang, provide_lang};
use app::prose::{Block, Inline, Prose, parse};
use leptos::prelude::*;
use proptest::prelude::*;

fn render(text: &str) -> String {
    let html = Owner::new().with(|| {
        provide_lang(RwSignal::new(Lang::En));
        view! { <Prose text=ArcRwSignal::new(text.to_owned()) /> }.to_html()
    });
    without_comments(&html)
}

/// The markers between nodes are no part of the picture.
fn without_comments(html: &str) -> String {
    let mut rest = html;
    let mut shown = String::new();
    while let Some((before, after)) = rest.split_once("<!") {
        shown.push_str(before);
        rest = after.split_once('>').map_or("", |(_, after)| after);
    }
    shown + rest
}

/// The opening tags, with their attributes.
fn tags(html: &str) -> Vec<&str> {
    html.split('<')
        .skip(1)
        .filter_map(|tag| tag.split('>').next())
        .filter(|tag| !tag.starts_with('/'))
        .collect()
}

#[test]
fn paragraphs_lists_tables_code_and_emphasis_are_elements() {
    let html = render(
        "Two *good* places, **both** ~~free~~ open:\n\n1. Quán `A`\n2. Quán B\n   - by the river\n\n\
         | Day | Rain |\n|:--|--:|\n| Mon | 40 % |\n\n> A quote\n\n```\nlet x = 1 < 2;\n```\n\n---\n\n# Done",
    );
    for wanted in [
        "<p>Two <em>good</em> places, <strong>both</strong> <s>free</s> open:</p>",
        "<ol start=\"1\"><li><p>Quán <code>A</code></p></li><li><p>Quán B</p><ul><li><p>by the river</p></li></ul></li></ol>",
        "<th scope=\"col\" class=\"prose__cell\">Day</th><th scope=\"col\" class=\"prose__cell prose__cell--end\">Rain</th>",
        "<td class=\"prose__cell\">Mon</td><td class=\"prose__cell prose__cell--end\">40 %</td>",
        "<blockquote><p>A quote</p></blockquote>",
        "<code>let x = 1 &lt; 2;\n</code></pre>",
        "<hr>",
        "<p class=\"prose__heading\"><strong>Done</strong></p>",
    ] {
        assert!(html.contains(wanted), "{wanted} is not in {html}");
    }
}

#[test]
fn a_line_that_was_broken_stays_broken() {
    assert!(render("Hotpot\nGrill").contains("<p>Hotpot<br>Grill</p>"));
}

#[test]
fn a_link_says_where_it_leads_whatever_its_text_claims() {
    let html = render("[https://vietcombank.com.vn](https://evil.example/login \"trust me\")");
    let anchor = tags(&html).into_iter().find(|tag| tag.starts_with("a ")).expect("a link");
    assert!(anchor.contains("href=\"https://evil.example/login\""), "{anchor}");
    assert!(anchor.contains("rel=\"noopener noreferrer nofollow\""), "{anchor}");
    assert!(anchor.contains("target=\"_blank\""), "{anchor}");
    assert!(html.contains("evil.example"), "{html}");
    assert!(html.contains("opens another site"), "{html}");
}

#[test]
fn a_link_that_may_not_be_followed_is_its_text() {
    for url in
        ["javascript:alert(1)", "data:text/html,x", "/api/conversations", "https://a@b.example", "ftp://a.b"]
    {
        let html = render(&format!("[press here]({url})"));
        assert!(html.contains("<p>press here</p>"), "{url}: {html}");
    }
}

#[test]
fn an_image_is_its_description_and_nothing_is_loaded() {
    for text in [
        "![a cat](https://evil.example/pixel.png)",
        "![a cat][ref]\n\n[ref]: https://evil.example/pixel.png",
        "[![a cat](https://evil.example/pixel.png)](javascript:1)",
    ] {
        assert!(render(text).contains("<p>a cat</p>"), "{text}");
    }
}

#[test]
fn markup_is_text() {
    let html = render("<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> and <b>bold</b>");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
    assert!(html.contains("&lt;img src=x onerror=alert(1)&gt; and &lt;b&gt;bold&lt;/b&gt;"), "{html}");
}

#[test]
fn a_finished_block_stays_the_same_block_while_the_text_grows() {
    let whole = "First *paragraph*.\n\n- one\n- two\n\nLast one, long.";
    let first = parse("First *paragraph*.\n\n").remove(0);
    for end in (19..=whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        assert_eq!(parse(&whole[..end])[0], first, "after {end} bytes");
    }
}

#[test]
fn what_stands_too_deep_is_flat_and_loses_no_word() {
    for text in [
        format!("{} deep", ">".repeat(10_000)),
        format!("{}deep", "- ".repeat(2_000)),
        format!("{}deep{}", "*a ".repeat(3_000), "*".repeat(3_000)),
        format!("{}deep{}", "[".repeat(5_000), "](https://a.example)".repeat(5_000)),
    ] {
        let blocks = parse(&text);
        assert!(depth_of_blocks(&blocks) <= 14, "{}", depth_of_blocks(&blocks));
        assert!(render(&text).contains("deep"));
    }
}

fn depth_of_blocks(blocks: &[Block]) -> usize {
    let inner = |block: &Block| match block {
        Block::Paragraph(inlines) | Block::Heading(inlines) => depth_of(inlines),
        Block::List { items, .. } => items.iter().map(|item| depth_of_blocks(item)).max().unwrap_or(0),
        Block::Quote(blocks) => depth_of_blocks(blocks),
        Block::Table { rows, .. } => rows.iter().flatten().map(|cell| depth_of(cell)).max().unwrap_or(0),
        Block::Code(_) | Block::Rule => 0,
    };
    blocks.iter().map(|block| 1 + inner(block)).max().unwrap_or(0)
}

fn depth_of(inlines: &[Inline]) -> usize {
    let inner = |inline: &Inline| match inline {
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Struck(inner) => depth_of(inner),
        Inline::Link { text, .. } => depth_of(text),
        Inline::Text(_) | Inline::Code(_) | Inline::Break => 0,
    };
    inlines.iter().map(|inline| 1 + inner(inline)).max().unwrap_or(0)
}

/// Pieces of Markdown and of attacks, in any order.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<script>"),
        Just("<img src=x onerror=alert(1)>"),
        Just("<style>@import 'https://evil.example'</style>"),
        Just("![x](https://evil.example/x.png)"),
        Just("[x](javascript:alert(1))"),
        Just("[x](https://good.example)"),
        Just("[x]: javascript:alert(1)\n"),
        Just("<javascript:alert(1)>"),
        Just("<https://good.example>"),
        Just("\n\n"),
        Just("\n"),
        Just("    "),
        Just("> "),
        Just("- "),
        Just("1. "),
        Just("| a | b |\n|--|--|\n"),
        Just("```"),
        Just("`"),
        Just("**"),
        Just("_"),
        Just("["),
        Just("]("),
        Just(")"),
        Just("\""),
        Just("&#x6a;"),
        Just("\u{202e}"),
        Just("Quán Ăn"),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn whatever_is_written_only_harmless_elements_and_links_come_of_it(text in hostile()) {
        let html = render(&text);
        const ELEMENTS: &[&str] = &[
            "div", "p", "strong", "em", "s", "code", "pre", "ul", "ol", "li", "blockquote", "table", "thead",
            "tbody", "tr", "th", "td", "hr", "br", "a", "span",
        ];
        for tag in tags(&html) {
            let name = tag.split([' ', '/']).next().unwrap_or_default();
            prop_assert!(ELEMENTS.contains(&name), "<{tag}> in {html}");
            prop_assert!(!tag.contains("javascript:") && !tag.contains(" on"), "<{tag}>");
            if name == "a" {
                prop_assert!(tag.contains("href=\"https://good.example\""), "<{tag}>");
            }
        }
        prop_assert!(!html.contains('\u{202e}'), "a mark that turns text around");
    }

    #[test]
    fn any_text_is_drawn(text in any::<String>()) {
        render(&text);
    }

    #[test]
    fn words_are_not_lost(words in proptest::collection::vec("[a-zđăâêôơư]{1,8}", 1..20), joint in "[ \n>*_-]{1,4}") {
        let text = words.join(&joint);
        let html = render(&text);
        for word in &words {
            prop_assert!(html.contains(word.as_str()), "{word} of {text:?} is not in {html}");
        }
    }
}
