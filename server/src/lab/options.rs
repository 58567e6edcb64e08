//! The command lines of `truthtable lab` and of the server that it starts.

use std::path::PathBuf;

use clap::Args;

use super::cases::{CaseName, KeyStrategy};
use super::receiver::Temper;

pub const ABOUT: &str = "\
Shows, with real processes that are really killed, when money is paid back twice and when it is not.

Each case starts this server on a database of its own, with a payment provider that has another one. A guest \
asks for a refund and agrees to it; then the provider refuses again and again (B), or the server is killed in \
the moment in which the provider has paid and the server has not heard so yet (C1 to C4). How many refunds \
there are is counted at the provider. Nothing leaves this machine, and no database of yours is touched.

Exit status: 0 all is as it has to be; 1 a result is another one; 2 not possible, because the command \
line is wrong, or something did not start or stood still; 129, 130 and 143 ended by a signal (SIGHUP, SIGINT, \
SIGTERM).";

#[derive(Clone, Debug, Args)]
pub struct LabOptions {
    /// Only this case [default: all]
    #[arg(long, value_name = "CASE", ignore_case = true)]
    pub case: Option<CaseName>,

    /// Prints a line of JSON for each case, for programs
    #[arg(long)]
    pub json: bool,

    /// Leaves the databases and logs in this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,

    /// Exchanges what the provider knows a refund by: the results are no longer as they have to be
    #[arg(long, hide = true)]
    pub strategy: Option<KeyStrategy>,

    /// A demo model that is served already, in place of one of the lab's own
    #[arg(long, hide = true, value_name = "URL")]
    pub model: Option<String>,
}

/// The server of a case.
#[derive(Clone, Debug, Args)]
pub struct LabServerOptions {
    /// The payment provider's database
    #[arg(long, value_name = "FILE")]
    pub provider: PathBuf,

    #[arg(long)]
    pub key: KeyStrategy,

    #[arg(long)]
    pub temper: Temper,
}
