//! The command line: help, settings that are wrong, and what is printed where.

mod command_line {
    mod handovers;
}
mod support;

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::model::demo::Persona;
use tempfile::TempDir;

/// How long a process may take to start or to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// The binary without any setting of the test's own environment, with its database in a fresh folder.
fn truthtable(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_truthtable"));
    command
        .env_clear()
        .env("DATABASE_URL", format!("sqlite://{}/truthtable.db", folder.path().display()))
        .env("TRUTHTABLE_ADDR", "127.0.0.1:0")
        .current_dir(folder.path());
    command
}

fn run(arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut child = truthtable(&folder)
        .args(arguments)
        .envs(settings.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that serves instead of stopping must not hang the test.
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it did not stop: {arguments:?} {settings:?}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The command line or a setting is wrong: it stops with code 2, nothing on stdout, and one line on stderr,
/// which is returned.
#[track_caller]
fn refused(arguments: &[&str], settings: &[(&str, &str)]) -> String {
    stopped(2, arguments, settings)
}

/// Nothing is wrong with how it is asked for, but it cannot be: the same with code 1.
#[track_caller]
fn not_started(settings: &[(&str, &str)]) -> String {
    stopped(1, &[], settings)
}

#[track_caller]
fn stopped(code: i32, arguments: &[&str], settings: &[(&str, &str)]) -> String {
    let output = run(arguments, settings);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{settings:?}: {stderr}");
    assert_eq!(text(&output.stdout), "", "{settings:?}");
    assert_eq!(stderr.lines().count(), 1, "{settings:?}: {stderr}");
    stderr
}

/// A running server; killed when dropped.
struct Serving {
    child: Child,
    stdout: BufReader<std::process::ChildStdout>,
    url: String,
    _folder: TempDir,
}

fn serving(arguments: &[&str], settings: &[(&str, &str)]) -> Serving {
    let folder = tempfile::tempdir().unwrap();
    let mut child = truthtable(&folder)
        .args(arguments)
        .envs(settings.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    let url = line.strip_suffix('\n').unwrap_or_else(|| panic!("no address: {line:?}")).to_owned();
    Serving { child, stdout, url, _folder: folder }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn help_names_every_setting_with_its_default() {
    for flag in ["--help", "-h"] {
        let output = run(&[flag], &[]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output.stderr), "");
        let help = text(&output.stdout);
        for (setting, default) in [
            ("TRUTHTABLE_ADDR", "127.0.0.1:3000"),
            ("TRUTHTABLE_PUBLIC_URL", ""),
            ("DATABASE_URL", "sqlite://data/truthtable.db"),
            ("TRUTHTABLE_MODEL", "demo"),
            ("TRUTHTABLE_MODEL_URL", "https://api.anthropic.com"),
            ("TRUTHTABLE_MODEL_NAME", "demo/helpful"),
            ("TRUTHTABLE_MAX_TOKENS", "4096"),
            ("TRUTHTABLE_EFFORT", "the provider's"),
            ("ANTHROPIC_API_KEY", ""),
            ("OPENAI_API_KEY", ""),
            ("TRUTHTABLE_DEMO_PACE", "1"),
            ("TRUTHTABLE_MAX_STEPS", "6"),
            ("TRUTHTABLE_MAX_TOOL_ERRORS", "3"),
            ("TRUTHTABLE_MAX_REPEATS", "3"),
            ("TRUTHTABLE_TOKEN_BUDGET", "200000"),
            ("TRUTHTABLE_DAILY_TOKENS", "2000000"),
            ("TRUTHTABLE_RUN_SECONDS", "120"),
            ("TRUTHTABLE_APPROVAL_SECONDS", "1800"),
            ("TRUTHTABLE_ASK_ALSO", ""),
            ("TRUTHTABLE_WEATHER", "sample"),
            ("TRUTHTABLE_WEATHER_URL", "https://api.open-meteo.com"),
            ("TRUTHTABLE_GEOCODING_URL", "https://geocoding-api.open-meteo.com"),
            ("TRUTHTABLE_REFUNDS", "ledger"),
            ("STRIPE_SECRET_KEY", ""),
            ("TRUTHTABLE_STRIPE_URL", "https://api.stripe.com"),
            ("TRUTHTABLE_LOOK_AGAIN_SECONDS", "2"),
            ("TRUTHTABLE_GIVE_UP_SECONDS", "600"),
            ("TRUTHTABLE_CONTACT", ""),
            ("TRUTHTABLE_FREEZE", "data/FREEZE"),
        ] {
            let at = help.find(&format!("[env: {setting}")).unwrap_or_else(|| panic!("{setting} in {help}"));
            // The default stands with the same option, before or after the variable's name.
            let begin = help[..at].rfind("\n      --").unwrap();
            let end = help[at..].find("\n      --").map_or(help.len(), |end| at + end);
            let option = &help[begin..end];
            assert!(option.contains(default), "{default} for {setting} in {option}");
        }
        for word in ["serve", "demo-model", "import", "handovers", "reconcile"] {
            assert!(help.contains(word), "{word} in {help}");
        }
    }
}

#[test]
fn help_names_every_persona_of_the_demo_model() {
    let help = text(&run(&["--help"], &[]).stdout);
    for persona in Persona::ALL {
        assert!(help.contains(&format!("demo/{}", persona.as_str())), "{}: {help}", persona.as_str());
    }
}

#[test]
fn help_tells_a_newcomer_how_to_use_a_real_model() {
    let help = text(&run(&["--help"], &[]).stdout);
    assert!(help.contains("TRUTHTABLE_MODEL=anthropic"), "{help}");
    assert!(help.contains("http://127.0.0.1:3000"), "{help}");
    assert!(help.contains("TRUTHTABLE_WEATHER=open-meteo"), "{help}");
}

#[test]
fn help_shows_no_secret_that_is_set() {
    let secrets = [
        ("ANTHROPIC_API_KEY", "sk-very-secret"),
        ("STRIPE_SECRET_KEY", "sk_live_verborgen"),
        ("DATABASE_URL", "postgres://me:geheim@db/x"),
    ];
    let help = text(&run(&["--help"], &secrets).stdout);
    for secret in ["sk-very-secret", "verborgen", "geheim"] {
        assert!(!help.contains(secret), "{help}");
    }
}

#[test]
fn it_tells_its_version() {
    let output = run(&["--version"], &[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), format!("truthtable {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_wrong_value_of_a_setting_stops_it_with_one_line_that_names_it() {
    for (setting, values) in [
        ("TRUTHTABLE_ADDR", &["nonsense", "localhost", "127.0.0.1", "127.0.0.1:99999", ":3000"][..]),
        ("TRUTHTABLE_PUBLIC_URL", &["nonsense", "ftp://x.example", "https://x.example/path", "x.example"]),
        ("DATABASE_URL", &["mysql://db/x", "nonsense", "sqlite://", "/var/lib/truthtable.db"]),
        ("TRUTHTABLE_MODEL", &["gpt", "Demo", "anthropic,demo"]),
        ("TRUTHTABLE_MODEL_URL", &["nonsense", "file:///etc/passwd"]),
        ("TRUTHTABLE_MODEL_NAME", &["helpful", "demo/saint", "claude"]),
        ("TRUTHTABLE_MAX_TOKENS", &["abc", "0", "-1", "1.5", "99999999999999999999"]),
        ("TRUTHTABLE_EFFORT", &["much"]),
        ("TRUTHTABLE_DEMO_PACE", &["-1", "abc", "NaN", "inf", "1000"]),
        ("TRUTHTABLE_MAX_STEPS", &["abc", "0", "-1", "1e3", " 6"]),
        ("TRUTHTABLE_MAX_TOOL_ERRORS", &["abc", "0"]),
        ("TRUTHTABLE_MAX_REPEATS", &["abc", "0"]),
        ("TRUTHTABLE_TOKEN_BUDGET", &["abc", "0"]),
        ("TRUTHTABLE_DAILY_TOKENS", &["abc", "0"]),
        ("TRUTHTABLE_RUN_SECONDS", &["abc", "0"]),
        ("TRUTHTABLE_APPROVAL_SECONDS", &["abc", "0"]),
        ("TRUTHTABLE_ASK_ALSO", &["nonsense", "getWeather,nonsense", "getweather"]),
        ("TRUTHTABLE_WEATHER", &["sunny", "Sample", "open_meteo"]),
        (
            "TRUTHTABLE_WEATHER_URL",
            &["nonsense", "ftp://x.example", "https://x.example?key=1", "https://x.example/#a"],
        ),
        ("TRUTHTABLE_GEOCODING_URL", &["x.example", "file:///etc/passwd", "https://x.example/?a"]),
        ("TRUTHTABLE_REFUNDS", &["paypal", "Ledger"]),
        ("TRUTHTABLE_STRIPE_URL", &["x.example", "ftp://x.example", "https://x.example/?a"]),
        ("TRUTHTABLE_LOOK_AGAIN_SECONDS", &["abc", "0", "-1", "NaN", "inf", "3601"]),
        ("TRUTHTABLE_CONTACT", &["   ", "1900\n1234", "\u{1b}[2J", "\u{202e}1900 1234", "a\u{9b}b"]),
        ("TRUTHTABLE_FREEZE", &["1", "0", "true", "YES", "on", "False", " 1 ", " ", "/", "data/", "."]),
    ] {
        for value in values {
            let line = refused(&[], &[(setting, value)]);
            assert!(line.contains(setting), "{setting}={value}: {line}");
        }
    }
}

#[test]
fn a_wrong_value_on_the_command_line_stops_it_too() {
    let line = refused(&["--max-steps", "abc"], &[]);
    assert!(line.contains("TRUTHTABLE_MAX_STEPS") || line.contains("--max-steps"), "{line}");
}

#[test]
fn a_wrong_choice_is_told_with_the_right_ones() {
    let line = refused(&[], &[("TRUTHTABLE_MODEL", "gpt")]);
    for choice in ["demo", "anthropic", "openai-chat", "openai-responses"] {
        assert!(line.contains(choice), "{line}");
    }
    let line = refused(&[], &[("TRUTHTABLE_MODEL_NAME", "demo/saint")]);
    assert!(line.contains("demo/silent-liar"), "{line}");
    let line = refused(&[], &[("TRUTHTABLE_WEATHER", "sunny")]);
    assert!(line.contains("sample") && line.contains("open-meteo"), "{line}");
    let line = refused(&[], &[("TRUTHTABLE_ASK_ALSO", "nonsense")]);
    assert!(line.contains("getWeather"), "{line}");
}

#[test]
fn a_switch_word_for_the_freeze_is_told_that_it_is_a_files_path() {
    for word in ["1", "true", "yes", "no"] {
        let line = refused(&[], &[("TRUTHTABLE_FREEZE", word)]);
        assert!(line.contains("TRUTHTABLE_FREEZE") && line.contains("path of a file"), "{line}");
    }
}

#[test]
fn a_contact_has_200_characters_at_most() {
    let line = refused(&[], &[("TRUTHTABLE_CONTACT", &"đ".repeat(201))]);
    assert!(line.contains("TRUTHTABLE_CONTACT") && line.contains("200"), "{line}");
    assert!(serving(&[], &[("TRUTHTABLE_CONTACT", &"đ".repeat(200))]).url.starts_with("http://"));
}

#[test]
fn a_real_model_needs_a_name_and_a_key() {
    let line = refused(&[], &[("TRUTHTABLE_MODEL", "anthropic"), ("ANTHROPIC_API_KEY", "sk-x")]);
    assert!(line.contains("TRUTHTABLE_MODEL_NAME"), "{line}");
    let line = refused(&[], &[("TRUTHTABLE_MODEL", "anthropic"), ("TRUTHTABLE_MODEL_NAME", "some-model")]);
    assert!(line.contains("ANTHROPIC_API_KEY"), "{line}");
    let line = refused(&[], &[("TRUTHTABLE_MODEL", "openai-chat"), ("OPENAI_API_KEY", "sk-x")]);
    assert!(line.contains("TRUTHTABLE_MODEL_NAME") && line.contains("openai-chat"), "{line}");
}

#[test]
fn openai_itself_needs_a_key_and_a_server_of_ones_own_does_not() {
    for protocol in ["openai-chat", "openai-responses"] {
        let named = [("TRUTHTABLE_MODEL", protocol), ("TRUTHTABLE_MODEL_NAME", "some-model")];
        for url in [None, Some("https://api.openai.com/v1"), Some("https://api.openai.com/v1/")] {
            let url = url.map(|url| ("TRUTHTABLE_MODEL_URL", url));
            let line = refused(&[], &[&named[..], url.as_slice()].concat());
            assert!(line.contains("OPENAI_API_KEY") && line.contains(protocol), "{line}");
        }
        let local = [&named[..], &[("TRUTHTABLE_MODEL_URL", "http://127.0.0.1:11434/v1")]].concat();
        assert!(serving(&[], &local).url.starts_with("http://"));
        let with_key = [&named[..], &[("OPENAI_API_KEY", "sk-x")]].concat();
        assert!(serving(&[], &with_key).url.starts_with("http://"));
    }
}

#[test]
fn stripe_needs_a_key() {
    for settings in [
        &[("TRUTHTABLE_REFUNDS", "stripe")][..],
        &[("TRUTHTABLE_REFUNDS", "stripe"), ("STRIPE_SECRET_KEY", " ")],
    ] {
        let line = refused(&[], settings);
        assert!(line.contains("STRIPE_SECRET_KEY"), "{line}");
    }
}

#[test]
fn an_empty_variable_is_the_same_as_none() {
    let empty = [
        ("TRUTHTABLE_MODEL", ""),
        ("TRUTHTABLE_MODEL_NAME", ""),
        ("TRUTHTABLE_MAX_STEPS", ""),
        ("TRUTHTABLE_ASK_ALSO", ""),
        ("TRUTHTABLE_PUBLIC_URL", ""),
        ("ANTHROPIC_API_KEY", ""),
        ("OPENAI_API_KEY", ""),
        ("TRUTHTABLE_REFUNDS", ""),
        ("STRIPE_SECRET_KEY", ""),
        ("TRUTHTABLE_CONTACT", ""),
        ("TRUTHTABLE_FREEZE", ""),
    ];
    assert!(serving(&[], &empty).url.starts_with("http://127.0.0.1:"));
}

#[test]
fn an_address_in_use_stops_it_with_one_line_that_names_the_setting() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let line = not_started(&[("TRUTHTABLE_ADDR", &addr)]);
    assert!(line.contains("TRUTHTABLE_ADDR") && line.contains(&addr), "{line}");
}

#[test]
fn a_folder_that_cannot_be_made_stops_it_with_one_line_that_names_the_setting() {
    let folder = tempfile::tempdir().unwrap();
    // A file stands where the folder should be: not even root can make it.
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let url = format!("sqlite://{}/deeper/truthtable.db", file.display());
    let line = not_started(&[("DATABASE_URL", &url)]);
    assert!(line.contains("DATABASE_URL"), "{line}");
    // And a folder where the file should be.
    let url = format!("sqlite://{}", folder.path().display());
    let line = not_started(&[("DATABASE_URL", &url)]);
    assert!(line.contains("DATABASE_URL"), "{line}");
}

#[test]
fn a_file_that_is_no_database_stops_it_with_one_line_that_names_the_setting() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("truthtable.db");
    std::fs::write(&file, "This is a letter to my aunt, and no database at all. ".repeat(100)).unwrap();
    let line = not_started(&[("DATABASE_URL", &format!("sqlite://{}", file.display()))]);
    assert!(line.contains("DATABASE_URL"), "{line}");
}

#[test]
fn a_refused_setting_shows_no_password() {
    let line = refused(&[], &[("DATABASE_URL", "mysql://me:geheim@db.example/x")]);
    assert!(line.contains("DATABASE_URL"), "{line}");
    assert!(!line.contains("geheim"), "{line}");
}

#[test]
fn unknown_subcommands_and_options_are_refused() {
    for arguments in [
        &["dance"][..],
        &["--dance"],
        &["serve", "dance"],
        &["demo-model", "--port", "abc"],
        &["import", "--dance"],
        &["handovers", "dance"],
        &["reconcile", "--dance"],
        &["lab", "--dance"],
    ] {
        let line = refused(arguments, &[]);
        assert!(line.contains(arguments[arguments.len() - 1]), "{line}");
    }
}

#[test]
fn text_that_is_no_text_is_refused_in_one_line_that_names_the_setting() {
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    let output = truthtable(&folder)
        .env("TRUTHTABLE_MODEL_NAME", std::ffi::OsStr::from_bytes(b"demo/\xff"))
        .output()
        .unwrap();
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains("TRUTHTABLE_MODEL_NAME"), "{stderr}");
}

#[test]
fn a_log_that_no_terminal_shows_has_no_colours() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut child = truthtable(&folder)
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait().unwrap();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("INFO") && log.contains("stopping"), "{log}");
    assert!(!log.contains('\u{1b}'), "{log:?}");
}

