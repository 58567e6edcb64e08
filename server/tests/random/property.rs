use std::sync::{Mutex, PoisonError};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use tokio::runtime::Runtime;

use super::operations::{Operation, script};
use super::world::House;
use crate::support::DatabaseKind;

const SEED: &str = "TRUTHTABLE_RANDOM_SEED";
const CASES: &str = "TRUTHTABLE_RANDOM_CASES";
/// Operations of a script, at most.
const LENGTH: usize = 14;

/// A script that the reference cannot explain, made as short as it could be, and what does not fit.
pub struct Counterexample {
    pub script: Vec<Operation>,
    pub why: String,
}

/// Plays scripts drawn from a seed until one does not fit. `prepare`: what is done to each database first.
pub fn search(
    kind: DatabaseKind,
    scripts: impl Strategy<Value = Vec<Operation>>,
    seed: u64,
    cases: u32,
    prepare: impl AsyncFn(&House),
) -> Result<(), Box<Counterexample>> {
    let runtime = Runtime::new().unwrap();
    // One in which something broke is not used again.
    let house: Mutex<Option<House>> = Mutex::new(None);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 100,
        max_shrink_time: 60_000,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let outcome = TestRunner::new_with_rng(config, rng).run(&scripts, |script| {
        let mut place = house.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = place.take();
        let (left, played) = runtime.block_on(async {
            let mut house = match taken {
                Some(house) => house,
                None => {
                    let house = House::open(kind).await;
                    prepare(&house).await;
                    house
                }
            };
            let played = house.play(&script).await;
            (house, played)
        });
        *place = Some(left);
        played.map_err(TestCaseError::fail)
    });
    match outcome {
        Ok(()) => Ok(()),
        Err(TestError::Fail(why, script)) => {
            Err(Box::new(Counterexample { script, why: why.message().to_owned() }))
        }
        Err(TestError::Abort(why)) => panic!("nothing was drawn: {why}"),
    }
}

fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")))
}

#[test]
fn whatever_happens_in_whatever_order_nothing_is_done_twice_and_nothing_is_lost() {
    let kind = DatabaseKind::of_this_run();
    let usual = match kind {
        DatabaseKind::Sqlite => 24,
        DatabaseKind::Postgres => 8,
    };
    let seed = setting(SEED).unwrap_or(20_261_201);
    let cases = setting(CASES).map_or(usual, |cases| u32::try_from(cases).unwrap());
    println!("{SEED}={seed} {CASES}={cases}");
    if let Err(found) = search(kind, script(LENGTH), seed, cases, async |_| {}) {
        panic!("{SEED}={seed}: {}\nthe script:\n{:#?}", found.why, found.script);
    }
}
