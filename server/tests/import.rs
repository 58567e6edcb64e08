//! `truthtable import`, through the program, the database, and the guests of a running server.

mod import {
    mod changes;
    mod conflicts;
    mod errors;
    mod guests;
    mod operator;
    mod orders;
    mod reading;
    mod schema;
}
mod support;
