//! The form that is shown while the session is read.

use super::*;
use tua_contract::Network;
use tua_contract::phone::PhoneError;

fn form(walk: &Walk) -> &Form {
    match &walk.state.screen {
        Screen::Loading { form: Some(form), .. } | Screen::Form(_, form) => form,
        other => panic!("{other:?}"),
    }
}

fn filled(network: Option<Network>) -> Walk {
    Walk::begin_with_form().say(Msg::Filled("024 123 4567".to_owned(), network))
}

#[test]
fn input_typed_before_the_session_is_read_is_kept() {
    let walk = Walk::begin_with_form().say(Msg::PhoneTyped("020 1".to_owned()));
    assert_eq!(form(&walk).network, Choice::Hinted(Network::Telecel));
    let walk = walk.say(Msg::NetworkChosen(Network::Mtn)).answer(Answer::Session(session()));
    assert!(matches!(walk.state.screen, Screen::Form(..)));
    assert_eq!((form(&walk).phone.as_str(), form(&walk).network), ("020 1", Choice::Picked(Network::Mtn)));
    assert_eq!(walk.focused(), None, "the payer is typing");
}

#[test]
fn a_network_that_was_not_shown_is_not_chosen() {
    assert_eq!(form(&filled(None)).network, Choice::None);
    let walk = filled(None).say(Msg::Pay);
    assert!(form(&walk).network_fault);
    assert_eq!(walk.focused(), Some(Focus::Network));
    let walk = filled(None).say(Msg::PhoneTyped("024 123 456".to_owned()));
    assert_eq!(form(&walk).network, Choice::Hinted(Network::Mtn), "the next character brings the hint");
}

#[test]
fn faults_are_shown_before_the_session_is_read() {
    let walk = Walk::begin_with_form().say(Msg::Pay);
    assert_eq!((form(&walk).phone_fault, form(&walk).network_fault), (Some(PhoneError::Empty), true));
    assert_eq!(form(&walk).sending, Sending::No);
}

#[test]
fn pay_waits_for_the_session_and_is_sent_once() {
    let walk = filled(Some(Network::Mtn)).say(Msg::Pay);
    assert_eq!((form(&walk).sending.clone(), walk.asked()), (Sending::Queued, None));
    let walk = walk.say(Msg::Pay).say(Msg::PhoneTyped("1".to_owned()));
    assert_eq!(form(&walk).phone, "024 123 4567", "what was sent is what stands there");
    let walk = walk.answer(Answer::Session(session()));
    assert!(matches!(walk.asked(), Some(Request::Charge { attempt: 1, network: Network::Mtn, .. })));
    assert_eq!(walk.events(), [EventKind::Ready]);
    assert_eq!(walk.say(Msg::Pay).effects, []);
}

#[test]
fn pay_that_waits_outlasts_a_failed_reading_but_not_an_unreachable_service() {
    let walk = filled(Some(Network::Mtn)).say(Msg::Pay).answer(Answer::Lost);
    assert_eq!(form(&walk).sending, Sending::Queued);
    let walk = walk.slept().answer(Answer::Lost).slept().answer(Answer::Lost);
    assert!(matches!(&walk.state.screen, Screen::Unreachable(Some(form)) if form.phone == "024 123 4567"));
    let walk = walk.say(Msg::CheckNow).answer(Answer::Session(session()));
    assert_eq!((form(&walk).phone.as_str(), walk.asked()), ("024 123 4567", None), "a press of long ago pays nothing");
}

#[test]
fn pay_that_waits_charges_nothing_where_the_session_has_moved_on() {
    let paying = || filled(Some(Network::Mtn)).say(Msg::Pay);
    let charged = |state| Session { transaction: Some(transaction(state)), ..session() };
    for (seen, is_there) in [
        (Session { is_paid: true, ..session() }, "paid"),
        (charged(Standing::Successful), "paid"),
        (charged(DECLINED), "failed"),
        (charged(Standing::Pending(Step::ApproveOnPhone)), "pending"),
        (Session { attempts_left: 0, ..session() }, "exhausted"),
    ] {
        let walk = paying().answer(Answer::Session(seen));
        assert!(!matches!(walk.asked(), Some(Request::Charge { .. })), "{is_there}");
    }
    let walk = paying().answer(expired(Some(SessionStanding::Open)));
    assert!(matches!(walk.state.screen, Screen::Expired(_)));
}

#[test]
fn a_payer_who_was_typing_is_told_of_another_screen() {
    let seen = Session { transaction: Some(transaction(Standing::Pending(Step::ApproveOnPhone))), ..session() };
    let walk = filled(None).answer(Answer::Session(seen.clone()));
    assert_eq!(walk.focused(), Some(Focus::Screen));
    let untouched = Walk::begin_with_form().answer(Answer::Session(seen));
    assert_eq!(untouched.focused(), None, "a page that loads must not pull the reader to it");
}
