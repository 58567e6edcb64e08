//! Markdown to blocks. CommonMark with tables and struck-out text, by a parser of its field.

use pulldown_cmark::{Alignment, Event, Options, Parser, Tag};

use super::link::Link;

/// How deep blocks and marks may stand in each other; what is deeper stays, with less around it.
const DEEPEST: usize = 12;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    Paragraph(Vec<Inline>),
    /// Of any level: the page has its own outline.
    Heading(Vec<Inline>),
    /// `first`: the number of the first item; none in a list with bullets.
    List {
        first: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Quote(Vec<Block>),
    Code(String),
    /// Rows of cells, the first one the head.
    Table {
        columns: Vec<Align>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Rule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Align {
    Start,
    Center,
    End,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Inline {
    Text(String),
    Code(String),
    Emphasis(Vec<Inline>),
    Strong(Vec<Inline>),
    Struck(Vec<Inline>),
    /// A line's end as it was written: models break lines where they mean it.
    Break,
    Link {
        link: Link,
        text: Vec<Inline>,
    },
}

/// Reads a whole text. Markup of HTML is text, and so is a link that may not be followed; an image is its
/// description.
pub fn parse(text: &str) -> Vec<Block> {
    let mut open = vec![Frame::new(Kind::Flat)];
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(tag) => {
                let kind = if open.len() > DEEPEST { Kind::Flat } else { Kind::of(&tag) };
                open.push(Frame::new(kind));
            }
            Event::End(_) => close(&mut open),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => innermost(&mut open).add(Inline::Text(text.into_string())),
            Event::Code(code) => innermost(&mut open).add(Inline::Code(code.into_string())),
            Event::SoftBreak | Event::HardBreak => innermost(&mut open).add(Inline::Break),
            Event::Rule => innermost(&mut open).add_block(Block::Rule),
            Event::TaskListMarker(done) => {
                innermost(&mut open).add(Inline::Text(if done { "[x] " } else { "[ ] " }.to_owned()));
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().map(Frame::into_blocks).unwrap_or_default()
}

fn innermost(open: &mut Vec<Frame>) -> &mut Frame {
    if open.is_empty() {
        open.push(Frame::new(Kind::Flat));
    }
    let last = open.len() - 1;
    &mut open[last]
}

fn close(open: &mut Vec<Frame>) {
    if open.len() > 1
        && let Some(frame) = open.pop()
    {
        innermost(open).take(frame);
    }
}

/// Something that has begun and not ended.
struct Frame {
    kind: Kind,
    blocks: Vec<Block>,
    /// Not in a paragraph yet: the items of a tight list have none of their own.
    inlines: Vec<Inline>,
}

enum Kind {
    /// Nothing of its own: what is in it belongs to what is around it.
    Flat,
    Paragraph,
    Heading,
    List {
        first: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Item,
    Quote,
    Code,
    Table {
        columns: Vec<Align>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Row {
        cells: Vec<Vec<Inline>>,
    },
    Cell,
    Emphasis,
    Strong,
    Struck,
    Link(Link),
}

impl Kind {
    fn of(tag: &Tag<'_>) -> Self {
        match tag {
            Tag::Paragraph => Self::Paragraph,
            Tag::Heading { .. } => Self::Heading,
            Tag::BlockQuote(_) => Self::Quote,
            Tag::CodeBlock(_) => Self::Code,
            Tag::List(first) => Self::List { first: *first, items: Vec::new() },
            Tag::Item => Self::Item,
            Tag::Table(columns) => {
                Self::Table { columns: columns.iter().map(|one| Align::of(*one)).collect(), rows: Vec::new() }
            }
            Tag::TableHead | Tag::TableRow => Self::Row { cells: Vec::new() },
            Tag::TableCell => Self::Cell,
            Tag::Emphasis => Self::Emphasis,
            Tag::Strong => Self::Strong,
            Tag::Strikethrough => Self::Struck,
            Tag::Link { dest_url, .. } => Link::read(dest_url).map_or(Self::Flat, Self::Link),
            Tag::Image { .. }
            | Tag::HtmlBlock
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => Self::Flat,
        }
    }
}

impl Align {
    fn of(alignment: Alignment) -> Self {
        match alignment {
            Alignment::None | Alignment::Left => Self::Start,
            Alignment::Center => Self::Center,
            Alignment::Right => Self::End,
        }
    }
}

impl Frame {
    fn new(kind: Kind) -> Self {
        Self { kind, blocks: Vec::new(), inlines: Vec::new() }
    }

    fn add(&mut self, inline: Inline) {
        match (self.inlines.last_mut(), inline) {
            (Some(Inline::Text(before)), Inline::Text(text)) => before.push_str(&text),
            (_, inline) => self.inlines.push(inline),
        }
    }

    fn add_block(&mut self, block: Block) {
        self.settle();
        self.blocks.push(block);
    }

    /// What stands there without a paragraph gets one.
    fn settle(&mut self) {
        // HTML as text ends with its line.
        while matches!(self.inlines.last(), Some(Inline::Break)) {
            self.inlines.pop();
        }
        if !self.inlines.is_empty() {
            self.blocks.push(Block::Paragraph(std::mem::take(&mut self.inlines)));
        }
    }

    fn into_blocks(mut self) -> Vec<Block> {
        self.settle();
        self.blocks
    }

    /// Takes in what has ended inside of it.
    fn take(&mut self, mut inner: Frame) {
        match (inner.kind, &mut self.kind) {
            (Kind::Paragraph, _) => {
                inner.kind = Kind::Flat;
                inner.into_blocks().into_iter().for_each(|block| self.add_block(block));
            }
            (Kind::Heading, _) => self.add_block(Block::Heading(inner.inlines)),
            (Kind::Code, _) => self.add_block(Block::Code(plain(&inner.inlines))),
            (Kind::Quote, _) => {
                inner.kind = Kind::Flat;
                self.add_block(Block::Quote(inner.into_blocks()));
            }
            (Kind::List { first, items }, _) => self.add_block(Block::List { first, items }),
            (Kind::Table { columns, rows }, _) => self.add_block(Block::Table { columns, rows }),
            (Kind::Item, Kind::List { items, .. }) => {
                inner.kind = Kind::Flat;
                items.push(inner.into_blocks());
            }
            (Kind::Row { cells }, Kind::Table { rows, .. }) => rows.push(cells),
            (Kind::Cell, Kind::Row { cells }) => cells.push(inner.inlines),
            (Kind::Emphasis, _) => self.add(Inline::Emphasis(inner.inlines)),
            (Kind::Strong, _) => self.add(Inline::Strong(inner.inlines)),
            (Kind::Struck, _) => self.add(Inline::Struck(inner.inlines)),
            (Kind::Link(link), _) => self.add(Inline::Link { link, text: inner.inlines }),
            (Kind::Flat | Kind::Item | Kind::Cell, _) => {
                if !inner.blocks.is_empty() {
                    self.settle();
                    self.blocks.append(&mut inner.blocks);
                }
                inner.inlines.into_iter().for_each(|inline| self.add(inline));
            }
            (Kind::Row { cells }, _) => {
                cells.into_iter().flatten().for_each(|inline| self.add(inline));
            }
        }
    }
}

fn plain(inlines: &[Inline]) -> String {
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(part) | Inline::Code(part) => text.push_str(part),
            Inline::Break => text.push('\n'),
            Inline::Emphasis(inner)
            | Inline::Strong(inner)
            | Inline::Struck(inner)
            | Inline::Link { text: inner, .. } => text.push_str(&plain(inner)),
        }
    }
    text
}
