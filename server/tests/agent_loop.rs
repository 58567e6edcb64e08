//! The agent loop, from outside: a model on loopback proposes what each test dictates; what the server
//! makes of it is seen in its answers, its events and what the model is sent next.

mod agent_loop {
    mod approvals;
    mod broken_calls;
    mod budgets;
    mod edits;
    mod expiry;
    mod failures;
    mod freeze;
    mod history;
    mod keys;
    mod limits;
    mod reads;
    mod stop_reasons;
    mod supersede_and_stop;
}
mod support;
