//! Each place, on each database: what happens to somebody whose server dies there.

use server::fault::Point;

use super::mortal::Fault;
use super::play::play;
use super::story::Story;
use crate::support::DatabaseKind;

/// `name: place, which time, story;` is a test on each database.
macro_rules! dies {
    ($($name:ident: $point:ident, $nth:literal, $story:ident;)*) => {
        const TRIED: &[Point] = &[$(Point::$point,)*];

        mod on_sqlite {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    survives(DatabaseKind::Sqlite, Point::$point, $nth, Story::$story).await;
                }
            )*
        }

        mod on_postgres {
            use super::*;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    survives(DatabaseKind::Postgres, Point::$point, $nth, Story::$story).await;
                }
            )*
        }
    };
}

dies! {
    a_message_that_was_not_stored_is_sent_again: MessageToStore, 1, Booking;
    a_message_that_was_stored_but_not_answered_starts_one_run: MessageStored, 1, Booking;
    a_resumed_run_whose_claim_was_not_stored_is_taken_by_another_process: RunToClaim, 1, Booking;
    a_run_that_was_resumed_and_left_books_once: RunClaimed, 1, Booking;
    a_model_call_that_was_announced_is_made: StepStarted, 1, Booking;
    the_second_model_call_of_a_run_is_made_again: StepStarted, 2, Booking;
    words_that_were_not_stored_are_said_again: DeltasToStore, 1, Booking;
    words_of_a_broken_turn_are_withdrawn: DeltasStored, 2, Booking;
    words_of_a_broken_answer_are_withdrawn_after_the_booking: DeltasStored, 1, TwoReads;
    a_broken_answer_that_was_to_be_asked_for_again_is: RepeatToStore, 1, BrokenOnce;
    a_broken_answer_that_was_being_asked_for_again_is: RepeatStored, 1, BrokenOnce;
    an_answer_that_always_breaks_ends_the_run_although_its_process_died: RepeatToStore, 1, BrokenAlways;
    the_next_process_does_not_count_the_breaks_from_the_start: RepeatStored, 1, BrokenAlways;
    a_complete_turn_that_was_not_stored_is_asked_for_again: TurnComplete, 1, Booking;
    a_complete_answer_that_was_not_stored_is_asked_for_again: TurnComplete, 2, Booking;
    a_turn_whose_calls_were_planned_but_not_stored_is_asked_for_again: TurnToStore, 1, BookingAndWeather;
    a_stored_turn_goes_on_from_its_calls: TurnStored, 1, BookingAndWeather;
    a_form_that_was_not_stored_is_asked_with_the_next_turn: ParkingToStore, 1, Booking;
    a_form_that_nobody_was_told_of_waits_for_the_guest: Parked, 1, Booking;
    a_form_beside_a_read_waits_for_the_guest: Parked, 1, BookingAndWeather;
    a_yes_that_was_not_stored_is_given_again: DecisionToStore, 1, Booking;
    a_stored_yes_is_carried_out_although_nobody_was_woken: DecisionStored, 1, Booking;
    a_no_that_was_not_stored_is_given_again: DecisionToStore, 1, Declining;
    a_stored_no_goes_to_the_model_although_nobody_was_woken: DecisionStored, 1, Declining;
    a_booking_that_was_not_begun_is_made_once: EffectToDo, 1, Booking;
    a_booking_without_its_record_is_made_once: EffectDone, 1, Booking;
    a_booking_that_was_not_committed_is_made_once: EffectToStore, 1, Booking;
    a_booking_that_was_committed_is_not_made_again: EffectStored, 1, Booking;
    a_refund_whose_claim_was_not_stored_is_made_once: ClaimToStore, 1, Refund;
    a_refund_that_was_claimed_and_not_sent_is_sent: ClaimStored, 1, Refund;
    a_refund_that_the_ledger_had_under_way_is_made_once: LedgerToCommit, 1, Refund;
    a_refund_that_the_ledger_made_is_found_there: LedgerCommitted, 1, Refund;
    a_refund_whose_answer_was_not_recorded_is_found_at_the_ledger: OutcomeKnown, 1, Refund;
    a_refund_whose_record_was_not_committed_is_found_at_the_ledger: OutcomeToStore, 1, Refund;
    a_refund_that_was_recorded_is_not_made_again: OutcomeStored, 1, Refund;
    a_refund_that_was_claimed_and_not_sent_reaches_stripe_once: ClaimStored, 1, StripeRefund;
    a_refund_whose_answer_was_not_recorded_is_found_at_stripe: OutcomeKnown, 1, StripeRefund;
    a_refund_whose_record_was_not_committed_is_found_at_stripe: OutcomeToStore, 1, StripeRefund;
    a_refund_that_was_recorded_is_not_sent_to_stripe_again: OutcomeStored, 1, StripeRefund;
    a_refund_of_which_nobody_heard_is_looked_for_by_the_next_process: OutcomeStored, 1, LostRefund;
    a_lost_refund_that_was_found_and_not_stored_is_found_again: SettlementToStore, 1, LostRefund;
    a_lost_refund_that_was_found_stays_found: SettlementStored, 1, LostRefund;
    a_submitted_refund_is_asked_about_by_the_next_process: OutcomeStored, 1, PendingRefund;
    a_submitted_refund_whose_success_was_not_stored_is_asked_about_again: SettlementToStore, 1, PendingRefund;
    a_submitted_refund_whose_success_was_stored_tells_of_it_once: SettlementStored, 1, PendingRefund;
    a_read_that_was_not_recorded_is_read_again: ReadToStore, 1, TwoReads;
    the_other_read_of_a_turn_is_made_after_the_first_was_recorded: ReadStored, 1, TwoReads;
    results_that_were_not_delivered_are_delivered_once: ResultsToDeliver, 1, Booking;
    results_that_were_delivered_are_not_delivered_again: ResultsDelivered, 1, Booking;
    results_of_reads_that_were_not_delivered_are_delivered_once: ResultsToDeliver, 1, TwoReads;
    an_answer_that_was_not_stored_is_asked_for_again: AnswerToStore, 1, Booking;
    an_answer_that_was_stored_is_the_end: AnswerStored, 1, Booking;
    an_end_by_a_limit_that_was_not_stored_comes_again: EndToStore, 1, OneStepOnly;
    an_end_by_a_limit_that_was_stored_is_the_end: EndStored, 1, OneStepOnly;
    a_second_message_that_was_not_stored_leaves_the_form_for_its_next_try: MessageToStore, 2, Superseding;
    a_second_message_that_was_stored_has_closed_the_form: MessageStored, 2, Superseding;
    a_stop_of_a_form_that_was_not_stored_is_sent_again: StopToStore, 1, StoppingTheForm;
    a_stop_of_a_form_that_was_stored_stands: StopStored, 1, StoppingTheForm;
    a_stop_of_a_model_call_that_was_not_stored_is_sent_again: StopToStore, 1, StoppingTheModel;
    a_stop_of_a_model_call_that_was_stored_ends_the_run: StopStored, 1, StoppingTheModel;
    a_form_whose_time_is_up_expires_with_the_next_process: ExpiryToStore, 1, Forgetting;
    a_form_that_has_expired_stays_expired: ExpiryStored, 1, Forgetting;
    a_run_that_was_about_to_be_handed_back_goes_on: HandBackToStore, 1, Operator;
    a_run_that_was_handed_back_goes_on: HandedBack, 1, Operator;
}

async fn survives(kind: DatabaseKind, point: Point, nth: u32, story: Story) {
    let died = play(kind, &[Fault::new(point, nth)], story).await;
    assert!(died, "nobody died: {} was not reached", point.name());
}

#[test]
fn no_place_is_left_out() {
    // Every transaction's: `every_commit`.
    let every_commits = [Point::Commit, Point::Committed];
    // Only a process that comes after a dead one gets there: `over_and_over`.
    let second_deaths = [Point::SecondSendToStore, Point::SecondSendStored];
    let tried = [TRIED, &every_commits, &second_deaths].concat();
    for point in Point::ALL {
        assert!(tried.contains(point), "nobody dies at {}", point.name());
    }
}
