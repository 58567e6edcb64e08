//! `truthtable check-model`, against the demo model and against a provider that misbehaves; and transcripts that are
//! replayed through the adapter.

mod support;

mod check_model {
    mod command;
    mod misbehaviour;
    mod provider;
    mod transcripts;
}
