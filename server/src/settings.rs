//! The settings, from the environment, all with defaults. A wrong one stops the server at its start.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{RangedU64ValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use shared::tools::{ToolEffect, ToolName};

use crate::agent::Limits;
use crate::import::{self, ImportOptions};
use crate::lab::{self, LabOptions, LabServerOptions};
use crate::model::demo::Persona;
use crate::model::openai_chat;
use crate::text::turns_text;
use crate::weather::open_meteo;

const ABOUT: &str = "Truthtable: a tool-calling assistant whose screen shows only what really happened.";

const LONG_ABOUT: &str = "\
Truthtable: a tool-calling assistant whose screen shows only what really happened.

Without any setting it serves http://127.0.0.1:3000 with a demo model, a SQLite database in data/ and \
bundled sample weather. Settings are environment variables; each option below names its own. To use a \
real model:

  TRUTHTABLE_MODEL=anthropic TRUTHTABLE_MODEL_NAME=<model> ANTHROPIC_API_KEY=<key> truthtable
  TRUTHTABLE_MODEL=openai-chat TRUTHTABLE_MODEL_NAME=<model> \
TRUTHTABLE_MODEL_URL=http://127.0.0.1:11434/v1 truthtable

For real weather:

  TRUTHTABLE_WEATHER=open-meteo truthtable

To pause everything that has an effect at once, make the file that TRUTHTABLE_FREEZE names (data/FREEZE); \
remove it to go on. `truthtable handovers` lists the conversations that guests have sent to a person, and \
`truthtable reconcile` the refunds of which nobody knows yet whether they were done.";

#[derive(Debug, Parser)]
#[command(name = "truthtable", version, about = ABOUT, long_about = LONG_ABOUT)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<SubCommand>,

    #[command(flatten)]
    settings: Settings,
}

#[derive(Debug, Subcommand)]
enum SubCommand {
    /// Serves the product (the default)
    Serve,
    /// Imports restaurants from a JSON file
    #[command(long_about = import::ABOUT)]
    Import(ImportOptions),
    /// Serves the demo model alone, over Anthropic's Messages API, for tests and experiments
    DemoModel {
        /// The loopback port; 0 takes a free one, which is printed
        #[arg(long, default_value_t = 3900)]
        port: u16,

        /// Ends when its standard input does: with whoever started it
        #[arg(long, hide = true)]
        end_with_stdin: bool,
    },
    /// Lists the conversations that guests have sent to a person, the oldest first
    Handovers(HandoversArgs),
    /// Lists the effects of which nobody knows whether they were done, and looks again
    #[command(long_about = RECONCILE_ABOUT)]
    Reconcile(ReconcileArgs),
    /// Shows what pays a refund twice after a crash, and what does not: with processes that are really killed
    #[command(long_about = lab::ABOUT)]
    Lab(LabOptions),
    /// The server of a case of the lab
    #[command(hide = true)]
    LabServer(LabServerOptions),
}

const RECONCILE_ABOUT: &str = "\
Lists the effects of which nobody knows whether they were done, such as refunds whose answer was lost, and \
looks again at whoever should have done them. What is known then is recorded: the guest's card follows, and the \
assistant hears of it with the guest's next message. Servers look by themselves too, in growing intervals. The \
database is the one of DATABASE_URL, whoever is asked those of TRUTHTABLE_REFUNDS.

Exit status: 0 nothing is left; 1 of some effects it is still not known; 2 not possible, because the database \
does not work.";

#[derive(Clone, Copy, Debug, Args)]
struct ReconcileArgs {
    /// Only lists them, and asks nobody
    #[arg(long)]
    list: bool,

    /// Prints JSON, for programs
    #[arg(long)]
    json: bool,
}

/// What to do with the effects of which nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reconcile {
    /// Whether they are looked into, not only listed.
    pub looks: bool,
    pub json: bool,
}

