use serde_json::{Value, json};

use crate::results;

fn summary(result: &Value) -> Value {
    let fields = ["case", "key", "restart", "refunds", "steps"];
    fields.iter().map(|field| result[field].clone()).collect()
}

#[test]
fn a_key_that_names_the_thing_done_is_what_keeps_a_refund_single() {
    let all = results(&[], 0);
    let summaries: Vec<Value> = all.iter().map(summary).collect();
    assert_eq!(
        summaries,
        [
            json!(["B", "business", "none", 0, 6]),
            json!(["C1", "none", "resume", 2, 3]),
            json!(["C2", "call-id", "resume", 1, 3]),
            json!(["C3", "call-id", "from-nothing", 2, 5]),
            json!(["C4", "business", "from-nothing", 1, 5]),
        ]
    );
    // Begun again from nothing, the model is sent the first calls once more.
    let tokens = |index: usize| all[index]["tokens"].as_u64().unwrap();
    assert!(tokens(3) > tokens(2) && tokens(4) > tokens(1), "{all:#?}");
}

#[test]
fn what_a_model_that_never_gives_up_is_sent_grows_by_the_same_with_each_call() {
    let [result] = <[Value; 1]>::try_from(results(&["--case", "B"], 0)).unwrap();
    let sent: Vec<u64> =
        result["tokensPerStep"].as_array().unwrap().iter().map(|tokens| tokens.as_u64().unwrap()).collect();
    assert_eq!(sent.len(), 6);
    assert_eq!(result["tokens"], sent.iter().sum::<u64>());
    let added: Vec<u64> = sent.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // The order comes first; from then on each step adds the same call and the same answer.
    let (order, refusals) = added.split_first().unwrap();
    assert!(*order > 0 && refusals.iter().all(|added| *added > 0), "{sent:?}");
    assert!(refusals.iter().max().unwrap() - refusals.iter().min().unwrap() <= 2, "{sent:?}");
}

#[test]
fn with_another_key_a_case_has_another_result_and_the_lab_says_so() {
    for (case, strategy, refunds) in [
        ("C1", "business", 1),
        ("C1", "call-id", 1),
        ("C2", "none", 2),
        ("C3", "business", 1),
        ("C4", "call-id", 2),
    ] {
        let [result] = <[Value; 1]>::try_from(results(&["--case", case, "--strategy", strategy], 1)).unwrap();
        assert_eq!(result["refunds"], refunds, "{case} with {strategy}");
        assert_eq!(result["key"], strategy);
    }
}
