//! Plays one case through: the real server as a process, a guest who asks for a refund, and what goes wrong.

use std::path::{Path, PathBuf};
use std::time::Duration;

use shared::tools::{OrderItem, OrderStatus};

use super::LabError;
use super::cases::{Case, Fault, KeyStrategy, Restart, STEP_LIMIT, Seen};
use super::child::{Serving, Start};
use super::counter::Counter;
use super::guest::{Form, Guest, Rest};
use super::provider::Provider;
use super::receiver::Temper;
use crate::clock::{Clock, SystemClock};
use crate::ids::{Ids, RandomIds};
use crate::orders::refunds::RefundState;
use crate::orders::{self, Order};
use crate::store::Store;

/// What the guest asks for.
pub const WISH: &str = "Refund 350,000 đồng of my latest order, because one dish was missing";
pub const ORDER: &str = "DH-7K2Q4";
/// More is left of the order than twice the refund: it is not the money that keeps it from being paid twice.
pub const ORDER_TOTAL: u64 = 1_290_000;

const PRODUCT: &str = "product.db";
const PROVIDER: &str = "provider.db";

/// How long the provider may take to be asked.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(5);

/// A limit that no case comes to.
const OFF: &str = "1000000";

/// Everything that a case runs on.
struct Stage<'a> {
    key: KeyStrategy,
    persona: &'static str,
    folder: &'a Path,
    counter: Counter,
    provider: Provider,
}

/// Plays a case in its folder, which is empty.
pub async fn run(case: Case, key: KeyStrategy, folder: &Path, model_url: &str) -> Result<Seen, LabError> {
    let persona = match case.fault {
        Fault::Refusals => "stubborn",
        Fault::Crash(_) => "helpful",
    };
    let counter = Counter::start(model_url).await?;
    let provider = Provider::open(&folder.join(PROVIDER)).await?;
    let stage = Stage { key, persona, folder, counter, provider };
    let killed = match case.fault {
        Fault::Refusals => {
            stage.refuse_everything().await?;
            None
        }
        Fault::Crash(restart) => Some(stage.crash(restart).await?),
    };
    let (refunds, tokens_per_step) = (stage.provider.refunds().await?, stage.counter.counts());
    Ok(Seen { case, key, refunds, tokens_per_step, killed })
}