#[derive(Clone, Debug, Args)]
struct HandoversArgs {
    /// Only those that wait (the default)
    #[arg(long, conflicts_with_all = ["all", "show", "done"])]
    open: bool,

    /// The handled ones too
    #[arg(long, conflicts_with_all = ["show", "done"])]
    all: bool,

    /// Prints one with its whole conversation
    #[arg(long, value_name = "REFERENCE", conflicts_with = "done")]
    show: Option<String>,

    /// Marks one as handled
    #[arg(long, value_name = "REFERENCE", conflicts_with = "json")]
    done: Option<String>,

    /// Prints JSON, for programs
    #[arg(long)]
    json: bool,
}

/// What to do with the conversations that were sent to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handovers {
    List { all: bool, json: bool },
    Show { reference: String, json: bool },
    Done { reference: String },
}

impl From<HandoversArgs> for Handovers {
    fn from(args: HandoversArgs) -> Self {
        let HandoversArgs { open: _, all, show, done, json } = args;
        match (show, done) {
            (Some(reference), _) => Self::Show { reference, json },
            (None, Some(reference)) => Self::Done { reference },
            (None, None) => Self::List { all, json },
        }
    }
}

/// What to run.
#[derive(Debug)]
pub enum Command {
    Serve(Box<Settings>),
    DemoModel { port: u16, pace: f64, ends_with_stdin: bool },
    Import { options: ImportOptions, database_url: String },
    Handovers { database_url: String, wanted: Handovers },
    Reconcile { settings: Box<Settings>, wanted: Reconcile },
    Lab(LabOptions),
    LabServer { settings: Box<Settings>, options: LabServerOptions },
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Settings")]
pub struct Settings {
    /// Address and port to serve on
    #[arg(long, env = "TRUTHTABLE_ADDR", default_value = "127.0.0.1:3000", value_name = "HOST:PORT")]
    pub addr: std::net::SocketAddr,

    /// The address that browsers use, where a proxy stands before the server (https makes cookies Secure)
    #[arg(long, env = "TRUTHTABLE_PUBLIC_URL", value_name = "URL", value_parser = public_url)]
    pub public_url: Option<String>,

    /// The database: sqlite://path/to/file.db (folder and file are made where missing), or postgres://user@host/database for several servers
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/truthtable.db",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub database_url: String,

    /// Which model protocol to speak
    #[arg(long, env = "TRUTHTABLE_MODEL", default_value = "demo")]
    pub model: ModelKind,

    /// The provider's base URL, as its SDKs take it: without /v1 for Anthropic's protocol, with it for OpenAI's [default: https://api.anthropic.com or https://api.openai.com/v1]
    #[arg(long, env = "TRUTHTABLE_MODEL_URL", value_name = "URL", value_parser = http_url)]
    pub model_url: Option<String>,

    /// The model's name at the provider
    #[arg(long, env = "TRUTHTABLE_MODEL_NAME", value_name = "NAME")]
    pub model_name: Option<String>,

    /// Most tokens of one answer
    #[arg(long, env = "TRUTHTABLE_MAX_TOKENS", default_value_t = 4096, value_parser = positive::<u32>())]
    pub max_tokens: u32,

    /// How much the model should think [default: the provider's]
    #[arg(long, env = "TRUTHTABLE_EFFORT")]
    pub effort: Option<Effort>,

    /// The key for Anthropic's API
    #[arg(long, env = "ANTHROPIC_API_KEY", hide_env_values = true, value_name = "KEY")]
    pub anthropic_api_key: Option<String>,

    /// The key for OpenAI's API, or for a server that speaks its protocol
    #[arg(long, env = "OPENAI_API_KEY", hide_env_values = true, value_name = "KEY")]
    pub openai_api_key: Option<String>,

    /// The demo model's speed: 1 is a human pace, 0 as fast as possible
    #[arg(long, env = "TRUTHTABLE_DEMO_PACE", default_value = "1", value_parser = pace)]
    pub demo_pace: f64,

