//! The form before the session has been read.

use super::*;
use tua_contract::Network;
use tua_contract::phone::PhoneError;

fn form(flow: &TestFlow) -> &Form {
    match &flow.state.screen {
        Screen::Loading { form: Some(form), .. } | Screen::Form(_, form) => form,
        other => panic!("{other:?}"),
    }
}

fn filled(network: Option<Network>) -> TestFlow {
    TestFlow::begin_with_form().send(Msg::Filled("024 123 4567".to_owned(), network))
}

#[test]
fn input_typed_before_the_session_is_read_is_kept() {
    let flow = TestFlow::begin_with_form().send(Msg::PhoneTyped("020 1".to_owned()));
    assert_eq!(form(&flow).network, NetworkChoice::Hinted(Network::Telecel));
    let flow = flow.send(Msg::NetworkChosen(Network::Mtn)).answer(ApiResponse::Session(session()));
    assert!(matches!(flow.state.screen, Screen::Form(..)));
    assert_eq!(
        (form(&flow).phone.as_str(), form(&flow).network),
        ("020 1", NetworkChoice::Picked(Network::Mtn))
    );
    assert_eq!(flow.focused(), None, "the payer is typing");
}

#[test]
fn a_number_that_was_typed_early_hints_at_its_network() {
    let flow = filled(None);
    assert_eq!(form(&flow).network, NetworkChoice::Hinted(Network::Mtn));
    assert!(matches!(
        flow.pay().state.screen,
        Screen::Loading { form: Some(Form { sending: FormRequestState::Queued, .. }), .. }
    ));
    assert_eq!(
        form(&filled(Some(Network::Mtn))).network,
        NetworkChoice::Hinted(Network::Mtn),
        "the early form's hint"
    );
    assert_eq!(
        form(&filled(Some(Network::Telecel))).network,
        NetworkChoice::Picked(Network::Telecel)
    );
}

#[test]
fn a_network_that_was_not_shown_is_not_charged() {
    for flow in [TestFlow::begin_with_form(), TestFlow::form()] {
        // Pay was pressed in a form that showed a number and no network.
        let flow = flow.send(Msg::Pay("024 123 4567".to_owned(), None));
        assert_eq!((form(&flow).sending.clone(), flow.request()), (FormRequestState::Idle, None));
        assert!(form(&flow).network_fault);
        assert_eq!(flow.focused(), Some(Focus::Network));
        assert_eq!(
            form(&flow).network,
            NetworkChoice::Hinted(Network::Mtn),
            "now the form shows it"
        );
        let flow = flow.pay();
        assert!(
            !form(&flow).network_fault && form(&flow).sending != FormRequestState::Idle,
            "and the next press charges it"
        );
    }
}

#[test]
fn faults_are_shown_before_the_session_is_read() {
    let flow = TestFlow::begin_with_form().pay();
    assert_eq!(
        (form(&flow).phone_fault, form(&flow).network_fault),
        (Some(PhoneError::Empty), true)
    );
    assert_eq!(form(&flow).sending, FormRequestState::Idle);
}

#[test]
fn pay_waits_for_the_session_and_is_sent_once() {
    let flow = filled(Some(Network::Mtn)).pay();
    assert_eq!((form(&flow).sending.clone(), flow.request()), (FormRequestState::Queued, None));
    let flow = flow.pay().send(Msg::PhoneTyped("1".to_owned()));
    assert_eq!(form(&flow).phone, "024 123 4567", "the form shows what will be sent");
    let flow = flow.answer(ApiResponse::Session(session()));
    assert!(matches!(
        flow.request(),
        Some(Request::Charge { attempt: 1, network: Network::Mtn, .. })
    ));
    assert_eq!(flow.events(), [EventKind::Ready]);
    assert_eq!(flow.pay().effects, []);
}

#[test]
fn a_queued_charge_survives_a_failed_request_but_not_an_unreachable_service() {
    let flow = filled(Some(Network::Mtn)).pay().answer(ApiResponse::Lost);
    assert_eq!(form(&flow).sending, FormRequestState::Queued);
    let flow = flow.end_pause().answer(ApiResponse::Lost).end_pause().answer(ApiResponse::Lost);
    assert!(matches!(
        &flow.state.screen,
        Screen::Unreachable(Some(form)) if form.phone == "024 123 4567"
    ));
    let flow = flow.send(Msg::CheckNow).answer(ApiResponse::Session(session()));
    assert_eq!(
        (form(&flow).phone.as_str(), flow.request()),
        ("024 123 4567", None),
        "the charge that was queued long ago is not sent"
    );
}

#[test]
fn a_queued_charge_is_dropped_if_the_session_has_a_charge_or_has_ended() {
    let paying = || filled(Some(Network::Mtn)).pay();
    let charged = |state| Session { transaction: Some(transaction(state)), ..session() };
    for (seen, is_there) in [
        (Session { is_paid: true, ..session() }, "paid"),
        (charged(TransactionState::Successful), "paid"),
        (charged(DECLINED), "failed"),
        (charged(TransactionState::Pending(Step::ApproveOnPhone)), "pending"),
        (Session { attempts_left: 0, ..session() }, "exhausted"),
    ] {
        let flow = paying().answer(ApiResponse::Session(seen));
        assert!(!matches!(flow.request(), Some(Request::Charge { .. })), "{is_there}");
    }
    let flow = paying().answer(expired(Some(SessionStatus::Open)));
    assert!(matches!(flow.state.screen, Screen::Expired(_)));
}

#[test]
fn another_screen_gets_the_focus_from_a_payer_who_was_typing() {
    let seen = Session {
        transaction: Some(transaction(TransactionState::Pending(Step::ApproveOnPhone))),
        ..session()
    };
    let flow = filled(None).answer(ApiResponse::Session(seen.clone()));
    assert_eq!(flow.focused(), Some(Focus::Screen));
    let untouched = TestFlow::begin_with_form().answer(ApiResponse::Session(seen));
    assert_eq!(untouched.focused(), None, "a page that loads must not pull the reader to it");
}
