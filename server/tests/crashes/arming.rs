//! A test cannot name a place that is not there (any more).

use std::process::{Command, Output};

fn start(fault: &str, with_file: bool) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_truthtable"));
    command.env_clear().env("TRUTHTABLE_FAULT", fault).arg("serve");
    // Were it taken, the server would still not serve.
    command.env("DATABASE_URL", "none").env("TRUTHTABLE_ADDR", "127.0.0.1:0");
    if with_file {
        command.env("TRUTHTABLE_FAULT_FILE", folder.path().join("struck"));
    }
    command.output().unwrap()
}

fn assert_refused(output: &Output, sentence: &str) {
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr).trim(), format!("truthtable: {sentence}"));
}

#[test]
fn a_place_that_does_not_exist_stops_the_server_at_its_start() {
    assert_refused(&start("turn-sored", true), r#"TRUTHTABLE_FAULT: there is no place "turn-sored""#);
}

#[test]
fn a_number_of_times_that_never_comes_stops_the_server_at_its_start() {
    assert_refused(&start("turn-stored:0", true), r#"TRUTHTABLE_FAULT: "0" is no number of times"#);
    assert_refused(&start("turn-stored:x", true), r#"TRUTHTABLE_FAULT: "x" is no number of times"#);
}

#[test]
fn a_fault_without_a_file_for_its_proof_stops_the_server_at_its_start() {
    assert_refused(&start("turn-stored", false), "TRUTHTABLE_FAULT needs TRUTHTABLE_FAULT_FILE");
}