    /// Most model calls for one message
    #[arg(long, env = "TRUTHTABLE_MAX_STEPS", default_value_t = 6, value_parser = positive::<u32>())]
    pub max_steps: u32,

    /// Tool errors for one message that end its run
    #[arg(long, env = "TRUTHTABLE_MAX_TOOL_ERRORS", default_value_t = 3, value_parser = positive::<u32>())]
    pub max_tool_errors: u32,

    /// The same call this many times running ends its run; the last one is not executed
    #[arg(long, env = "TRUTHTABLE_MAX_REPEATS", default_value_t = 3, value_parser = positive::<u32>())]
    pub max_repeats: u32,

    /// Most tokens for one message, in and out, over all its model calls
    #[arg(long, env = "TRUTHTABLE_TOKEN_BUDGET", default_value_t = 200_000, value_parser = positive::<u64>())]
    pub token_budget: u64,

    /// Seconds at work for one message, not counting the time that it waits for a person
    #[arg(long, env = "TRUTHTABLE_RUN_SECONDS", default_value_t = 120, value_parser = positive::<u64>())]
    pub run_seconds: u64,

    /// Seconds that a confirmation form stays open
    #[arg(long, env = "TRUTHTABLE_APPROVAL_SECONDS", default_value_t = 1800, value_parser = positive::<u64>())]
    pub approval_seconds: u64,

    /// Seconds after which a server that has gone silent loses its runs to another one
    #[arg(long, env = "TRUTHTABLE_LEASE_SECONDS", default_value_t = 15, value_parser = positive::<u64>())]
    pub lease_seconds: u64,

    /// Tools that shall ask although they need not, separated by commas
    #[arg(long, env = "TRUTHTABLE_ASK_ALSO", value_delimiter = ',', value_name = "TOOLS", value_parser = read_tool)]
    pub ask_also: Vec<ToolName>,

    /// Where the weather comes from
    #[arg(long, env = "TRUTHTABLE_WEATHER", default_value = "sample")]
    pub weather: WeatherKind,

    /// Open-Meteo's forecast: its base URL, without /v1
    #[arg(
        long,
        env = "TRUTHTABLE_WEATHER_URL",
        default_value = open_meteo::FORECAST_URL,
        value_name = "URL",
        value_parser = base_url
    )]
    pub weather_url: String,

    /// Open-Meteo's geocoding: its base URL, without /v1
    #[arg(
        long,
        env = "TRUTHTABLE_GEOCODING_URL",
        default_value = open_meteo::GEOCODING_URL,
        value_name = "URL",
        value_parser = base_url
    )]
    pub geocoding_url: String,

    /// Who moves the money of refunds
    #[arg(long, env = "TRUTHTABLE_REFUNDS", default_value = "ledger")]
    pub refunds: RefundsKind,

    /// The secret key for Stripe's API
    #[arg(long, env = "STRIPE_SECRET_KEY", hide_env_values = true, value_name = "KEY")]
    pub stripe_secret_key: Option<String>,

    /// Stripe's API: its base URL, without /v1
    #[arg(
        long,
        env = "TRUTHTABLE_STRIPE_URL",
        default_value = STRIPE_URL,
        value_name = "URL",
        value_parser = base_url
    )]
    pub stripe_url: String,

    /// Seconds until it is asked again what came of a refund; each further time after twice as long
    #[arg(long, env = "TRUTHTABLE_LOOK_AGAIN_SECONDS", default_value = "2", value_parser = seconds)]
    pub look_again_seconds: Duration,

    /// Seconds after which a refund that its receiver does not have is told as not done, and may be asked for again
    #[arg(long, env = "TRUTHTABLE_GIVE_UP_SECONDS", default_value = "600", value_parser = seconds)]
    pub give_up_seconds: Duration,

    /// How guests reach a person of the house: one line, for example "1900 1234 · hello@example.com"
    #[arg(long, env = "TRUTHTABLE_CONTACT", value_name = "TEXT", value_parser = contact)]
    pub contact: Option<String>,

    /// While this file exists nothing is booked, changed, cancelled or refunded; its first line says why
    #[arg(
        long,
        env = "TRUTHTABLE_FREEZE",
        default_value = "data/FREEZE",
        value_name = "FILE",
        value_parser = freeze_file
    )]
    pub freeze: PathBuf,

    /// The folder with the browser's files
    #[arg(long, env = "LEPTOS_SITE_ROOT", default_value = "target/site", value_name = "FOLDER")]
    pub site_root: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelKind {
    /// The built-in scripted model
    Demo,
    /// Anthropic's Messages API
    Anthropic,
    /// OpenAI's Chat Completions, also as other providers and local servers speak it
    #[value(name = "openai-chat")]
    OpenAiChat,
    /// OpenAI's Responses API, with nothing stored at the provider
    #[value(name = "openai-responses")]
    OpenAiResponses,
}

