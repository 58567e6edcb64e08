use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tokio::task::spawn_blocking;

/// What a run of the command said.
pub struct Told {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Told {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("{}{}", self.stdout, self.stderr))
    }

    /// How a check ended: its outcome, and what to try.
    pub fn check(&self, name: &str) -> (String, String) {
        let report = self.json();
        let check = report["checks"].as_array().unwrap().iter().find(|check| check["check"] == name);
        let check = check.unwrap_or_else(|| panic!("no check {name}: {report:#}"));
        let text = |field: &str| check[field].as_str().unwrap_or_default().to_owned();
        (text("outcome"), text("try"))
    }

    pub fn outcomes(&self) -> Vec<String> {
        let report = self.json();
        let checks = report["checks"].as_array().unwrap().iter();
        checks.map(|check| check["outcome"].as_str().unwrap().to_owned()).collect()
    }
}

pub async fn check_model(arguments: &[&str], settings: &[(&str, &str)]) -> Told {
    let folder = tempfile::tempdir().unwrap();
    check_model_in(folder.path(), arguments, settings).await
}

pub async fn check_model_in(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Told {
    let mut command = Command::new(env!("CARGO_BIN_EXE_truthtable"));
    command.env_clear().env("TRUTHTABLE_DEMO_PACE", "0").env("RUST_LOG", "off").current_dir(folder);
    command.arg("check-model").args(arguments).envs(settings.iter().copied());
    // The provider that it asks is on this runtime.
    let output = spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let Output { status, stdout, stderr } = output;
    Told {
        code: status.code().unwrap(),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}
