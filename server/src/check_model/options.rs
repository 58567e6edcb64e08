//! The command line of `truthtable check-model`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

pub const ABOUT: &str = "\
Says whether the configured model works here, within a minute. It is spoken to as the server speaks to it: by the \
same adapter, with the same system prompt and the same tools. It is asked for an answer in words, for one call of a \
tool, for two at once, for an answer after results, and for one after an error. No tool is run: the results are made \
up by this command, nothing is booked or refunded, and no database is opened. The calls cost tokens, some thousands \
in all.

Only what can be judged without reading is judged: whether it streams, whether the arguments fit the tool, whether \
it stops, whether it names degrees that nobody gave it. How good its answers are, it does not say.

Exit status: 0 the model works; 1 it does not, and the table says what failed and what to try; 2 not possible, \
because a setting is wrong or the file cannot be written.";

#[derive(Clone, Debug, Args)]
pub struct CheckOptions {
    /// Gives up after so long; what was not asked by then counts as failed
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = RangedU64ValueParser::<u64>::new().range(1..=3600))]
    pub seconds: u64,

    /// Prints JSON, for programs
    #[arg(long)]
    pub json: bool,

    /// Keeps what was sent and answered in this file, byte by byte and without the key, to be replayed in tests
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl CheckOptions {
    pub fn deadline(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}