impl ModelKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Demo => "demo",
            Self::Anthropic => "anthropic",
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WeatherKind {
    /// Bundled monthly normals, marked as sample data
    Sample,
    /// Forecasts by Open-Meteo.com for places all over the world
    OpenMeteo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RefundsKind {
    /// A table of this server's own database: no money moves
    Ledger,
    /// Stripe: the payments of the orders must be there
    Stripe,
}

/// Stripe's own address.
const STRIPE_URL: &str = "https://api.stripe.com";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Effort {
    Low,
    Medium,
    High,
    Xhigh,
    Max,
}

impl Effort {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
            Self::Max => "max",
        }
    }
}

/// Runs of one guest at work at once; not a setting.
const RUNS_PER_GUEST: u32 = 4;
/// Messages and retries of one guest within a minute.
const MESSAGES_PER_MINUTE: usize = 30;

impl Settings {
    pub fn limits(&self) -> Limits {
        Limits {
            steps: self.max_steps,
            tool_errors: self.max_tool_errors,
            repeats: self.max_repeats,
            tokens: self.token_budget,
            work: Duration::from_secs(self.run_seconds),
            approval: Duration::from_secs(self.approval_seconds),
            lease: Duration::from_secs(self.lease_seconds),
            messages_per_minute: MESSAGES_PER_MINUTE,
            runs_per_guest: RUNS_PER_GUEST,
            look_again: self.look_again_seconds,
            give_up: self.give_up_seconds,
        }
    }

    /// What one setting alone cannot tell.
    fn check(&self) -> Result<(), String> {
        self.check_refunds()?;
        match self.model {
            ModelKind::Demo => match self.model_name.as_deref() {
                Some(name) if name.strip_prefix("demo/").and_then(Persona::parse).is_none() => Err(format!(
                    "TRUTHTABLE_MODEL_NAME is {name:?}, but the demo model has only {}.",
                    demo_models()
                )),
                Some(_) | None => Ok(()),
            },
            ModelKind::Anthropic | ModelKind::OpenAiChat | ModelKind::OpenAiResponses
                if self.model_name.as_deref().unwrap_or_default().trim().is_empty() =>
            {
                Err(format!(
                    "TRUTHTABLE_MODEL_NAME is missing: name the model that TRUTHTABLE_MODEL={} shall use.",
                    self.model.as_str()
                ))
            }
            ModelKind::Anthropic
                if self.anthropic_api_key.as_deref().unwrap_or_default().trim().is_empty() =>
            {
                Err("ANTHROPIC_API_KEY is missing: TRUTHTABLE_MODEL=anthropic needs it.".to_owned())
            }
            ModelKind::OpenAiChat | ModelKind::OpenAiResponses if self.lacks_openai_key() => Err(format!(
                "OPENAI_API_KEY is missing: TRUTHTABLE_MODEL={} needs it, unless TRUTHTABLE_MODEL_URL names \
                 another server.",
                self.model.as_str()
            )),
            ModelKind::Anthropic | ModelKind::OpenAiChat | ModelKind::OpenAiResponses => Ok(()),
        }
    }
}

