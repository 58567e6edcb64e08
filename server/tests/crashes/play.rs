use std::sync::atomic::{AtomicBool, Ordering};

use super::guest::InsistentGuest;
use super::home::home;
use super::mortal::{Fault, MortalServer};
use super::reader::Reader;
use super::story::Story;
use super::world::World;
use crate::support::{DatabaseKind, Guest, ScriptedModel, Stage};

/// Plays a story on a server that dies on the way, once of each fault, and is started again each time; then looks
/// at everything from outside. False where the story was over before all have struck.
pub async fn play(kind: DatabaseKind, faults: &[Fault], story: Story) -> bool {
    let model = ScriptedModel::start(story.first_turn()).await;
    model.otherwise(move |request| story.turn(request));
    let home = home(kind).await;
    let world = World::of(story, &home).await;
    let lease = [("TRUTHTABLE_LEASE_SECONDS", "2")];
    let settings = [&model.settings()[..], &world.settings(), &lease, story.settings()].concat();
    let mut mortal = MortalServer::start(&home, &settings, faults);

    let (guest, first) = (Guest::new(&mortal.server), mortal.server.pid());
    let is_over = AtomicBool::new(false);
    let playing = async {
        let guest = InsistentGuest::of(guest).await;
        let reader = Reader::start(&guest);
        story.play(&guest, &world, first).await;
        is_over.store(true, Ordering::SeqCst);
        (guest, reader)
    };
    let ((guest, reader), ()) = tokio::join!(playing, mortal.keep_starting(&is_over));
    if mortal.has_faults_left() {
        return false;
    }

    let InsistentGuest { guest, conversation } = guest;
    let stage = Stage { model, server: mortal.server, guest, conversation };
    look(&stage, &world, reader, story).await;
    true
}

/// Rows of which there is none when nothing is under way.
const UNDER_WAY: [&str; 5] = [
    "SELECT id FROM runs WHERE status IN ('queued', 'running', 'awaiting-approval')",
    "SELECT id FROM tool_calls WHERE state <> 'ended' OR ended_as IS NULL OR result_content IS NULL",
    "SELECT id FROM approvals WHERE status = 'pending'",
    "SELECT id FROM effects WHERE status <> 'done' OR output IS NULL",
    "SELECT id FROM refunds WHERE status <> 'succeeded' OR receiver_reference IS NULL",
];

async fn look(stage: &Stage, world: &World, reader: Reader, story: Story) {
    let view = stage.view().await;
    let outcome = story.outcome();
    assert_eq!(view["run"]["status"], outcome.status, "{view:#}");
    // A reader who stayed saw what one sees who comes now.
    let seen = reader.up_to(view["lastEventId"].as_u64().unwrap()).await;
    assert_eq!(seen, stage.events().await);

    for rows in UNDER_WAY {
        assert_eq!(world.database.texts(rows).await, Vec::<String>::new(), "{rows}");
    }
    assert_eq!(world.database.bookings().await.len(), outcome.bookings);
    assert_eq!(world.database.number("SELECT COUNT(*) FROM refunds").await as usize, outcome.refunds);
    assert_eq!(world.refunds_made().await, outcome.refunds);
    // Each effect has its receipt, and each receipt its effect.
    let receipts = "SELECT e.business_key FROM effects e JOIN tool_calls c ON c.id = e.tool_call_id
                    WHERE c.ended_as IN ('output', 'unknown') AND c.output = e.output";
    let effects = world.database.number("SELECT COUNT(*) FROM effects").await as usize;
    assert_eq!(effects, outcome.bookings + outcome.refunds);
    assert_eq!(world.database.texts(receipts).await.len(), effects);
    stage.assert_ended(outcome.status).await;
}
