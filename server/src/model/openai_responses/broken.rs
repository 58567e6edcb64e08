//! Why events add up to no turn.

/// The events contradict the protocol: what they add up to cannot be known.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error("an event that is not of the protocol: {0}")]
    Event(#[from] serde_json::Error),
    #[error("event {0} came after event {1}")]
    OutOfOrder(u64, u64),
    #[error("the response became another one")]
    AnotherResponse,
    #[error("an item without a type")]
    NoType,
    #[error("item {0} was opened twice")]
    OpenedTwice(u64),
    #[error("item {0} was finished twice")]
    FinishedTwice(u64),
    #[error("a piece of item {0}, which is not open, of another kind or another one")]
    StrayPiece(u64),
    #[error("item {0} is not what its pieces said")]
    Disagrees(u64),
    #[error("the response was completed while item {0} was open")]
    StillOpen(u64),
    #[error("the response was completed with item {0} cut short")]
    Cut(u64),
    #[error("the response was completed with {0} items after {1} were streamed")]
    OtherItems(usize, usize),
    #[error("response.completed came with the status {0:?}")]
    Status(String),
    #[error("the stream ended before its response was completed")]
    NoEnd,
}
