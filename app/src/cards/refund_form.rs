//! The question before a refund: payee, order and what is left from the preview; amount and reason to edit.

use leptos::html;
use leptos::prelude::*;
use serde_json::{Value, json};
use shared::api::FieldError;
use shared::error_code::ErrorCode;
use shared::ids::ToolCallId;
use shared::tool_call::Approval;
use shared::tools::{RefundOrderInput, RefundOrderPreview};
use wasm_bindgen::JsCast;

use super::context::use_cards;
use super::decider::{Decider, deadline};
use super::fields::{Field, field_view, lead_to_refused, other_errors, reason as refusal};
use super::frame::{fact, provenance};
use super::refund_record::amount;
use crate::i18n::{by_lang, format, t, texts, use_lang, visible, words};

/// What is on the form, in the order of reading.
const SHOWN: &[Field] = &[Field::Amount, Field::Reason];

/// The whole input to run instead, or nothing where nothing was changed. Checked here is only what cannot be
/// put into JSON; everything else is the server's to judge. `asked`: what the preview is about.
fn edited(
    amount: &str,
    reason: &str,
    input: &RefundOrderInput,
    asked: u64,
) -> Result<Option<Value>, Vec<FieldError>> {
    let Some(wanted) = format::read_dong(amount) else {
        let code = if amount.trim().is_empty() { ErrorCode::Required } else { ErrorCode::BadFormat };
        return Err(vec![refusal("/amount", code)]);
    };
    let reason = reason.trim();
    if wanted == asked && reason == input.reason.trim() {
        return Ok(None);
    }
    let mut edited = json!({ "orderId": input.order_id, "reason": reason });
    // What the model left open stays open where the guest did not touch it: all that is left.
    let wanted = if wanted == asked { input.amount } else { Some(wanted) };
    if let (Some(wanted), Some(fields)) = (wanted, edited.as_object_mut()) {
        fields.insert("amount".to_owned(), Value::from(wanted));
    }
    Ok(Some(edited))
}

