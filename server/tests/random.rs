//! Operations drawn at random against real server processes, and what a small reference model says of them.
//!
//! `TRUTHTABLE_RANDOM_CASES` says how many scripts are drawn, `TRUTHTABLE_RANDOM_SEED` which ones.

mod random {
    mod judge;
    mod operations;
    mod planted;
    mod property;
    mod reference;
    mod screen;
    mod world;
}
mod support;
