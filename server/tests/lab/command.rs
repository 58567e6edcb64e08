use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{ended, lab, run, run_in, text};

#[test]
fn it_explains_itself_to_somebody_who_has_read_nothing() {
    let output = run(&["--case", "c4"]);
    let told = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for wanted in [
        "How often is money paid back",
        "C4  The key names the thing done; killed, and begun again from nothing",
        "killed with SIGKILL",
        "At the provider: 1 refund\n",
        "350,000 đồng  key refund:DH-7K2Q4#1",
        "case  key       after the crash  refunds  model calls  tokens sent",
        "What to learn",
    ] {
        assert!(told.contains(wanted), "{wanted:?} is not in:\n{told}");
    }
    assert!(told.lines().all(|line| line.chars().count() <= 100), "{told}");
}

#[test]
fn what_it_keeps_are_the_databases_of_each_case_and_nothing_else_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(&folder, &["--case", "C3", "--keep", "kept"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let names = |path: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(path).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(folder.path()), ["kept"]);
    assert_eq!(names(&folder.path().join("kept")), ["C3", "model.log"]);
    let case = folder.path().join("kept/C3");
    assert!(names(&case).iter().any(|name| name == "product.db"), "{:?}", names(&case));
    let provider = rusqlite::Connection::open(case.join("provider.db")).unwrap();
    let paid: Vec<(String, i64)> = provider
        .prepare("SELECT order_number, amount FROM refunds")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(paid, [("DH-7K2Q4".to_owned(), 350_000), ("DH-7K2Q4".to_owned(), 350_000)]);

    // A second lab does not write over it.
    let again = run_in(&folder, &["--keep", "kept"]);
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(text(&again.stderr), "truthtable: kept: the folder to keep things in must be new or empty\n");
    assert_eq!(text(&again.stdout), "");
}

#[test]
fn what_does_not_start_is_told_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let output = run_in(&folder, &["--keep", "file/in/it"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(told.starts_with("truthtable: file/in/it cannot be used: "), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");

    let output = run(&["--case", "C5"]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("C5"), "{told}");
}

#[test]
fn interrupted_or_killed_it_leaves_no_process_and_interrupted_no_folder() {
    for (signal, expected) in [("INT", Some(130)), ("TERM", Some(143)), ("HUP", Some(129)), ("KILL", None)] {
        let (folder, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut lab = lab(&folder, &[]).env("TMPDIR", temporary.path()).spawn().unwrap();
        // It says its first words when the model is there, and a server follows.
        let mut line = String::new();
        BufReader::new(lab.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let started = children(lab.id(), 2);

        let sent = Command::new("kill").args([format!("-{signal}"), lab.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let status = ended(lab).status;
        assert_eq!(status.code(), expected, "SIG{signal}");
        gone(&started);
        if signal != "KILL" {
            assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0, "SIG{signal}");
        }
    }
}

const PATIENCE: Duration = Duration::from_secs(20);

/// The processes that this one has started, when there are at least so many.
fn children(parent: u32, at_least: usize) -> HashSet<u32> {
    let begun = Instant::now();
    loop {
        let found: HashSet<u32> = std::fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok())
            .filter(|pid| parent_of(*pid) == Some(parent))
            .collect();
        if found.len() >= at_least {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "only {found:?} were started");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// None where there is no such process, or one that has ended and waits to be looked at.
fn parent_of(pid: u32) -> Option<u32> {
    // `pid (name) state parent …`
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit(") ").next()?.split(' ');
    let state = fields.next()?;
    if state == "Z" { None } else { fields.next()?.parse().ok() }
}

fn gone(processes: &HashSet<u32>) {
    let begun = Instant::now();
    while processes.iter().any(|pid| parent_of(*pid).is_some()) {
        assert!(begun.elapsed() < PATIENCE, "still there: {processes:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
