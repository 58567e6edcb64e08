//! Puts the server together and runs it until it is told to stop.

use std::future::IntoFuture;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use leptos::config::{Env, LeptosOptions};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::agent::{Agent, Services};
use crate::clock::{Clock, SystemClock};
use crate::configured_model::{ConfiguredModelError, configured_model};
use crate::db;
use crate::freeze::{Freeze, FreezeFile};
use crate::http::{AppState, Rates, router};
use crate::ids::{Ids, RandomIds};
use crate::model::demo;
use crate::model::provider::MaybeTap;
use crate::refunds::{self, Ledger, Receivers, RefundReceiver, Stripe, StripeSettings, StripeSetupError};
use crate::restaurants;
use crate::settings::{RefundsKind, Settings, Switch, WeatherKind};
use crate::store::{OpenError, Store};
use crate::weather::open_meteo::{self, OpenMeteo, OpenMeteoSettings, OpenMeteoSetupError};
use crate::weather::{SampleWeather, Weather};

/// Why the server could not start: one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("TRUTHTABLE_ADDR: cannot listen on {addr}: {source}")]
    Listen { addr: SocketAddr, source: std::io::Error },
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the database does not work: {0}")]
    Database(#[from] db::Error),
    #[error("the demo model cannot start: {0}")]
    DemoModel(std::io::Error),
    #[error(transparent)]
    Model(#[from] ConfiguredModelError),
    #[error("TRUTHTABLE_WEATHER: Open-Meteo cannot be asked: {0}")]
    Weather(#[from] OpenMeteoSetupError),
    #[error("TRUTHTABLE_STRIPE_URL: Stripe cannot be asked: {0}")]
    Stripe(#[from] StripeSetupError),
    #[error("cannot listen for signals: {0}")]
    Signals(std::io::Error),
}

/// After SIGTERM: time for runs to end or park, and for answers under way.
const GRACE: Duration = Duration::from_secs(10);

pub async fn serve(settings: Settings) -> Result<(), StartError> {
    serve_with(settings, None).await
}

/// `receiver`: who refunds, in place of the one that the settings name.
pub async fn serve_with(
    settings: Settings,
    receiver: Option<Arc<dyn RefundReceiver>>,
) -> Result<(), StartError> {
    let listener = listen(settings.addr).await?;
    let addr = listener.local_addr().map_err(|source| StartError::Listen { addr: settings.addr, source })?;

    let store = Store::open(&settings.database_url).await?;
    let mut tx = store.begin().await?;
    restaurants::load_if_empty(tx.connection()).await?;
    tx.commit().await?;

    let ids: Arc<dyn Ids> = Arc::new(RandomIds);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let (model, choice) = configured_model(&settings, ids.clone(), MaybeTap::default()).await?;
    let receivers = match receiver {
        Some(receiver) => Receivers::new(receiver, Vec::new()),
        None => receivers(&settings, &store, clock.clone(), ids.clone())?,
    };
    let freeze: Arc<dyn Freeze> = Arc::new(FreezeFile::new(settings.freeze.clone()));
    let agent = Agent::new(Services {
        store: store.clone(),
        model,
        weather: weather(&settings, clock.clone())?,
        receivers,
        clock: clock.clone(),
        ids: ids.clone(),
        limits: settings.limits(),
        freeze: freeze.clone(),
        ask_also: settings.ask_also.clone(),
        time_zone: chrono_tz::Asia::Ho_Chi_Minh,
    });
    agent.start().await?;

    let shutdown = CancellationToken::new();
    let rates = Arc::new(Rates::default());
    let state = AppState {
        agent: agent.clone(),
        store: store.clone(),
        clock,
        ids,
        rates: rates.clone(),
        model: Arc::new(choice),
        freeze,
        contact: settings.contact.as_deref().map(Arc::from),
        public_url: settings.public_url.as_deref().map(Arc::from),
        leptos: leptos_options(&settings, addr),
        gallery: settings.gallery == Switch::On,
        shutdown: shutdown.clone(),
    };
    tokio::spawn(forget_idle_guests(rates));
    stop_on_signal(shutdown.clone())?;

    // Small events must leave at once; otherwise each waits for the last one's acknowledgement.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::warn!("TCP_NODELAY: {error}");
        }
    });
    if !std::path::Path::new(&settings.site_root).join("pkg").is_dir() {
        tracing::warn!(
            "{} has no browser files: pages stay without script (`make site` builds them)",
            settings.site_root
        );
    }
    // The one line on stdout: scripts read it, people click it.
    println!("http://{addr}");
    let service = router(state).into_make_service_with_connect_info::<SocketAddr>();
    let server = axum::serve(listener, service).with_graceful_shutdown(shutdown.clone().cancelled_owned());
    let grace = async {
        shutdown.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    let answers = async {
        tokio::select! {
            _ = server.into_future() => {}
            () = grace => tracing::warn!("some connections did not end in time"),
        }
    };
    let runs = async {
        shutdown.cancelled().await;
        agent.finish(GRACE).await;
    };
    // At the same time: no run is taken from the signal on, however slow somebody's connection is.
    tokio::join!(answers, runs);
    store.close().await;
    Ok(())
}

/// Serves the demo model alone.
pub async fn serve_demo_model(port: u16, pace: f64) -> Result<(), StartError> {
    let listener = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
    let addr = listener.local_addr().map_err(StartError::DemoModel)?;
    println!("http://{addr}");
    demo::serve(listener, pace).await.map_err(StartError::DemoModel)
}

async fn listen(addr: SocketAddr) -> Result<TcpListener, StartError> {
    TcpListener::bind(addr).await.map_err(|source| StartError::Listen { addr, source })
}

fn weather(settings: &Settings, clock: Arc<dyn Clock>) -> Result<Arc<dyn Weather>, OpenMeteoSetupError> {
    match settings.weather {
        WeatherKind::Sample => Ok(Arc::new(SampleWeather)),
        WeatherKind::OpenMeteo => {
            let source = OpenMeteoSettings {
                forecast_url: settings.weather_url.clone(),
                geocoding_url: settings.geocoding_url.clone(),
                timeouts: open_meteo::Timeouts::default(),
            };
            Ok(Arc::new(OpenMeteo::new(&source, clock)?))
        }
    }
}

/// The ledger is always there: refunds that it was asked for are its own, whatever is set now.
pub fn receivers(
    settings: &Settings,
    store: &Store,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
) -> Result<Receivers, StripeSetupError> {
    let ledger: Arc<dyn RefundReceiver> = Arc::new(Ledger::new(store.writer().clone(), clock, ids));
    let stripe: Option<Arc<dyn RefundReceiver>> = match settings.stripe_key() {
        Some(key) => Some(Arc::new(Stripe::new(&StripeSettings {
            base_url: settings.stripe_url.clone(),
            secret_key: key.to_owned(),
            timeouts: refunds::Timeouts::default(),
        })?)),
        None => None,
    };
    Ok(match (settings.refunds, stripe) {
        (RefundsKind::Stripe, Some(stripe)) => Receivers::new(stripe, vec![ledger]),
        (RefundsKind::Ledger | RefundsKind::Stripe, stripe) => {
            Receivers::new(ledger, stripe.into_iter().collect())
        }
    })
}

fn leptos_options(settings: &Settings, addr: SocketAddr) -> LeptosOptions {
    LeptosOptions::builder()
        .output_name("truthtable")
        .site_root(settings.site_root.clone())
        .site_pkg_dir("pkg")
        .site_addr(addr)
        // Set by `cargo leptos watch` only: then the page listens for reloads.
        .env(match std::env::var("LEPTOS_WATCH") {
            Ok(_) => Env::DEV,
            Err(_) => Env::PROD,
        })
        .build()
}

fn stop_on_signal(shutdown: CancellationToken) -> Result<(), StartError> {
    let mut terminate = signal(SignalKind::terminate()).map_err(StartError::Signals)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(StartError::Signals)?;
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
        shutdown.cancel();
    });
    Ok(())
}

async fn forget_idle_guests(rates: Arc<Rates>) {
    let mut tick = tokio::time::interval(Duration::from_secs(600));
    loop {
        tick.tick().await;
        rates.forget_idle();
    }
}
