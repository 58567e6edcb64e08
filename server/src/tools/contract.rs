//! What a tool of the server is: the shared contract, and the code that runs.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use shared::error_code::ErrorCode;
use shared::ids::{ToolCallId, UserId};
use shared::tools::{NoPreview, Tool};

use crate::clock::Clock;
use crate::db::{self, Connection, Pool};
use crate::refunds::Receivers;
use crate::weather::Weather;

/// Who asks, and when.
#[derive(Clone, Debug)]
pub struct ToolContext {
    /// From the session, never from arguments.
    pub user: UserId,
    pub tool_call_id: ToolCallId,
    pub now: DateTime<Utc>,
    /// For reading only.
    pub read: Pool,
    pub weather: Arc<dyn Weather>,
}

/// A tool without effects: may run at any time, also beside others.
#[async_trait]
pub trait ReadTool: Tool<Preview = NoPreview> {
    async fn run(cx: &ToolContext, input: Self::Input) -> Result<Self::Output, ToolFailure>;
}

/// A tool with an effect.
#[async_trait]
pub trait WriteTool: Tool {
    /// Takes the locks behind which what `preview` and `run` see stays true until the transaction ends. Also
    /// for something that is not there.
    async fn lock(
        transaction: &mut Connection,
        cx: &ToolContext,
        input: &Self::Input,
    ) -> Result<(), ToolFailure>;

    /// The domain's checks, and what a person must see to decide. Runs before the question and again
    /// before the effect.
    async fn preview(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &Self::Input,
    ) -> Result<Self::Preview, ToolFailure>;

    /// Whether what the person agreed to still holds. `edited`: they agreed to other arguments than
    /// the ones that `approved` was made for.
    fn preview_holds(approved: &Self::Preview, now: &Self::Preview, edited: bool) -> bool;

    /// How often what the call changes was changed before: a part of the business key of tools that change
    /// what is there.
    async fn revision(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &Self::Input,
    ) -> Result<u64, db::Error> {
        let _ = (connection, cx, input);
        Ok(0)
    }

    /// How its effect is done.
    fn doing() -> Doing<Self>;

    /// Why a call cannot be: a live effect of another request holds its key. `request`: the live one's;
    /// `output`: how it stands, where that is known.
    fn conflict(request: &Self::Input, output: Option<&Self::Output>) -> Refused {
        let _ = (request, output);
        Refused::new(
            ErrorCode::ConflictsWithEarlier,
            "",
            "The same thing is already booked or asked for, with other details.",
        )
    }
}

/// How the effect of a tool is done.
pub enum Doing<W: WriteTool> {
    /// In our own database: it commits together with the claim of its business key and with the record of
    /// its output.
    Here(&'static dyn DoneHere<W>),
    /// By somebody else, for whom it leaves when its claim is committed.
    Elsewhere(&'static dyn DoneElsewhere<W>),
}

#[async_trait]
pub trait DoneHere<W: WriteTool>: Send + Sync {
    /// The effect, after `preview` has passed in the same transaction. `new_id`: a fresh unique id.
    async fn run(
        &self,
        transaction: &mut Connection,
        cx: &ToolContext,
        input: &W::Input,
        new_id: String,
    ) -> Result<Done<W::Output>, ToolFailure>;
}

#[async_trait]
pub trait DoneElsewhere<W: WriteTool>: Send + Sync {
    /// Writes the domain's rows of a claim, after `preview` has passed in the same transaction, and gives
    /// the request with everything resolved that the input left open.
    async fn claim(
        &self,
        transaction: &mut Connection,
        cx: &ToolContext,
        input: &W::Input,
        new: NewClaim<'_>,
    ) -> Result<W::Input, ToolFailure>;

    /// Asks for the effect, once. Outside of any transaction, as is `look_up`. After `latest` nothing is sent any
    /// more: whoever stood still for so long may have lost the run to somebody who has sent it.
    ///
    /// # Errors
    /// Where it was not done for certain, or where nobody knows.
    async fn send(
        &self,
        outside: &Outside,
        claim: &Claim<W>,
        latest: Instant,
    ) -> Result<Answer<W::Output>, NoEffect>;

    /// Looks for the effect by its key.
    async fn look_up(&self, outside: &Outside, claim: &Claim<W>) -> LookUp<W::Output>;

    /// Lets the domain's rows follow.
    async fn record(
        &self,
        transaction: &mut Connection,
        claim: &Claim<W>,
        came: Came<'_, W::Output>,
    ) -> Result<(), db::Error>;

    /// What came of it, for the model, which did not hear it as a result. `output`: none where it turned
    /// out that nothing was done.
    fn news(&self, claim: &Claim<W>, output: Option<&W::Output>) -> String;
}

/// Whom an effect that leaves may ask, and what it may read.
#[derive(Clone)]
pub struct Outside {
    pub read: Pool,
    pub receivers: Receivers,
    pub clock: Arc<dyn Clock>,
}

/// What a claim is made with.
pub struct NewClaim<'a> {
    /// A fresh unique id.
    pub new_id: String,
    /// The business key with its generation: what the other side knows the effect by.
    pub key: &'a str,
    /// For new effects.
    pub receivers: &'a Receivers,
}

/// An effect that was claimed.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim<W: WriteTool> {
    /// The business key with its generation.
    pub key: String,
    pub request: W::Input,
}