#[test]
fn help_tells_what_each_exit_status_means() {
    for (arguments, wanted) in [
        (&["--help"][..], "2 the command line or a setting is wrong"),
        (&["import", "--help"], "2 not possible, because the command line is wrong"),
        (&["reconcile", "--help"], "1 of some effects it is still not known; 2 not possible"),
        (&["lab", "--help"], "143 ended by a signal"),
    ] {
        let help = text(&run(arguments, &[]).stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(wanted), "{wanted} in {help}");
    }
}

#[tokio::test]
async fn serve_prints_its_address_and_nothing_else_on_stdout() {
    for arguments in [&[][..], &["serve"]] {
        let mut serving = serving(arguments, &[]);
        let port = serving.url.strip_prefix("http://127.0.0.1:").and_then(|port| port.parse::<u16>().ok());
        assert!(port.is_some_and(|port| port > 0), "{}", serving.url);
        // Also after it has had something to do.
        let answer = reqwest::get(format!("{}/readyz", serving.url)).await.unwrap();
        assert_eq!(answer.status(), 200);
        reqwest::get(format!("{}/api/nothing", serving.url)).await.unwrap();
        let status = Command::new("kill").args(["-TERM", &serving.child.id().to_string()]).status().unwrap();
        assert!(status.success());
        let mut rest = String::new();
        serving.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert_eq!(serving.child.wait().unwrap().code(), Some(0));
    }
}

