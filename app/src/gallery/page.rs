//! The gallery's pages. Rendered on the server and complete without script: filters are a form, a specimen is an
//! address.

use leptos::config::LeptosOptions;
use leptos::prelude::*;
use shared::tools::ToolName;

use super::fixtures::{self, Fixture};
use super::wish::{HOSTILE, Motion, TextSize, Theme, Width, Wish, states};
use crate::cards::ToolCard;
use crate::cards::context::CardContext;
use crate::i18n::{Lang, provide_lang};

/// What a page of the gallery shows.
#[derive(Clone, Debug)]
pub struct GalleryData {
    pub wish: Wish,
    /// One specimen alone, by its name; none: all that are wanted.
    pub specimen: Option<String>,
}

impl GalleryData {
    /// Whether there is what it shows.
    pub fn exists(&self) -> bool {
        self.specimen.as_deref().is_none_or(|name| everything().any(|(fixture, _)| fixture.name == name))
    }

    fn chosen(&self) -> Vec<Fixture> {
        let wanted = |(fixture, hostile): &(Fixture, bool)| match &self.specimen {
            Some(name) => fixture.name == *name,
            None => self.wish.takes(fixture, *hostile),
        };
        everything().filter(wanted).map(|(fixture, _)| fixture).collect()
    }
}

/// Every specimen, and whether its texts are hostile.
fn everything() -> impl Iterator<Item = (Fixture, bool)> {
    let usual = fixtures::all().into_iter().map(|fixture| (fixture, false));
    usual.chain(fixtures::hostile().into_iter().map(|fixture| (fixture, true)))
}

/// The whole HTML document.
pub fn gallery_shell(options: &LeptosOptions, data: &GalleryData) -> impl IntoView + use<> {
    provide_lang(RwSignal::new(data.wish.lang));
    provide_context(CardContext {
        // As on a page that is alive, so that forms look as guests see them.
        ready: Signal::stored(true),
        busy: Signal::stored(false),
        now: Signal::stored(fixtures::now()),
        ..CardContext::inert()
    });
    let file = |name: &str| format!("/{}/{name}.css", options.site_pkg_dir);
    let (usual, own) = (file(&options.output_name), file("gallery"));
    let Wish { lang, theme, text, motion, .. } = data.wish;
    let body = match &data.specimen {
        Some(_) => specimen(data).into_any(),
        None => overview(data).into_any(),
    };
    view! {
        <!DOCTYPE html>
        <html
            lang=lang.tag()
            data-theme=theme.word()
            data-text=text.word()
            data-motion=motion.word()
        >
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <meta name="robots" content="noindex" />
                <title>"Truthtable gallery"</title>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="stylesheet" href=usual />
                <link rel="stylesheet" href=own />
            </head>
            {body}
        </html>
    }
}

fn specimen(data: &GalleryData) -> impl IntoView + use<> {
    let cards: Vec<_> = data.chosen().into_iter().map(card).collect();
    view! { <body class="specimen"><main class="specimen__stage">{cards}</main></body> }
}

fn overview(data: &GalleryData) -> impl IntoView + use<> {
    let chosen = data.chosen();
    let count = chosen.len();
    let framed = data.wish.needs_frames();
    let themes: &[Theme] = match data.wish.theme {
        Theme::Both => &[Theme::Light, Theme::Dark],
        Theme::System => &[Theme::System],
        Theme::Light => &[Theme::Light],
        Theme::Dark => &[Theme::Dark],
    };
    let figures: Vec<_> = chosen
        .into_iter()
        .map(|fixture| {
            let (id, name) = (fixture.name.clone(), fixture.name.clone());
            let address = data.wish.address_of(&name, themes[0]);
            let state = fixture.part.state().as_str();
            let shown = if framed {
                themes.iter().map(|theme| frame(&data.wish, &name, *theme)).collect::<Vec<_>>().into_any()
            } else {
                card(fixture).into_any()
            };
            view! {
                <figure class="gallery__figure" id=id>
                    <figcaption class="gallery__caption">
                        <a href=address>{name}</a>
                        <code>{state}</code>
                    </figcaption>
                    <div class="gallery__shown">{shown}</div>
                </figure>
            }
        })
        .collect();
    view! {
        <body class="gallery">
            <header class="gallery__head">
                <h1 class="gallery__title">"Gallery"</h1>
                <p>{format!("{count} specimens of cards, from the same data as the tests.")}</p>
                {filters(&data.wish)}
            </header>
            <main class="gallery__all">{figures}</main>
        </body>
    }
}

fn card(fixture: Fixture) -> impl IntoView {
    view! { <ToolCard part=ArcRwSignal::new(fixture.part) /> }
}

/// A page of its own for a specimen, so that its width is the page's.
fn frame(wish: &Wish, name: &str, theme: Theme) -> impl IntoView + use<> {
    let title = format!("{name}, {}", theme.label());
    leptos::html::iframe()
        .attr("loading", "lazy")
        .class("gallery__frame")
        .title(title)
        .src(wish.address_of(name, theme))
        .attr("data-width", wish.width.word())
}

fn filters(wish: &Wish) -> impl IntoView + use<> {
    let tools = ToolName::ALL.iter().map(|tool| tool.as_str()).chain(["untyped", HOSTILE]);
    let any = |words: &'static str| ("", words);
    let plain = |word: &'static str| (word, word);
    view! {
        <form class="gallery__filters" method="get" action="/gallery">
            {choice("tool", "Tool", wish.tool.as_deref(), [any("all tools")].into_iter().chain(tools.map(plain)))}
            {choice(
                "state",
                "State",
                wish.state.as_deref(),
                [any("all states")].into_iter().chain(states().map(plain)),
            )}
            {choice("lang", "Language", Some(wish.lang.tag()), Lang::ALL.into_iter().map(|one| (one.tag(), one.name())))}
            {choice(
                "theme",
                "Theme",
                Some(wish.theme.word()),
                Theme::ALL.iter().map(|one| (one.word(), one.label())),
            )}
            {choice(
                "width",
                "Width",
                Some(wish.width.word()),
                Width::ALL.iter().map(|one| (one.word(), one.label())),
            )}
            {choice(
                "text",
                "Text",
                Some(wish.text.word()),
                TextSize::ALL.iter().map(|one| (one.word(), one.label())),
            )}
            {choice(
                "motion",
                "Motion",
                Some(wish.motion.word()),
                Motion::ALL.iter().map(|one| (one.word(), one.label())),
            )}
            <button class="button button--primary" type="submit">"Show"</button>
        </form>
    }
}

fn choice(
    name: &'static str,
    label: &'static str,
    chosen: Option<&str>,
    options: impl Iterator<Item = (&'static str, &'static str)>,
) -> impl IntoView {
    let options: Vec<_> = options
        .map(|(value, words)| {
            let selected = value == chosen.unwrap_or_default();
            view! { <option value=value selected=selected>{words}</option> }
        })
        .collect();
    view! {
        <label class="gallery__choice">
            <span class="field__label">{label}</span>
            <select class="field__control" name=name>{options}</select>
        </label>
    }
}