/// The form of one question.
pub fn refund_form(
    tool_call_id: ToolCallId,
    input: RefundOrderInput,
    approval: Approval<RefundOrderPreview>,
) -> AnyView {
    let expires_at = approval.expires_at;
    let RefundOrderPreview { order_id, restaurant_name, payee, total, refunded, left, amount: asked } =
        approval.preview;
    let decider = Decider::new(tool_call_id.clone(), approval.approval_id);
    let amount_ref = NodeRef::<html::Input>::new();
    let reason_ref = NodeRef::<html::Textarea>::new();
    let paused = use_cards().paused;
    let chosen = RwSignal::new(Some(asked));
    let anchor = super::anchor(&tool_call_id);
    let reason_at_start = input.reason.clone();
    let input = StoredValue::new(input);
    let lang = use_lang();
    let amount_at_start = format::count(lang.get_untracked(), asked);

    let read = move || {
        let (amount, reason) = (amount_ref.get_untracked()?.value(), reason_ref.get_untracked()?.value());
        Some(input.with_value(|input| edited(&amount, &reason, input, asked)))
    };
    let written = move || amount_ref.get_untracked().map(|field| field.value());
    let look = move || chosen.set(written().and_then(|text| format::read_dong(&text)));
    // Never while somebody types: the caret would jump.
    let tidy = move |lang| {
        if let (Some(field), Some(text)) = (amount_ref.get_untracked(), written())
            && let Some(amount) = format::read_dong(&text)
        {
            field.set_value(&format::count(lang, amount));
        }
    };
    Effect::new(move |_| tidy(lang.get()));
    let confirm = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if decider.is_locked_now() || paused.get_untracked() {
            return;
        }
        match read() {
            Some(Ok(edited)) => decider.press(true, edited),
            Some(Err(errors)) => decider.refuse(errors),
            None => {}
        }
    };
    lead_to_refused(decider, SHOWN, move |field| match field {
        Field::Amount => amount_ref.get_untracked().map(JsCast::unchecked_into),
        Field::Reason => reason_ref.get_untracked().map(JsCast::unchecked_into),
        Field::Date | Field::Time | Field::Party | Field::Note => None,
    });

    let chosen_payee = visible(&payee);
    view! {
        <form class="ask" autocomplete="off" novalidate=true on:submit=confirm on:input=move |_| look()>
            <p class="ask__promise">{t(texts::refund_promise)}</p>
            <dl class="facts">
                {fact(texts::payee, view! { <bdi class="receipt__name">{visible(&payee)}</bdi> })}
                {fact(texts::order, view! { <bdi>{visible(&order_id)}</bdi> })}
                {fact(texts::restaurant, view! { <bdi>{visible(&restaurant_name)}</bdi> })}
                {fact(texts::order_total, amount(total))}
                {(refunded > 0).then(|| fact(texts::refunded_so_far, amount(refunded)))}
                {fact(texts::refund_left, amount(left))}
            </dl>
            <fieldset class="ask__fields" disabled=move || decider.locked() aria-busy=move || decider.sending().to_string()>
                <legend class="visually-hidden">{t(texts::refund_question)}</legend>
                {field_view(
                    Field::Amount,
                    &format!("{anchor}-amount"),
                    texts::field_amount,
                    by_lang(move |lang| words::at_most(lang, left)),
                    decider,
                    move |labels| view! {
                        <input
                            node_ref=amount_ref
                            class="field__control field__control--money"
                            id=labels.control
                            type="text"
                            name="amount"
                            inputmode="numeric"
                            required
                            value=amount_at_start
                            aria-describedby=labels.described_by
                            aria-invalid=labels.invalid
                            on:change=move |_| tidy(lang.get_untracked())
                        />
                    }.into_any(),
                )}
                {field_view(
                    Field::Reason,
                    &format!("{anchor}-reason"),
                    texts::field_reason,
                    t(texts::field_reason_help),
                    decider,
                    move |labels| view! {
                        <textarea
                            node_ref=reason_ref
                            class="field__control field__control--text"
                            id=labels.control
                            name="reason"
                            rows="2"
                            dir="auto"
                            required
                            aria-describedby=labels.described_by
                            aria-invalid=labels.invalid
                            prop:value=reason_at_start.clone()
                        ></textarea>
                    }.into_any(),
                )}
            </fieldset>
            // Said once more in words: a mark more or less in the field is another amount.
            <p class="ask__chosen">
                <bdi>
                    {move || {
                        let lang = lang.get();
                        chosen.get().map(|amount| words::would_go_back(lang, amount, &chosen_payee))
                    }}
                </bdi>
            </p>
            <p class="ask__seats">
                {by_lang(move |lang| chosen.get().map(|amount| words::left_after(lang, amount, left)))}
            </p>
            {other_errors(decider, SHOWN)}
            {move || paused.get().then(|| view! { <p class="ask__paused">{t(texts::confirm_paused)}</p> })}
            <div class="ask__buttons">
                <button
                    class="button button--primary"
                    type="submit"
                    disabled=move || decider.locked() || paused.get()
                >
                    {t(texts::refund_confirm)}
                </button>
                <button
                    class="button"
                    type="button"
                    disabled=move || decider.locked()
                    on:click=move |_| decider.press(false, None)
                >
                    {t(texts::refund_decline)}
                </button>
            </div>
            {decider.status(move || deadline(expires_at))}
            {provenance(texts::booking_ask_provenance)}
        </form>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(amount: Option<u64>) -> RefundOrderInput {
        RefundOrderInput { order_id: "DH-7K2Q4".to_owned(), amount, reason: "Món nguội".to_owned() }
    }

    #[test]
    fn nothing_changed_sends_no_edit() {
        for written in ["350.000", "350,000", "350000", "₫350,000"] {
            assert_eq!(edited(written, " Món nguội ", &input(None), 350_000), Ok(None), "{written}");
            assert_eq!(edited(written, "Món nguội", &input(Some(350_000)), 350_000), Ok(None), "{written}");
        }
    }

    #[test]
    fn another_amount_replaces_the_whole_input() {
        let edited = edited("100.000", "Món nguội", &input(None), 350_000).unwrap().unwrap();
        assert_eq!(edited, json!({"orderId": "DH-7K2Q4", "amount": 100_000, "reason": "Món nguội"}));
    }

    #[test]
    fn another_reason_leaves_the_amount_as_it_was_proposed() {
        let open = edited("350.000", "Thiếu món", &input(None), 350_000).unwrap().unwrap();
        assert_eq!(open, json!({"orderId": "DH-7K2Q4", "reason": "Thiếu món"}));
        let fixed = edited("50.000", "Thiếu món", &input(Some(50_000)), 50_000).unwrap().unwrap();
        assert_eq!(fixed, json!({"orderId": "DH-7K2Q4", "amount": 50_000, "reason": "Thiếu món"}));
    }

    #[test]
    fn more_than_is_left_no_amount_and_no_reason_are_the_servers_to_judge() {
        let more = edited("9.000.000", "", &input(None), 350_000).unwrap().unwrap();
        assert_eq!(more, json!({"orderId": "DH-7K2Q4", "amount": 9_000_000, "reason": ""}));
        let none = edited("0", "x", &input(None), 350_000).unwrap().unwrap();
        assert_eq!(none["amount"], 0);
    }

    #[test]
    fn what_is_no_amount_is_told_at_its_field() {
        for (written, code) in
            [("", ErrorCode::Required), ("350k", ErrorCode::BadFormat), ("350.5", ErrorCode::BadFormat)]
        {
            let errors = edited(written, "x", &input(None), 350_000).unwrap_err();
            let found: Vec<_> = errors.iter().map(|error| (Field::of(error), error.code.clone())).collect();
            assert_eq!(found, [(Some(Field::Amount), code)], "{written}");
        }
    }
}
