use shared::ids::UserId;
use shared::tools::{RefundOrder, RefundOrderInput, Tool};

fn refund(order_id: &str, amount: Option<u64>, reason: &str) -> RefundOrderInput {
    RefundOrderInput { order_id: order_id.to_owned(), amount, reason: reason.to_owned() }
}

fn key(input: &RefundOrderInput) -> Option<String> {
    RefundOrder::business_key(input, &UserId::from("u1"), 0)
}

#[test]
fn an_order_has_one_key_however_its_number_was_written_and_whatever_is_asked() {
    let first = refund("DH-7K2Q4", None, "cold");
    assert_eq!(key(&first).as_deref(), Some("refund:DH-7K2Q4"));
    assert_eq!(key(&first), key(&refund(" dh-7k2q4 ", Some(50_000), "late")));
    assert_ne!(key(&first), key(&refund("DH-7K2Q5", None, "cold")));
}

#[test]
fn the_amount_alone_makes_another_request_and_an_absent_one_does_not() {
    let all = refund("DH-7K2Q4", None, "cold");
    let part = refund("DH-7K2Q4", Some(50_000), "late");
    assert!(RefundOrder::same_request(&part, &refund("DH-7K2Q4", Some(50_000), "cold")));
    assert!(RefundOrder::same_request(&all, &part) && RefundOrder::same_request(&part, &all));
    assert!(!RefundOrder::same_request(&part, &refund("DH-7K2Q4", Some(60_000), "late")));
}
