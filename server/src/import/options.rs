//! The command line of `truthtable import`.

use std::path::PathBuf;

use clap::Args;

pub const ABOUT: &str = "\
Imports restaurants from a JSON file.

The file is checked as a whole: either all of it is imported, or nothing is and every error is told with \
its line. Restaurants are known by their ids, so that a file can be imported again after a change. \
Bookings are never dropped: those that no longer fit (outside the new hours, on a closed day, more guests \
than seats) are listed, receipts follow a new name, address, contact or clock, and whoever waits and fits \
now is confirmed. Orders in the file are added, or changed where their numbers are known; none is removed, and \
none changes hands. A running server takes the change at once. The database is the one of \
DATABASE_URL.

Exit status: 0 imported, or nothing to do; 1 refused, because the file has errors or, with \
--fail-on-conflict, because bookings no longer fit; 2 not possible, because the command line is wrong, \
the file cannot be read or the database does not work. In both latter cases nothing has changed.

  truthtable import --schema > restaurants.schema.json
  truthtable import --dry-run restaurants.json
  truthtable import restaurants.json";

#[derive(Clone, Debug, Args)]
pub struct ImportOptions {
    /// The file; - reads it from standard input
    #[arg(value_name = "FILE.json")]
    pub file: Option<PathBuf>,

    /// Tells what would change, and changes nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Refuses the import where existing bookings would no longer fit
    #[arg(long)]
    pub fail_on_conflict: bool,

    /// Removes the restaurants that are not in the file; those that were ever booked stay
    #[arg(long)]
    pub remove_others: bool,

    /// Prints the result, or the errors, as JSON
    #[arg(long)]
    pub json: bool,

    /// Prints the JSON Schema of the file
    #[arg(long, conflicts_with_all = ["file", "dry_run", "fail_on_conflict", "remove_others", "json"])]
    pub schema: bool,
}