impl Settings {
    /// OpenAI itself answers nobody without a key; a server on one's own machine has none.
    fn lacks_openai_key(&self) -> bool {
        let is_openai = self.model_url.as_deref().is_none_or(openai_chat::is_openai);
        is_openai && self.openai_api_key.as_deref().unwrap_or_default().trim().is_empty()
    }

    fn check_refunds(&self) -> Result<(), String> {
        match self.refunds {
            RefundsKind::Stripe if self.stripe_key().is_none() => {
                Err("STRIPE_SECRET_KEY is missing: TRUTHTABLE_REFUNDS=stripe needs it.".to_owned())
            }
            RefundsKind::Ledger | RefundsKind::Stripe => Ok(()),
        }
    }

    /// The key for Stripe, where there is one.
    pub fn stripe_key(&self) -> Option<&str> {
        self.stripe_secret_key.as_deref().map(str::trim).filter(|key| !key.is_empty())
    }
}

/// Reads the command line and the environment. Asked for help it prints that and leaves; a wrong
/// setting is one sentence that names it.
pub fn read() -> Result<Command, String> {
    // An empty variable is the same as none.
    let mut command = CommandLine::command().mut_args(|arg| match arg.get_env() {
        Some(env) if std::env::var_os(env).is_some_and(|value| value.is_empty()) => arg.env(None::<&str>),
        Some(_) | None => arg,
    });
    command = command.mut_arg("model_name", |arg| {
        let help = arg.get_help().cloned().unwrap_or_default();
        arg.help(format!("{help} [demo: {}]", demo_models()))
    });
    for env in command.get_arguments().filter_map(clap::Arg::get_env) {
        // Told here, because clap tells it without the variable's name.
        if std::env::var_os(env).is_some_and(|value| value.to_str().is_none()) {
            return Err(format!("{} is not valid UTF-8.", env.display()));
        }
    }
    // Only a command that was built can write out its arguments, which `one_sentence` needs.
    command.build();
    let matches = command.clone().try_get_matches();
    let parsed = matches.and_then(|matches| CommandLine::from_arg_matches(&matches));
    let line = parsed.map_err(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        one_sentence(&command, &error)
    })?;
    match line.command {
        None | Some(SubCommand::Serve) => {
            line.settings.check()?;
            Ok(Command::Serve(Box::new(line.settings)))
        }
        Some(SubCommand::Import(options)) => {
            Ok(Command::Import { options, database_url: line.settings.database_url })
        }
        // It speaks with no model itself.
        Some(SubCommand::DemoModel { port, end_with_stdin: ends_with_stdin }) => {
            Ok(Command::DemoModel { port, pace: line.settings.demo_pace, ends_with_stdin })
        }
        Some(SubCommand::Handovers(args)) => {
            Ok(Command::Handovers { database_url: line.settings.database_url, wanted: args.into() })
        }
        Some(SubCommand::Lab(options)) => Ok(Command::Lab(options)),
        Some(SubCommand::LabServer(options)) => {
            line.settings.check()?;
            Ok(Command::LabServer { settings: Box::new(line.settings), options })
        }
        Some(SubCommand::Reconcile(ReconcileArgs { list, json })) => {
            line.settings.check_refunds()?;
            let wanted = Reconcile { looks: !list, json };
            Ok(Command::Reconcile { settings: Box::new(line.settings), wanted })
        }
    }
}

/// The names of the demo model, the default first.
fn demo_models() -> String {
    Persona::ALL.map(|persona| format!("demo/{}", persona.as_str())).join(", ")
}

