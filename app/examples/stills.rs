//! Writes pages as files, for a look at the design without a server:
//! `cargo run -p app --features ssr --example stills -- <folder>`.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use app::gallery::fixtures;
use app::i18n::Lang;
use app::{PageData, shell};
use leptos::config::LeptosOptions;
use leptos::prelude::*;
use leptos::reactive::owner::Owner;
use shared::api::{ConversationSummary, Effects, ServiceStatus};
use shared::ids::{ConversationId, MessageId, RunId};
use shared::message::{MessagePart, Role, UiMessage};
use shared::reduce::{Conversation, RunView};
use shared::run::RunStatus;

fn main() -> io::Result<()> {
    let folder = env::args().nth(1).map_or_else(|| PathBuf::from("target/stills"), PathBuf::from);
    fs::create_dir_all(&folder)?;
    let css = stylesheet(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../style"))?;
    for lang in Lang::ALL {
        let tag = lang.tag();
        let pages = [
            ("empty", page(lang, Conversation::default(), None)),
            (
                "weather",
                chat(
                    lang,
                    &[
                        "weather-output-available",
                        "weather-one-day",
                        "weather-input-streaming",
                        "weather-input-available",
                    ],
                ),
            ),
            (
                "tables",
                chat(
                    lang,
                    &[
                        "tables-output-available",
                        "tables-none",
                        "tables-input-streaming",
                        "tables-approval-requested",
                    ],
                ),
            ),
            (
                "booking",
                chat(
                    lang,
                    &[
                        "booking-input-streaming",
                        "booking-approval-requested",
                        "booking-approval-requested-full",
                        "booking-approval-responded-approved",
                    ],
                ),
            ),
            (
                "receipt",
                chat(
                    lang,
                    &[
                        "booking-edited",
                        "booking-waitlisted",
                        "booking-output-updated",
                        "booking-output-cancelled-repeated",
                    ],
                ),
            ),
            (
                "bookings",
                chat(
                    lang,
                    &["list-output-available", "list-one", "list-past", "list-none", "list-input-available"],
                ),
            ),
            ("many-bookings", chat(lang, &["list-many"])),
            (
                "changes",
                chat(
                    lang,
                    &[
                        "change-approval-requested",
                        "change-approval-requested-waits",
                        "change-output-error-full",
                        "change-output-available",
                        "change-waitlisted",
                    ],
                ),
            ),
            (
                "cancellations",
                chat(
                    lang,
                    &[
                        "cancel-approval-requested",
                        "cancel-approval-requested-waits",
                        "cancel-output-available",
                        "cancel-output-error-booking-cancelled",
                        "cancel-output-denied",
                    ],
                ),
            ),
            (
                "changed-since",
                chat(
                    lang,
                    &[
                        "booking-output-available",
                        "booking-moved-up",
                        "booking-cancelled-since",
                        "booking-changed-later",
                        "change-edited",
                    ],
                ),
            ),
            (
                "orders",
                chat(
                    lang,
                    &[
                        "order-input-streaming",
                        "order-output-available",
                        "order-refunded",
                        "order-huge",
                        "order-output-error-unknown-order",
                    ],
                ),
            ),
            (
                "refund-asks",
                chat(
                    lang,
                    &[
                        "refund-input-streaming",
                        "refund-approval-requested",
                        "refund-approval-requested-huge",
                        "refund-approval-responded-approved",
                    ],
                ),
            ),
            (
                "refunds",
                chat(
                    lang,
                    &[
                        "refund-submitted",
                        "refund-output-available",
                        "refund-edited",
                        "refund-failed-card-expired",
                        "refund-huge",
                    ],
                ),
            ),
            (
                "refunds-ended",
                chat(
                    lang,
                    &[
                        "refund-output-unknown",
                        "refund-output-error-another-refund",
                        "refund-output-error-unknown-order",
                        "refund-output-denied",
                        "refund-output-cancelled-repeated",
                        "refund-output-cancelled-expired",
                    ],
                ),
            ),
            (
                "ended",
                chat(
                    lang,
                    &[
                        "booking-output-error-closed",
                        "booking-output-denied",
                        "booking-output-cancelled-expired",
                        "booking-output-unknown",
                        "weather-output-error-unknown-city",
                        "untyped-output-available",
                    ],
                ),
            ),
        ];
        for (name, data) in pages {
            let html = render(data).replace("</head>", &format!("<style>{css}</style></head>"));
            fs::write(folder.join(format!("{name}-{tag}.html")), html)?;
        }
    }
    Ok(())
}

/// The style sheet with its imports in place.
fn stylesheet(folder: &Path) -> io::Result<String> {
    let main = fs::read_to_string(folder.join("main.css"))?;
    let files = main.lines().filter_map(|line| line.strip_prefix("@import \"./")?.strip_suffix("\";"));
    files.map(|file| fs::read_to_string(folder.join(file))).collect()
}

fn render(data: PageData) -> String {
    Owner::new().with(|| {
        provide_context(data);
        shell(LeptosOptions::builder().output_name("truthtable").build()).into_view().to_html()
    })
}

fn chat(lang: Lang, names: &[&str]) -> PageData {
    let all = fixtures::all();
    let parts = names.iter().filter_map(|name| all.iter().find(|fixture| fixture.name == *name));
    let mut messages = Vec::new();
    for (index, fixture) in parts.enumerate() {
        let text = |text: &str| MessagePart::Text(text.to_owned());
        messages.push(UiMessage {
            id: MessageId(format!("u{index}")),
            role: Role::User,
            parts: vec![text("Đặt giúp mình bàn ở Bếp Mây lúc 7 giờ tối thứ Bảy cho 4 người nhé")],
            withdrawn_from: None,
        });
        messages.push(UiMessage {
            id: MessageId(format!("a{index}")),
            role: Role::Assistant,
            parts: vec![
                MessagePart::Reasoning("Khách muốn đặt bàn.".to_owned()),
                MessagePart::Tool(fixture.part.clone()),
                text("Bạn xem thẻ ở trên nhé. Cần đổi giờ hay số người thì nhắn mình."),
            ],
            withdrawn_from: None,
        });
    }
    let run = messages.last().map(|message| RunView {
        run_id: RunId("0192f3a1-7c4e".to_owned()),
        status: if names.len() > 5 { RunStatus::Failed } else { RunStatus::Running },
        step: 1,
        message_id: message.id.clone(),
        step_start: 0,
        text_open: false,
    });
    page(lang, Conversation { messages, run, last_event_id: 10 }, Some("c1"))
}

fn page(lang: Lang, conversation: Conversation, id: Option<&str>) -> PageData {
    let summary = |id: &str, title: &str, waiting| ConversationSummary {
        conversation_id: ConversationId(id.to_owned()),
        title: title.to_owned(),
        updated_at: fixtures::now(),
        waiting,
    };
    PageData {
        lang,
        conversation_id: id.map(|id| ConversationId(id.to_owned())),
        conversation,
        handover: None,
        conversations: vec![
            summary("c1", "Đặt giúp mình bàn ở Bếp Mây lúc 7 giờ tối thứ Bảy cho 4 người nhé", 1),
            summary("c2", "Cuối tuần này Đà Lạt có mưa không?", 0),
            summary("c3", "", 0),
        ],
        demo_model: true,
        status: ServiceStatus { effects: Effects::On, reason: None, contact: Some("1900 1234".to_owned()) },
        persona: None,
        time_zone_offset_minutes: 420,
        now: fixtures::now(),
        not_found: false,
    }
}