#[tokio::test]
async fn without_any_setting_it_makes_its_database_where_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_truthtable"))
        .env_clear()
        .env("TRUTHTABLE_ADDR", "127.0.0.1:0")
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ready = reqwest::get(format!("{}/readyz", line.trim())).await.unwrap().status();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(ready, 200);
    assert!(folder.path().join("data/truthtable.db").is_file());
}

#[tokio::test]
async fn demo_model_prints_its_address_and_answers_the_messages_api() {
    let serving = serving(&["demo-model", "--port", "0"], &[("TRUTHTABLE_DEMO_PACE", "0")]);
    assert!(serving.url.starts_with("http://127.0.0.1:"), "{}", serving.url);
    let question = json!({
        "model": "demo/helpful",
        "max_tokens": 500,
        "messages": [{ "role": "user", "content": "Xin chào" }],
    });
    let client = reqwest::Client::new();
    let ask = |body: Value| {
        let request = client.post(format!("{}/v1/messages", serving.url)).json(&body);
        request.header("anthropic-version", "2023-06-01").header("x-api-key", "any").send()
    };
    let answer = ask(question.clone()).await.unwrap();
    assert_eq!(answer.status(), 200);
    let whole: Value = answer.json().await.unwrap();
    assert_eq!(whole["type"], "message");
    assert_eq!(whole["stop_reason"], "end_turn");
    assert!(!whole["content"][0]["text"].as_str().unwrap().is_empty());

    let mut streamed = question;
    streamed["stream"] = json!(true);
    let answer = ask(streamed).await.unwrap();
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/event-stream"));
    let events = answer.text().await.unwrap();
    for event in [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ] {
        assert!(events.contains(&format!("event: {event}\n")), "{event} in {events}");
    }
}

