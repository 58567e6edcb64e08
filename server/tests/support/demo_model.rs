use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;

use serde_json::Value;

use super::request_rules::{Scope, Watch};
use super::serving::Serving;

/// The demo model, served by the test itself so that it sees what every server sends that keeps its data in the
/// same place: conversations go on there, whichever server they were begun with.
pub struct DemoModel {
    watch: Watch,
    /// One for each pace.
    serving: Mutex<HashMap<String, Serving>>,
}

impl Default for DemoModel {
    fn default() -> Self {
        Self { watch: Watch::new(Scope::Conversations), serving: Mutex::default() }
    }
}

impl DemoModel {
    /// Where it answers at this pace, as `TRUTHTABLE_DEMO_PACE` names it.
    pub fn url(&self, pace: &str) -> String {
        let mut serving = self.serving.lock().unwrap();
        let at_this_pace = serving.entry(pace.to_owned()).or_insert_with(|| {
            let pace = pace.parse().expect("a pace");
            Serving::start(self.watch.over(server::model::demo::router(pace)))
        });
        at_this_pace.url.clone()
    }

    /// The bodies of the requests so far.
    pub fn requests(&self) -> Vec<Value> {
        self.watch.requests()
    }
}

impl fmt::Debug for DemoModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DemoModel").finish_non_exhaustive()
    }
}
