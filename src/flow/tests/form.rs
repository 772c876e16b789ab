//! The form and its charge.

use super::*;
use tua_contract::Network;
use tua_contract::phone::PhoneError;

fn form(flow: &TestFlow) -> &Form {
    match &flow.state.screen {
        Screen::Form(_, form) => form,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_prefix_suggests_a_network_until_the_payer_picks_one() {
    for text in ["024", "+233 24", "00233 24 1", "24", "233 (0)24"] {
        let flow = TestFlow::form().send(Msg::PhoneTyped(text.to_owned()));
        assert_eq!(form(&flow).network, NetworkChoice::Hinted(Network::Mtn), "{text}");
    }
    for text in ["0233123456", "233123456", "23 312 3456"] {
        let flow = TestFlow::form().send(Msg::PhoneTyped(text.to_owned()));
        assert_eq!(form(&flow).network, NetworkChoice::Hinted(Network::AirtelTigo), "{text}");
    }
    for text in ["233201234567", "00233201234567", "+233 20 1234"] {
        let flow = TestFlow::form().send(Msg::PhoneTyped(text.to_owned()));
        assert_eq!(form(&flow).network, NetworkChoice::Hinted(Network::Telecel), "{text}");
    }
    let flow = TestFlow::form().fill().send(Msg::PhoneTyped("020".to_owned()));
    assert_eq!(form(&flow).network, NetworkChoice::Hinted(Network::Telecel));
    let flow = flow.send(Msg::PhoneTyped("0".to_owned()));
    assert_eq!(form(&flow).network, NetworkChoice::None);
    let flow = flow.send(Msg::NetworkChosen(Network::AirtelTigo)).fill();
    assert_eq!(form(&flow).network, NetworkChoice::Picked(Network::AirtelTigo));
}

#[test]
fn all_faults_are_shown_at_once_and_the_first_gets_the_focus() {
    let flow = TestFlow::form().pay();
    assert_eq!(
        (form(&flow).phone_fault, form(&flow).network_fault),
        (Some(PhoneError::Empty), true)
    );
    assert_eq!(flow.focused(), Some(Focus::Phone));
    let flow = flow.send(Msg::PhoneTyped("0281234567".to_owned())).pay();
    assert_eq!((form(&flow).phone_fault, form(&flow).network_fault), (None, true));
    assert_eq!(flow.focused(), Some(Focus::Network));
    let flow = flow.send(Msg::NetworkChosen(Network::Mtn)).pay();
    assert!(matches!(
        flow.request(),
        Some(Request::Charge { attempt: 1, network: Network::Mtn, .. })
    ));
}

#[test]
fn a_number_that_was_cut_is_never_charged() {
    // The first 64 characters are a number.
    let pasted = format!("0241234567{}89", " ".repeat(54));
    let flow = TestFlow::form().send(Msg::PhoneTyped(pasted)).pay();
    assert_eq!((flow.request(), form(&flow).phone_fault), (None, Some(PhoneError::WrongLength)));
    assert_eq!(flow.pay().request(), None, "nor when it is sent as the field shows it");
}

#[test]
fn the_number_that_the_field_shows_is_charged_although_there_was_no_event() {
    let shown =
        |phone: &str, network| TestFlow::form().fill().send(Msg::Pay(phone.to_owned(), network));
    let charged = |flow: &TestFlow| match flow.request() {
        Some(Request::Charge { phone, network, .. }) => Some((phone.as_str().to_owned(), *network)),
        _ => None,
    };
    let flow = shown("0559876543", Some(Network::Mtn));
    assert_eq!(charged(&flow), Some(("0559876543".to_owned(), Network::Mtn)));
    for (phone, hint) in [
        ("0209876543", NetworkChoice::Hinted(Network::Telecel)),
        ("0289876543", NetworkChoice::None),
    ] {
        let flow = shown(phone, Some(Network::Mtn));
        assert_eq!(
            charged(&flow),
            None,
            "MTN was the hint of the number before, and the new one was not shown"
        );
        assert_eq!(form(&flow).network, hint);
    }
    let picked = TestFlow::form().fill().send(Msg::NetworkChosen(Network::AirtelTigo));
    let flow = picked.send(Msg::Pay("0209876543".to_owned(), Some(Network::AirtelTigo)));
    assert_eq!(
        charged(&flow),
        Some(("0209876543".to_owned(), Network::AirtelTigo)),
        "the payer's choice"
    );
    let flow = shown("0209876543", Some(Network::AirtelTigo));
    assert_eq!(
        charged(&flow),
        Some(("0209876543".to_owned(), Network::AirtelTigo)),
        "chosen without an event"
    );
    // The number was typed, and Pay pressed before the next rendering.
    assert_eq!(
        charged(&shown("024 123 4567", None)),
        Some(("0241234567".to_owned(), Network::Mtn))
    );
    assert_eq!(charged(&shown("055 123 4567", None)), None);
}

#[test]
fn digits_of_any_script_hint_at_the_network_and_are_charged() {
    let flow = TestFlow::form().send(Msg::PhoneTyped("\u{200b}٠٢٠ ١٢٣ ٤٥٦٧".to_owned()));
    assert_eq!(form(&flow).network, NetworkChoice::Hinted(Network::Telecel));
    let flow = flow.pay();
    assert!(matches!(
        flow.request(),
        Some(Request::Charge { phone, .. }) if phone.as_str() == "0201234567"
    ));
}

#[test]
fn a_paste_of_ten_megabytes_is_truncated_and_refused() {
    let flow = TestFlow::form().send(Msg::PhoneTyped("0😀".repeat(2_000_000))).pay();
    assert_eq!(
        (form(&flow).phone.chars().count(), form(&flow).phone_fault),
        (65, Some(PhoneError::WrongLength))
    );
    assert_eq!(flow.request(), None);
}

#[test]
fn a_second_press_sends_nothing() {
    let flow = TestFlow::form().fill().pay().pay().send(Msg::Resumed).send(Msg::Hidden);
    assert_eq!(flow.effects, []);
    let flow = flow.send(Msg::PhoneTyped(String::new()));
    assert_eq!(form(&flow).phone, "024 123 4567", "nor does the form change under way");
}

#[test]
fn the_answer_of_an_older_request_is_ignored() {
    let flow = TestFlow::form().fill().pay();
    let before = flow.state.clone();
    let flow = flow.send(Msg::Answered(
        1,
        Box::new(ApiResponse::Session(Session { is_paid: true, ..session() })),
    ));
    assert_eq!(flow.state, before);
}

#[test]
fn after_a_lost_response_the_session_is_read_first() {
    let flow = TestFlow::form().fill().pay().answer(ApiResponse::Lost);
    assert_eq!(flow.request(), Some(&Request::Checkout));
    assert!(matches!(form(&flow).sending, FormRequestState::Checking { .. }));
    let arrived = Session {
        transaction: Some(transaction(TransactionState::Pending(Step::ApproveOnPhone))),
        ..session()
    };
    let flow = flow.answer(ApiResponse::Session(arrived));
    assert!(matches!(flow.state.screen, Screen::Waiting(..)));
    assert_eq!(flow.events(), [EventKind::Pending]);
}

#[test]
fn a_charge_that_did_not_arrive_is_sent_again_with_the_same_key() {
    let flow = TestFlow::form().fill().pay();
    let first = flow.request().cloned();
    let flow = flow.answer(ApiResponse::Lost).answer(ApiResponse::Lost);
    assert_eq!(flow.pause_ms(), Some(1_000), "the session itself could not be read");
    let flow = flow.end_pause().answer(ApiResponse::Session(session()));
    assert_eq!(flow.request().cloned(), first);
    let flow = flow.answer(ApiResponse::Lost).answer(ApiResponse::Session(session()));
    assert_eq!(form(&flow).notice, Some(FormNotice::NotSent));
    assert_eq!(flow.clone().pay().request().cloned(), first, "the payer's own retry too");
    let other = flow.send(Msg::NetworkChosen(Network::Telecel)).pay();
    assert!(
        matches!(other.request(), Some(Request::Charge { attempt: 2, .. })),
        "another intention, another key"
    );
}

#[test]
fn a_conflict_is_resolved_by_reading_the_session() {
    for code in [ErrorCode::ChargeInProgress, ErrorCode::CheckoutAlreadyPaid] {
        let flow = TestFlow::form().fill().pay().answer(refused(409, code));
        assert_eq!(flow.request(), Some(&Request::Checkout));
        let flow = flow.answer(ApiResponse::Session(Session { is_paid: true, ..session() }));
        assert!(matches!(flow.state.screen, Screen::Paid(..)));
    }
}

#[test]
fn after_a_server_error_the_charge_may_exist() {
    let flow = TestFlow::form().fill().pay().answer(refused(500, ErrorCode::InternalError));
    assert_eq!(flow.request(), Some(&Request::Checkout));
}

#[test]
fn each_refusal_shows_what_the_payer_can_do() {
    let after = |answer| TestFlow::form().fill().pay().answer(answer);
    let flow = after(refused(503, ErrorCode::NetworkUnavailable));
    assert_eq!(form(&flow).notice, Some(FormNotice::NetworkUnavailable));
    let flow = after(refused(403, ErrorCode::AccountSuspended));
    assert_eq!(form(&flow).notice, Some(FormNotice::AccountSuspended));
    let flow = after(refused(409, ErrorCode::LinkInUse));
    assert_eq!(form(&flow).notice, Some(FormNotice::LinkInUse));
    let flow = after(ApiResponse::Refused(Problem { status: 429, ..Problem::default() }));
    assert_eq!(form(&flow).notice, Some(FormNotice::TooMany));
    let pointers = vec!["/phoneNumber".to_owned()];
    let flow = after(ApiResponse::Refused(Problem { status: 422, pointers, ..Problem::default() }));
    assert!(form(&flow).phone_fault.is_some());
    assert_eq!(flow.focused(), Some(Focus::Phone));
    let flow = after(refused(409, ErrorCode::AttemptsExhausted));
    assert_eq!(flow.state.screen.session().map(|session| session.attempts_left), Some(0));
    assert_eq!(flow.pay().effects, []);
}

#[test]
fn number_and_network_stay_for_the_next_attempt_after_a_failure() {
    let flow = TestFlow::waiting(Step::ApproveOnPhone).answer(charge_answer(DECLINED));
    assert_eq!(flow.events(), [EventKind::Failed(FailureCode::CustomerRejected)]);
    assert_eq!(flow.focused(), Some(Focus::Screen));
    assert_eq!(flow.state.screen.session().map(|session| session.attempts_left), Some(4));
    let again = flow.clone().send(Msg::TryAgain);
    assert!(matches!(
        again.request(),
        Some(Request::Charge { attempt: 2, network: Network::Mtn, .. })
    ));
    let change = flow.send(Msg::ChangeNumber);
    assert_eq!(change.focused(), Some(Focus::Phone));
    assert_eq!(form(&change).phone, "024 123 4567");
}

#[test]
fn after_a_reload_trying_again_asks_for_the_number() {
    let session = Session { transaction: Some(transaction(DECLINED)), ..session() };
    let flow = TestFlow::begin().answer(ApiResponse::Session(session)).send(Msg::TryAgain);
    assert_eq!((flow.focused(), form(&flow).phone_fault), (Some(Focus::Phone), None));
}

#[test]
fn a_retry_that_did_not_arrive_does_not_show_the_old_failure() {
    let flow = TestFlow::waiting(Step::Wait)
        .answer(charge_answer(DECLINED))
        .send(Msg::TryAgain)
        .answer(ApiResponse::Lost);
    let seen = Session { transaction: Some(transaction(DECLINED)), attempts_left: 4, ..session() };
    let flow = flow.answer(ApiResponse::Session(seen));
    assert!(matches!(flow.request(), Some(Request::Charge { attempt: 2, .. })));
}

#[test]
fn without_attempts_left_a_failure_is_the_end() {
    let session =
        Session { transaction: Some(transaction(DECLINED)), attempts_left: 0, ..session() };
    let flow = TestFlow::begin().answer(ApiResponse::Session(session)).send(Msg::TryAgain);
    assert!(matches!(flow.state.screen, Screen::Failed(..)));
    assert_eq!(flow.effects, []);
}