#[test]
fn the_demo_model_alone_needs_no_key_of_another_one() {
    let serving = serving(&["demo-model", "--port", "0"], &[("TRUTHTABLE_MODEL", "anthropic")]);
    assert!(serving.url.starts_with("http://127.0.0.1:"), "{}", serving.url);
}

#[tokio::test]
async fn the_demo_model_alone_serves_another_server_as_its_provider() {
    let model = serving(&["demo-model", "--port", "0"], &[("TRUTHTABLE_DEMO_PACE", "0")]);
    let server = serving(
        &[],
        &[
            ("TRUTHTABLE_MODEL", "anthropic"),
            ("TRUTHTABLE_MODEL_URL", &model.url),
            ("TRUTHTABLE_MODEL_NAME", "demo/helpful"),
            ("ANTHROPIC_API_KEY", "any"),
        ],
    );
    let client = reqwest::Client::new();
    let created = client.post(format!("{}/api/conversations", server.url)).send().await.unwrap();
    let cookie = created.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let created: Value = created.json().await.unwrap();
    let show = format!("{}/api/conversations/{}", server.url, created["conversationId"].as_str().unwrap());
    let body = json!({ "clientMessageId": "one", "text": "Thời tiết Huế" });
    let sent =
        client.post(format!("{show}/messages")).header("cookie", &cookie).json(&body).send().await.unwrap();
    assert_eq!(sent.status(), 202);
    let begun = Instant::now();
    loop {
        let view: Value =
            client.get(&show).header("cookie", &cookie).send().await.unwrap().json().await.unwrap();
        if view["run"]["status"] == "done" {
            assert_eq!(view["messages"][1]["parts"][0]["type"], "tool-getWeather", "{view:#}");
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{view:#}");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}
