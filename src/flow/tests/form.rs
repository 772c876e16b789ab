//! The form, and sending it once.

use super::*;
use tua_contract::Network;
use tua_contract::phone::PhoneError;

fn form(walk: &Walk) -> &Form {
    match &walk.state.screen {
        Screen::Form(_, form) => form,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_prefix_suggests_a_network_until_the_payer_picks_one() {
    for text in ["024", "+233 24", "00233 24 1", "24", "233 (0)24"] {
        let walk = Walk::form().say(Msg::PhoneTyped(text.to_owned()));
        assert_eq!(form(&walk).network, Choice::Hinted(Network::Mtn), "{text}");
    }
    let walk = Walk::form().fill().say(Msg::PhoneTyped("020".to_owned()));
    assert_eq!(form(&walk).network, Choice::Hinted(Network::Telecel));
    let walk = walk.say(Msg::PhoneTyped("0".to_owned()));
    assert_eq!(form(&walk).network, Choice::None);
    let walk = walk.say(Msg::NetworkChosen(Network::AirtelTigo)).fill();
    assert_eq!(form(&walk).network, Choice::Picked(Network::AirtelTigo));
}

#[test]
fn all_faults_are_shown_at_once_and_the_first_takes_the_focus() {
    let walk = Walk::form().say(Msg::Pay);
    assert_eq!((form(&walk).phone_fault, form(&walk).network_fault), (Some(PhoneError::Empty), true));
    assert_eq!(walk.focused(), Some(Focus::Phone));
    let walk = walk.say(Msg::PhoneTyped("0281234567".to_owned())).say(Msg::Pay);
    assert_eq!((form(&walk).phone_fault, form(&walk).network_fault), (None, true));
    assert_eq!(walk.focused(), Some(Focus::Network));
    let walk = walk.say(Msg::NetworkChosen(Network::Mtn)).say(Msg::Pay);
    assert!(matches!(walk.asked(), Some(Request::Charge { attempt: 1, network: Network::Mtn, .. })));
}

#[test]
fn a_paste_of_ten_megabytes_is_cut_short_and_refused() {
    let walk = Walk::form().say(Msg::PhoneTyped("0😀".repeat(2_000_000))).say(Msg::Pay);
    assert_eq!((form(&walk).phone.chars().count(), form(&walk).phone_fault), (64, Some(PhoneError::WrongLength)));
    assert_eq!(walk.asked(), None);
}

#[test]
fn a_second_press_sends_nothing() {
    let walk = Walk::form().fill().say(Msg::Pay).say(Msg::Pay).say(Msg::Awake).say(Msg::Hidden);
    assert_eq!(walk.effects, []);
    let walk = walk.say(Msg::PhoneTyped(String::new()));
    assert_eq!(form(&walk).phone, "024 123 4567", "nor does the form change under way");
}

#[test]
fn a_late_answer_is_not_listened_to() {
    let walk = Walk::form().fill().say(Msg::Pay);
    let before = walk.state.clone();
    let walk = walk.say(Msg::Answered(1, Box::new(Answer::Session(Session { is_paid: true, ..session() }))));
    assert_eq!(walk.state, before);
}

#[test]
fn a_charge_that_was_not_answered_is_looked_for_before_anything_else() {
    let walk = Walk::form().fill().say(Msg::Pay).answer(Answer::Lost);
    assert_eq!(walk.asked(), Some(&Request::Checkout));
    assert!(matches!(form(&walk).sending, Sending::Checking { .. }));
    let arrived = Session { transaction: Some(transaction(Standing::Pending(Step::ApproveOnPhone))), ..session() };
    let walk = walk.answer(Answer::Session(arrived));
    assert!(matches!(walk.state.screen, Screen::Waiting(..)));
    assert_eq!(walk.events(), [EventKind::Pending]);
}

#[test]
fn a_charge_that_did_not_arrive_is_sent_again_with_the_same_key() {
    let walk = Walk::form().fill().say(Msg::Pay);
    let first = walk.asked().cloned();
    let walk = walk.answer(Answer::Lost).answer(Answer::Lost);
    assert_eq!(walk.slept_for(), Some(1_000), "the session itself could not be read");
    let walk = walk.slept().answer(Answer::Session(session()));
    assert_eq!(walk.asked().cloned(), first);
    let walk = walk.answer(Answer::Lost).answer(Answer::Session(session()));
    assert_eq!(form(&walk).notice, Some(FormNotice::NotSent));
    assert_eq!(walk.clone().say(Msg::Pay).asked().cloned(), first, "the payer's own retry too");
    let other = walk.say(Msg::NetworkChosen(Network::Telecel)).say(Msg::Pay);
    assert!(matches!(other.asked(), Some(Request::Charge { attempt: 2, .. })), "another intention, another key");
}

#[test]
fn a_conflict_is_settled_by_reading_the_session() {
    for code in [ErrorCode::ChargeInProgress, ErrorCode::CheckoutAlreadyPaid] {
        let walk = Walk::form().fill().say(Msg::Pay).answer(refused(409, code));
        assert_eq!(walk.asked(), Some(&Request::Checkout));
        let walk = walk.answer(Answer::Session(Session { is_paid: true, ..session() }));
        assert!(matches!(walk.state.screen, Screen::Paid(..)));
    }
}

#[test]
fn a_server_that_broke_down_may_have_charged() {
    let walk = Walk::form().fill().say(Msg::Pay).answer(refused(500, ErrorCode::InternalError));
    assert_eq!(walk.asked(), Some(&Request::Checkout));
}

#[test]
fn each_refusal_says_what_can_be_done() {
    let after = |answer| Walk::form().fill().say(Msg::Pay).answer(answer);
    let walk = after(refused(503, ErrorCode::NetworkUnavailable));
    assert_eq!(form(&walk).notice, Some(FormNotice::NetworkUnavailable));
    let walk = after(Answer::Refused(Problem { status: 429, ..Problem::default() }));
    assert_eq!(form(&walk).notice, Some(FormNotice::TooMany));
    let pointers = vec!["/phoneNumber".to_owned()];
    let walk = after(Answer::Refused(Problem { status: 422, pointers, ..Problem::default() }));
    assert!(form(&walk).phone_fault.is_some());
    assert_eq!(walk.focused(), Some(Focus::Phone));
    let walk = after(refused(409, ErrorCode::AttemptsExhausted));
    assert_eq!(walk.state.screen.session().map(|session| session.attempts_left), Some(0));
    assert_eq!(walk.say(Msg::Pay).effects, []);
}

#[test]
fn a_failure_keeps_number_and_network_for_the_next_attempt() {
    let walk = Walk::waiting(Step::ApproveOnPhone).answer(news(DECLINED));
    assert_eq!(walk.events(), [EventKind::Failed(FailureCode::CustomerRejected)]);
    assert_eq!(walk.focused(), Some(Focus::Screen));
    assert_eq!(walk.state.screen.session().map(|session| session.attempts_left), Some(4));
    let again = walk.clone().say(Msg::TryAgain);
    assert!(matches!(again.asked(), Some(Request::Charge { attempt: 2, network: Network::Mtn, .. })));
    let change = walk.say(Msg::ChangeNumber);
    assert_eq!(change.focused(), Some(Focus::Phone));
    assert_eq!(form(&change).phone, "024 123 4567");
}

#[test]
fn after_a_reload_trying_again_asks_for_the_number() {
    let session = Session { transaction: Some(transaction(DECLINED)), ..session() };
    let walk = Walk::begin().answer(Answer::Session(session)).say(Msg::TryAgain);
    assert_eq!((walk.focused(), form(&walk).phone_fault), (Some(Focus::Phone), None));
}

#[test]
fn a_failed_retry_that_did_not_arrive_is_not_taken_for_the_old_failure() {
    let walk = Walk::waiting(Step::Wait).answer(news(DECLINED)).say(Msg::TryAgain).answer(Answer::Lost);
    let seen = Session { transaction: Some(transaction(DECLINED)), attempts_left: 4, ..session() };
    let walk = walk.answer(Answer::Session(seen));
    assert!(matches!(walk.asked(), Some(Request::Charge { attempt: 2, .. })));
}

#[test]
fn without_attempts_left_a_failure_is_the_end() {
    let session = Session { transaction: Some(transaction(DECLINED)), attempts_left: 0, ..session() };
    let walk = Walk::begin().answer(Answer::Session(session)).say(Msg::TryAgain);
    assert!(matches!(walk.state.screen, Screen::Failed(..)));
    assert_eq!(walk.effects, []);
}
