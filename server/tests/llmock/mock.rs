//! llmock as a program, one for all tests of this file.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

/// What is scripted for one model, by its name, and what llmock says of whoever asked it.
pub struct Mock {
    url: String,
    model: String,
    client: reqwest::Client,
}

/// One request, as llmock tells of it.
#[derive(Debug)]
pub struct Served {
    seq: u64,
    pub status: u64,
    /// What was done to it, such as `stream:truncate@3`.
    pub fault: Option<String>,
}

impl Mock {
    pub fn of_model(model: &str) -> Self {
        Self { url: url().to_owned(), model: model.to_owned(), client: reqwest::Client::new() }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// What the next requests get. Of each type of behaviour a request takes the first that is left.
    pub async fn script(&self, behaviours: impl IntoIterator<Item = Value>) {
        let behaviours: Vec<Value> = behaviours
            .into_iter()
            .map(|mut behaviour| {
                behaviour["match"] = json!({ "model": self.model });
                behaviour
            })
            .collect();
        let scenario = self.client.post(format!("{}/_llmock/scenario", self.url));
        let told = scenario.json(&json!({ "behaviors": behaviours })).send().await.unwrap();
        assert_eq!(told.status(), 201, "{}", told.text().await.unwrap());
    }

    /// The requests for this model so far, in order.
    pub async fn served(&self) -> Vec<Served> {
        let all = self.ask("requests").await;
        let own = all["requests"].as_array().unwrap().iter().filter(|request| request["model"] == self.model);
        own.map(|request| Served {
            seq: request["seq"].as_u64().unwrap(),
            status: request["status"].as_u64().unwrap(),
            fault: request["fault"].as_str().map(str::to_owned),
        })
        .collect()
    }

    /// What llmock has against how this model was asked: errors and warnings, by their codes.
    pub async fn findings(&self) -> Vec<String> {
        let own: Vec<u64> = self.served().await.iter().map(|request| request.seq).collect();
        let verdict = self.ask("verdict").await;
        let concerns_us = |finding: &&Value| {
            let requests = finding["requests"].as_array().unwrap();
            requests.iter().any(|seq| own.contains(&seq.as_u64().unwrap()))
        };
        let findings = verdict["findings"].as_array().unwrap().iter().filter(concerns_us);
        findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
    }

    async fn ask(&self, what: &str) -> Value {
        let answer = self.client.get(format!("{}/_llmock/{what}", self.url)).send().await.unwrap();
        answer.error_for_status().unwrap().json().await.unwrap()
    }
}

/// The program ends with this process, whose end of its input closes then.
fn url() -> &'static str {
    static LLMOCK: OnceLock<(Child, String)> = OnceLock::new();
    let (_, url) = LLMOCK.get_or_init(|| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/llmock.sh");
        let mut script =
            Command::new(script).arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(script.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().to_owned();
        assert!(url.starts_with("http://"), "this test needs llmock: scripts/llmock.sh install");
        (script, url)
    });
    url
}