impl Stage<'_> {
    async fn refuse_everything(&self) -> Result<(), LabError> {
        let server = self.serve(Temper::Refuses).await?;
        let guest = self.arrive(&server).await?;
        self.ask(&guest).await?;
        agree_until(&guest, "step-limit").await
    }

    /// The id of the process that was killed.
    async fn crash(&self, restart: Restart) -> Result<u32, LabError> {
        let mut server = self.serve(Temper::PaysInSilence).await?;
        let mut guest = self.arrive(&server).await?;
        self.ask(&guest).await?;
        for form in asked(&guest).await? {
            guest.agree(&form).await?;
        }
        self.until_paid().await?;
        server.kill();
        let killed = server.pid();
        self.check_nothing_was_noted().await?;

        let server = match restart {
            Restart::Resume => {
                let server = self.serve(Temper::Answers).await?;
                guest.moved(&server.url);
                server
            }
            Restart::FromNothing => {
                self.forget()?;
                let server = self.serve(Temper::Answers).await?;
                guest = self.arrive(&server).await?;
                self.ask(&guest).await?;
                server
            }
        };
        agree_until(&guest, "done").await?;
        drop(server);
        Ok(killed)
    }

    async fn serve(&self, temper: Temper) -> Result<Serving, LabError> {
        let arguments = [
            "lab-server".to_owned(),
            format!("--provider={PROVIDER}"),
            format!("--key={}", self.key.as_str()),
            format!("--temper={}", temper.as_str()),
        ];
        let settings = [
            ("TRUTHTABLE_ADDR", "127.0.0.1:0".to_owned()),
            ("DATABASE_URL", format!("sqlite://{PRODUCT}")),
            // The demo model, spoken with like any other so that the counter stands between.
            ("TRUTHTABLE_MODEL", "anthropic".to_owned()),
            ("TRUTHTABLE_MODEL_URL", self.counter.url.clone()),
            ("TRUTHTABLE_MODEL_NAME", format!("demo/{}", self.persona)),
            ("ANTHROPIC_API_KEY", "demo".to_owned()),
            ("TRUTHTABLE_MAX_STEPS", STEP_LIMIT.to_string()),
            ("TRUTHTABLE_MAX_TOOL_ERRORS", OFF.to_owned()),
            ("TRUTHTABLE_MAX_REPEATS", OFF.to_owned()),
            ("TRUTHTABLE_TOKEN_BUDGET", OFF.to_owned()),
            ("TRUTHTABLE_RUN_SECONDS", OFF.to_owned()),
            ("TRUTHTABLE_LOOK_AGAIN_SECONDS", "0.1".to_owned()),
            ("TRUTHTABLE_FREEZE", "./FREEZE".to_owned()),
        ];
        Serving::start(Start {
            what: "server",
            arguments: &arguments,
            settings: &settings,
            folder: self.folder,
            log: self.folder.join("server.log"),
        })
        .await
    }

    /// A new guest, who has an order.
    async fn arrive(&self, server: &Serving) -> Result<Guest, LabError> {
        let guest = Guest::arrive(&server.url).await?;
        let store = self.product().await?;
        let user = store.conversation(&guest.conversation).await?.user;
        let item = OrderItem { name: "Set menu".to_owned(), quantity: 3, unit_price: ORDER_TOTAL / 3 };
        let order = Order {
            number: ORDER.to_owned(),
            user,
            restaurant_name: "Mây Núi".to_owned(),
            time_zone: chrono_tz::Asia::Ho_Chi_Minh,
            status: OrderStatus::Delivered,
            total: ORDER_TOTAL,
            payee: "Visa •••• 4242".to_owned(),
            payment_reference: None,
            placed_at: SystemClock.now(),
            items: vec![item],
        };
        let mut tx = store.begin().await?;
        let is_new = orders::insert(tx.connection(), &order).await?;
        tx.commit().await?;
        store.close().await;
        if is_new { Ok(guest) } else { Err(LabError::NotAsPlanned("the order was there already".to_owned())) }
    }

    async fn ask(&self, guest: &Guest) -> Result<(), LabError> {
        guest.say(WISH, &RandomIds.next()).await
    }

    async fn until_paid(&self) -> Result<(), LabError> {
        let paid = async {
            while self.provider.refunds().await?.is_empty() {
                tokio::time::sleep(PAUSE).await;
            }
            Ok(())
        };
        let paid = tokio::time::timeout(PATIENCE, paid).await;
        paid.unwrap_or(Err(LabError::StoodStill("the provider to be asked")))
    }

    /// The crash struck between the effect and its record, or the case shows nothing.
    async fn check_nothing_was_noted(&self) -> Result<(), LabError> {
        let store = self.product().await?;
        let refunds = orders::refunds::of_order(&mut *store.reader().acquire().await?, ORDER).await?;
        store.close().await;
        match refunds.as_slice() {
            [refund] if refund.state == RefundState::Claimed => Ok(()),
            other => Err(LabError::NotAsPlanned(format!("the server was killed too late: {other:?}"))),
        }
    }

    async fn product(&self) -> Result<Store, LabError> {
        let file = self.folder.join(PRODUCT);
        Ok(Store::open_existing(&format!("sqlite://{}", file.display())).await?)
    }

    /// Deletes the product's database, with the files beside it.
    fn forget(&self) -> Result<(), LabError> {
        for suffix in ["", "-wal", "-shm"] {
            let path: PathBuf = self.folder.join(format!("{PRODUCT}{suffix}"));
            match std::fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(LabError::Folder { path, source });
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }
}

/// The forms of a run that asks.
async fn asked(guest: &Guest) -> Result<Vec<Form>, LabError> {
    match guest.rest().await? {
        Rest::Asks(forms) => Ok(forms),
        Rest::Ended(status) => {
            Err(LabError::NotAsPlanned(format!("the run ended as {status} and asked nothing")))
        }
    }
}

/// Agrees to whatever is asked until the run has ended in this way.
async fn agree_until(guest: &Guest, wanted: &str) -> Result<(), LabError> {
    loop {
        match guest.rest().await? {
            Rest::Asks(forms) => {
                for form in forms {
                    guest.agree(&form).await?;
                }
            }
            Rest::Ended(status) if status == wanted => return Ok(()),
            Rest::Ended(status) => {
                return Err(LabError::NotAsPlanned(format!("the run ended as {status}, not as {wanted}")));
            }
        }
    }
}
