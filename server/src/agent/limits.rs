use std::time::Duration;

/// Per user message, unless said otherwise.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Model calls.
    pub steps: u32,
    /// Tool errors of every kind.
    pub tool_errors: u32,
    /// The same call with the same arguments this many times running: the last one is not executed.
    pub repeats: u32,
    pub tokens: u64,
    /// Of one guest on one day by the house's clock, over all servers.
    pub daily_tokens: u64,
    /// Time at work; waiting for a person does not count.
    pub work: Duration,
    /// How long one question stays open.
    pub approval: Duration,
    /// How long a worker has a run without saying that it still lives.
    pub lease: Duration,
    /// Messages and retries of one guest within a minute.
    pub messages_per_minute: usize,
    /// Runs of one guest at work at the same time.
    pub runs_per_guest: u32,
    /// How soon it is looked again how an effect stands that left for somebody else; each further time after
    /// twice as long.
    pub look_again: Duration,
    /// How long after it was last sent a refund that the receiver does not have may still arrive.
    pub give_up: Duration,
}