fn one_sentence(command: &clap::Command, error: &clap::Error) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let (Some(arg), Some(value)) = (context(ContextKind::InvalidArg), context(ContextKind::InvalidValue))
    else {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        return format!("{} (--help lists everything)", first.trim_start_matches("error: "));
    };
    let known = command.get_arguments().find(|known| known.to_string() == arg);
    let name = known.and_then(|known| known.get_env()).map(|env| env.to_string_lossy().into_owned());
    let name = name.unwrap_or(arg);
    let why = match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(valid)) if !valid.is_empty() => {
            format!("it can be {}", valid.join(" or "))
        }
        _ => std::error::Error::source(error).map_or("it is not usable".to_owned(), ToString::to_string),
    };
    format!("{name} is {value:?}: {why}.")
}

fn positive<T>() -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
    <T as TryFrom<u64>>::Error: Send + Sync + 'static + std::error::Error,
{
    RangedU64ValueParser::<T>::new().range(1..=i64::from(i32::MAX) as u64)
}

fn pace(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(pace) if (0.0..=100.0).contains(&pace) => Ok(pace),
        _ => Err("a number from 0 to 100 is wanted".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("a number of seconds from 0.01 to 3600 is wanted".to_owned()),
    }
}

fn http_url(text: &str) -> Result<String, String> {
    match reqwest::Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
            Ok(text.trim_end_matches('/').to_owned())
        }
        _ => Err("a URL such as https://api.example.com is wanted".to_owned()),
    }
}

/// An address that paths are put behind.
fn base_url(text: &str) -> Result<String, String> {
    match reqwest::Url::parse(text) {
        Ok(url) if url.query().is_some() || url.fragment().is_some() => {
            Err("nothing may follow the path of this URL".to_owned())
        }
        Ok(_) | Err(_) => http_url(text),
    }
}

/// An origin: what comes after the host has no meaning here.
fn public_url(text: &str) -> Result<String, String> {
    let url = http_url(text)?;
    let origin = reqwest::Url::parse(&url).map_err(|error| error.to_string())?.origin();
    if origin.ascii_serialization() == url {
        Ok(url)
    } else {
        Err(format!("only scheme, host and port are wanted: {}", origin.ascii_serialization()))
    }
}

fn read_tool(text: &str) -> Result<ToolName, String> {
    let askable = || ToolName::ALL.iter().filter(|tool| tool.effect() == ToolEffect::Read);
    match ToolName::parse(text.trim()) {
        Some(tool) => Ok(tool),
        None => {
            let names: Vec<&str> = askable().map(|tool| tool.as_str()).collect();
            Err(format!("there is no such tool; it may name {}", names.join(", ")))
        }
    }
}

/// Characters of the house's contact.
const LONGEST_CONTACT: usize = 200;

fn contact(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        Err("a line that tells guests how to reach a person is wanted".to_owned())
    } else if text.chars().count() > LONGEST_CONTACT {
        Err(format!("at most {LONGEST_CONTACT} characters are wanted"))
    } else if text.chars().any(|c| c.is_control() || turns_text(c)) {
        Err("one line without control characters and marks that turn text around is wanted".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// What somebody sets who takes it for a switch.
const SWITCH_WORDS: [&str; 16] = [
    "1", "0", "true", "false", "yes", "no", "on", "off", "y", "n", "enable", "enabled", "disable",
    "disabled", "freeze", "frozen",
];

fn freeze_file(text: &str) -> Result<PathBuf, String> {
    if SWITCH_WORDS.iter().any(|word| text.trim().eq_ignore_ascii_case(word)) {
        return Err("it is the path of a file; effects are refused while that file exists".to_owned());
    }
    if text.starts_with('~') {
        return Err("~ is not expanded here: the whole path is wanted".to_owned());
    }
    if text.trim().is_empty() || text.ends_with('/') || Path::new(text).is_dir() {
        return Err("the path of a file is wanted, not that of a folder".to_owned());
    }
    Ok(PathBuf::from(text))
}
