//! Places where a test lets the process die. Only in builds with the feature `fault-points`; in any other
//! there is nothing of them.

/// `fault_point!(TurnStored)`: here the process dies where it was told to, see [`arm`].
macro_rules! fault_point {
    ($point:ident) => {
        #[cfg(feature = "fault-points")]
        $crate::fault::reached($crate::fault::Point::$point)
    };
}
pub(crate) use fault_point;

#[cfg(feature = "fault-points")]
pub use armed::{Point, arm, reached};

#[cfg(feature = "fault-points")]
mod armed {
    use std::path::PathBuf;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    use rustix::process::{Signal, getpid, kill_process};

    macro_rules! points {
        ($($(#[$doc:meta])* $point:ident = $name:literal,)*) => {
            /// A place in the code.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum Point { $($(#[$doc])* $point,)* }

            impl Point {
                pub const ALL: &[Self] = &[$(Self::$point,)*];

                pub fn name(self) -> &'static str {
                    match self { $(Self::$point => $name,)* }
                }
            }
        };
    }

    points! {
        /// Any transaction, before its commit.
        Commit = "commit",
        /// Any transaction, committed; nobody has been told of it.
        Committed = "committed",
        /// A guest's message with its run, before the commit.
        MessageToStore = "message-to-store",
        /// Committed; the guest has no answer yet, and the run's worker has not started.
        MessageStored = "message-stored",
        /// A run that was resumed or left is about to be taken.
        RunToClaim = "run-to-claim",
        /// Taken; nothing is done for it yet.
        RunClaimed = "run-claimed",
        /// The step is announced, the model has not been called.
        StepStarted = "step-started",
        /// Some of what the model says has come, before its commit.
        DeltasToStore = "deltas-to-store",
        /// On the guest's screen already; the model still speaks.
        DeltasStored = "deltas-stored",
        /// A model call broke half way and is to be made again, before the commit.
        RepeatToStore = "repeat-to-store",
        /// Counted and announced; the model has not been called again.
        RepeatStored = "repeat-stored",
        /// The model's turn is proved complete, and nowhere but here.
        TurnComplete = "turn-complete",
        /// The turn and what becomes of its calls, before the commit.
        TurnToStore = "turn-to-store",
        /// The turn and its planned calls are stored; none has run.
        TurnStored = "turn-stored",
        /// The form and the parking, before the commit.
        ParkingToStore = "parking-to-store",
        /// The form is asked and the run is parked.
        Parked = "parked",
        /// The guest's decision, before the commit.
        DecisionToStore = "decision-to-store",
        /// The decision is stored and its run queued; nobody was woken.
        DecisionStored = "decision-stored",
        /// The door is open: nothing is done for the call yet.
        EffectToDo = "effect-to-do",
        /// Done in the transaction, and not recorded.
        EffectDone = "effect-done",
        /// Done and recorded, before the commit.
        EffectToStore = "effect-to-store",
        /// Done and recorded, committed.
        EffectStored = "effect-stored",
        /// An effect that leaves is claimed, before the commit.
        ClaimToStore = "claim-to-store",
        /// Claimed, and not sent.
        ClaimStored = "claim-stored",
        /// The ledger has it under way: not committed there.
        LedgerToCommit = "ledger-to-commit",
        /// The ledger has done it; nobody has been answered.
        LedgerCommitted = "ledger-committed",
        /// The answer is here, and nowhere recorded.
        OutcomeKnown = "outcome-known",
        /// What came of an effect, before the commit.
        OutcomeToStore = "outcome-to-store",
        /// What came of an effect is recorded.
        OutcomeStored = "outcome-stored",
        /// After a crash it was not there: it will be sent again, before the commit.
        SecondSendToStore = "second-send-to-store",
        /// Noted, and not sent again yet.
        SecondSendStored = "second-send-stored",
        /// What a later look has found, before the commit.
        SettlementToStore = "settlement-to-store",
        /// What a later look has found is recorded.
        SettlementStored = "settlement-stored",
        /// What was read, before the commit.
        ReadToStore = "read-to-store",
        /// One of the turn's reads is recorded, others are not.
        ReadStored = "read-stored",
        /// All results of the turn for the model, before the commit.
        ResultsToDeliver = "results-to-deliver",
        /// The results are in the history; the next model call is not made.
        ResultsDelivered = "results-delivered",
        /// The answer with the run's end, before the commit.
        AnswerToStore = "answer-to-store",
        /// The answer is stored, the run has ended.
        AnswerStored = "answer-stored",
        /// An end without an answer, before the commit.
        EndToStore = "end-to-store",
        /// The run has ended without an answer.
        EndStored = "end-stored",
        /// The guest's stop, before the commit.
        StopToStore = "stop-to-store",
        /// The stop is stored; the worker has not heard of it.
        StopStored = "stop-stored",
        /// A question's time is up, before the commit.
        ExpiryToStore = "expiry-to-store",
        /// The question has expired.
        ExpiryStored = "expiry-stored",
        /// The process ends and leaves its run to another one, before the commit.
        HandBackToStore = "hand-back-to-store",
        /// The run is left to whoever takes it.
        HandedBack = "handed-back",
    }

    struct Armed {
        point: Point,
        /// How often it is still passed, this time included.
        left: AtomicU32,
        file: PathBuf,
    }

    static ARMED: OnceLock<Armed> = OnceLock::new();

    /// Reads where to die: `TRUTHTABLE_FAULT=name`, or `name:n` for the n-th time that it is reached; into the
    /// file `TRUTHTABLE_FAULT_FILE` goes the name of the place where it died.
    ///
    /// # Errors
    /// A sentence, where that is no place or there is no file.
    pub fn arm() -> Result<(), String> {
        let fault = std::env::var("TRUTHTABLE_FAULT").unwrap_or_default();
        if fault.is_empty() {
            return Ok(());
        }
        let (name, times) = fault.split_once(':').unwrap_or((&fault, "1"));
        let point = Point::ALL.iter().copied().find(|point| point.name() == name);
        let point = point.ok_or_else(|| format!("TRUTHTABLE_FAULT: there is no place {name:?}"))?;
        let times = match times.parse::<u32>() {
            Ok(times) if times > 0 => times,
            Ok(_) | Err(_) => return Err(format!("TRUTHTABLE_FAULT: {times:?} is no number of times")),
        };
        let Some(file) = std::env::var_os("TRUTHTABLE_FAULT_FILE") else {
            return Err("TRUTHTABLE_FAULT needs TRUTHTABLE_FAULT_FILE".to_owned());
        };
        let armed = Armed { point, left: AtomicU32::new(times), file: file.into() };
        ARMED.set(armed).map_err(|_| "TRUTHTABLE_FAULT was read before".to_owned())
    }

    /// Dies here, where it was told to.
    pub fn reached(point: Point) {
        let Some(armed) = ARMED.get().filter(|armed| armed.point == point) else { return };
        let last = |left: u32| left.checked_sub(1);
        if armed.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, last) != Ok(1) {
            return;
        }
        std::fs::write(&armed.file, point.name()).expect("the file of the fault can be written");
        kill_process(getpid(), Signal::KILL).expect("a process may kill itself");
    }
}