/// An effect as the other side has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<O> {
    pub output: O,
    /// What the other side calls it.
    pub reference: String,
    pub standing: Standing,
}

/// How an effect stands at the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Taken on; how it ends is open.
    Open,
    Done,
    /// For good: it may be tried again as a new one.
    Failed,
}

/// Why an effect gave no answer.
#[derive(Debug)]
pub enum NoEffect {
    /// It was not done, for certain. `log`: all that is known.
    NotDone { refused: Refused, log: String },
    /// It may have been done. For the log.
    NoAnswer(String),
}

/// What looking for an effect gave.
#[derive(Debug)]
pub enum LookUp<O> {
    Found(Answer<O>),
    /// The other side answered, and has no such effect.
    NotThere,
    /// For the log.
    NoAnswer(String),
}

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Came<'a, O> {
    Answered(&'a Answer<O>),
    /// Nobody knows yet.
    Unknown,
    NotDone,
}

/// What an effect gave, and what else follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Done<O> {
    pub output: O,
    pub consequences: Consequences,
}

impl<O> From<O> for Done<O> {
    fn from(output: O) -> Self {
        Self { output, consequences: Consequences::default() }
    }
}

/// What follows from an effect for earlier calls, whosever they are. Committed together with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Consequences {
    /// Receipts that tell something else from now on.
    pub updated: Vec<Updated>,
    /// Calls whose effect is over: their business keys are free again.
    pub released: Vec<ToolCallId>,
    /// Calls whose effect goes on as another request.
    pub moved: Vec<Moved>,
}

/// The output of an earlier call, as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct Updated {
    pub tool_call: ToolCallId,
    pub output: Value,
    /// What happened, for the model of the conversation that it belongs to.
    pub news: String,
    /// Whether the output of the call that did it says so too.
    pub in_result: bool,
}

/// The effect of an earlier call under a new business key.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    pub tool_call: ToolCallId,
    pub business_key: String,
    /// The input that it stands for from now on.
    pub request: Value,
}

#[derive(Debug, thiserror::Error)]
pub enum ToolFailure {
    /// The domain says no, before anything ran.
    #[error("refused: {0}")]
    Refused(Refused),
    /// It broke while running: everything for the log, one sentence for everybody else.
    #[error("failed: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Somebody whom it asked did not answer in time: told like a tool that itself took too long.
    #[error("timed out: {0}")]
    TimedOut(#[source] Box<dyn std::error::Error + Send + Sync>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    pub code: ErrorCode,
    pub params: Map<String, Value>,
    /// JSON pointer of the argument that it is about; empty: all of them.
    pub path: &'static str,
    /// One English sentence, for the model and as a fallback: what is wrong and what would be right.
    pub message: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl Refused {
    pub fn new(code: ErrorCode, path: &'static str, message: impl Into<String>) -> Self {
        Self { code, params: Map::new(), path, message: message.into() }
    }

    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }
}

impl From<Refused> for ToolFailure {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<db::Error> for ToolFailure {
    fn from(error: db::Error) -> Self {
        Self::Failed(Box::new(error))
    }
}
