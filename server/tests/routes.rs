//! Every route, from outside: what it takes, what it answers, and how it refuses.

mod routes {
    mod approvals;
    mod bodies;
    mod conversations;
    mod elsewhere;
    mod handovers;
    mod runs;
    mod status;
}
mod support;
