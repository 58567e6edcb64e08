use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use server::fault::Point;
use tempfile::TempDir;

use super::guest::InsistentGuest;
use super::reader::Reader;
use super::story::Story;
use crate::support::{DatabaseKind, Guest, Home, ScriptedModel, Server, Stage};

/// Where a process is told to die, and the proof that it did.
pub struct Fault {
    pub point: Point,
    /// At the n-th time that it comes there.
    pub nth: u32,
    folder: TempDir,
}

impl Fault {
    pub fn new(point: Point, nth: u32) -> Self {
        Self { point, nth, folder: tempfile::tempdir().unwrap() }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("struck")
    }

    pub fn settings(&self) -> [(&'static str, String); 2] {
        let file = self.file().to_str().unwrap().to_owned();
        [("TRUTHTABLE_FAULT", format!("{}:{}", self.point.name(), self.nth)), ("TRUTHTABLE_FAULT_FILE", file)]
    }

    /// Whether a process has died of it.
    pub fn struck(&self) -> bool {
        let at = std::fs::read_to_string(self.file());
        at.is_ok_and(|at| {
            assert_eq!(at, self.point.name(), "it died somewhere else");
            true
        })
    }
}

/// How long a fault that has been reached takes to end the process.
const DYING: Duration = Duration::from_millis(500);

/// Plays a story on a server that dies on the way and is started again, and looks at everything from outside.
/// False where it did not come to the n-th time: then nobody died.
pub async fn play(kind: DatabaseKind, fault: &Fault, story: Story) -> bool {
    let model = ScriptedModel::start(story.first_turn()).await;
    model.otherwise(move |request| story.turn(request));
    let of_fault = fault.settings();
    let of_fault = of_fault.each_ref().map(|(name, value)| (*name, value.as_str()));
    let lease = [("TRUTHTABLE_LEASE_SECONDS", "1")];
    let settings = [&model.settings()[..], &of_fault, &lease, story.settings()].concat();
    let mut server = Server::start_or_end(&Home::fresh(kind), &settings);
    let at_its_start = server.url.is_empty();
    if at_its_start {
        start_again(&mut server, &AtomicBool::new(false)).await;
    }

    let (guest, first, is_over) = (Guest::new(&server), server.pid(), AtomicBool::new(false));
    let playing = async {
        let guest = InsistentGuest::of(guest).await;
        let reader = Reader::start(&guest);
        story.play(&guest, first).await;
        is_over.store(true, Ordering::SeqCst);
        (guest, reader)
    };
    let ((guest, reader), on_the_way) = tokio::join!(playing, start_again(&mut server, &is_over));
    if !(at_its_start || on_the_way) {
        return false;
    }
    assert!(fault.struck(), "it died of something else");

    let InsistentGuest { guest, conversation } = guest;
    let stage = Stage { model, server, guest, conversation };
    look(&stage, reader, story).await;
    true
}

/// Starts the server again, without its fault, when it has died of it; false where the story is over before.
async fn start_again(server: &mut Server, is_over: &AtomicBool) -> bool {
    let mut over_since = None;
    loop {
        if let Some(status) = server.ended() {
            assert_eq!(status.signal(), Some(9), "it was not killed: {status}");
            server.restart_without(&["TRUTHTABLE_FAULT"]);
            return true;
        }
        if is_over.load(Ordering::SeqCst) && over_since.get_or_insert_with(Instant::now).elapsed() > DYING {
            return false;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Rows of which there is none when nothing is under way.
const UNDER_WAY: [&str; 4] = [
    "SELECT id FROM runs WHERE status IN ('queued', 'running', 'awaiting-approval')",
    "SELECT id FROM tool_calls WHERE state <> 'ended' OR ended_as IS NULL OR result_content IS NULL",
    "SELECT id FROM approvals WHERE status = 'pending'",
    "SELECT id FROM effects WHERE status NOT IN ('done', 'failed', 'released')",
];

async fn look(stage: &Stage, reader: Reader, story: Story) {
    let view = stage.view().await;
    let outcome = story.outcome();
    assert_eq!(view["run"]["status"], outcome.status, "{view:#}");
    // A reader who stayed saw what one sees who comes now.
    let seen = reader.up_to(view["lastEventId"].as_u64().unwrap()).await;
    assert_eq!(seen, stage.events().await);

    let database = stage.server.database().await;
    for rows in UNDER_WAY {
        assert_eq!(database.texts(rows).await, Vec::<String>::new(), "{rows}");
    }
    let receipts = "SELECT e.business_key FROM effects e JOIN bookings b ON b.tool_call_id = e.tool_call_id
                    WHERE e.status = 'done'";
    assert_eq!(database.bookings().await.len(), outcome.bookings);
    assert_eq!(database.texts(receipts).await.len(), outcome.bookings);
    assert_eq!(database.number("SELECT COUNT(*) FROM effects").await, outcome.bookings as i64);
    stage.assert_ended(outcome.status).await;
}
