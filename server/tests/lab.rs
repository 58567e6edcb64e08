//! `truthtable lab`: how often a refund is paid when its server is killed, by what the provider knows it.

mod support;

mod lab {
    mod command;
    mod results;
}

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::DemoModel;

/// How long the whole lab may take.
const PATIENCE: Duration = Duration::from_secs(180);

/// `truthtable lab …` in a folder of its own.
fn lab(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_truthtable"));
    command
        .arg("lab")
        .args(arguments)
        .env_clear()
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    run_in(&folder, arguments)
}

fn run_in(folder: &TempDir, arguments: &[&str]) -> Output {
    ended(lab(folder, arguments).spawn().unwrap())
}

fn ended(mut child: Child) -> Output {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the lab does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The lines of JSON of a lab that ended with this status.
#[track_caller]
fn results(arguments: &[&str], status: i32) -> Vec<Value> {
    let model = DemoModel::default();
    let output = run(&[&["--json", "--model", &model.url("0")], arguments].concat());
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{stdout}\n{stderr}");
    assert!(!model.requests().is_empty(), "another model was asked");
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
