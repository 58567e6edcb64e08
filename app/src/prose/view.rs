//! Blocks to nodes.

use leptos::prelude::*;

use super::document::{Align, Block, Inline};
use super::link::{Link, Target};
use crate::i18n::{t, texts};

pub fn block(block: &Block) -> AnyView {
    match block {
        Block::Paragraph(inlines) => view! { <p>{spans(inlines)}</p> }.into_any(),
        // Not a heading of the page's outline, which screen readers walk along.
        Block::Heading(inlines) => {
            view! { <p class="prose__heading"><strong>{spans(inlines)}</strong></p> }.into_any()
        }
        Block::List { first: None, items } => view! { <ul>{list(items)}</ul> }.into_any(),
        Block::List { first: Some(first), items } => {
            view! { <ol start=first.to_string()>{list(items)}</ol> }.into_any()
        }
        Block::Quote(inner) => view! { <blockquote>{blocks(inner)}</blockquote> }.into_any(),
        // Focusable, since it scrolls.
        Block::Code(code) => {
            view! { <pre class="prose__code" tabindex="0"><code>{code.clone()}</code></pre> }.into_any()
        }
        Block::Table { columns, rows } => table(columns, rows),
        Block::Rule => view! { <hr /> }.into_any(),
    }
}

fn blocks(all: &[Block]) -> Vec<AnyView> {
    all.iter().map(block).collect()
}

fn list(items: &[Vec<Block>]) -> Vec<AnyView> {
    items.iter().map(|item| view! { <li>{blocks(item)}</li> }.into_any()).collect()
}

fn table(columns: &[Align], rows: &[Vec<Vec<Inline>>]) -> AnyView {
    let row = |head: bool, cells: &[Vec<Inline>]| {
        let cells: Vec<AnyView> = cells
            .iter()
            .enumerate()
            .map(|(column, cell)| {
                let class = match columns.get(column).copied().unwrap_or(Align::Start) {
                    Align::Start => "prose__cell",
                    Align::Center => "prose__cell prose__cell--center",
                    Align::End => "prose__cell prose__cell--end",
                };
                if head {
                    view! { <th class=class scope="col">{spans(cell)}</th> }.into_any()
                } else {
                    view! { <td class=class>{spans(cell)}</td> }.into_any()
                }
            })
            .collect();
        view! { <tr>{cells}</tr> }.into_any()
    };
    let (head, body) = rows.split_first().map_or((None, rows), |(head, body)| (Some(head), body));
    let head = head.map(|cells| row(true, cells));
    let body: Vec<AnyView> = body.iter().map(|cells| row(false, cells)).collect();
    view! {
        <div class="prose__table" tabindex="0">
            <table>
                <thead>{head}</thead>
                <tbody>{body}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn spans(inlines: &[Inline]) -> Vec<AnyView> {
    inlines
        .iter()
        .map(|inline| match inline {
            Inline::Text(text) => text.clone().into_any(),
            Inline::Code(code) => view! { <code>{code.clone()}</code> }.into_any(),
            Inline::Emphasis(inner) => view! { <em>{spans(inner)}</em> }.into_any(),
            Inline::Strong(inner) => view! { <strong>{spans(inner)}</strong> }.into_any(),
            Inline::Struck(inner) => view! { <s>{spans(inner)}</s> }.into_any(),
            Inline::Break => view! { <br /> }.into_any(),
            Inline::Link { link, text } => anchor(link, text),
        })
        .collect()
}

/// Says where it leads, whatever its text claims, and that it leaves the site.
fn anchor(link: &Link, text: &[Inline]) -> AnyView {
    let Link { href, target } = link;
    let place = match target {
        Target::Site(host) => host.clone(),
        Target::Mail(address) => address.clone(),
    };
    view! {
        <a class="prose__link" href=href.clone() target="_blank" rel="noopener noreferrer nofollow">
            {spans(text)}
            <span class="prose__place" dir="ltr">" (" {place} <span aria-hidden="true">" ↗"</span> ")"</span>
            <span class="visually-hidden">{t(texts::leaves_site)}</span>
        </a>
    }
    .into_any()
}
