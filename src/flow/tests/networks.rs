//! Networks that are down.

use super::*;
use tua_contract::Network;

fn session_without(down: &[Network]) -> Session {
    Session { down: Network::ALL.map(|network| down.contains(&network)), ..session() }
}

fn form_without(down: &[Network]) -> TestFlow {
    TestFlow::begin().answer(ApiResponse::Session(session_without(down)))
}

fn form(flow: &TestFlow) -> &Form {
    match &flow.state.screen {
        Screen::Form(_, form) | Screen::Loading { form: Some(form), .. } => form,
        other => panic!("{other:?}"),
    }
}

fn is_unusable(flow: &TestFlow) -> bool {
    flow.state.screen.session().is_some_and(|session| form(flow).is_unusable(session))
}

#[test]
fn a_hinted_network_that_is_down_is_not_chosen() {
    let flow = form_without(&[Network::Mtn]).fill();
    assert_eq!((form(&flow).network, form(&flow).notice), (NetworkChoice::None, None));
    let flow = flow.pay();
    assert!(form(&flow).network_fault);
    assert_eq!((flow.request(), flow.focused()), (None, Some(Focus::Network)));
    let flow = flow.send(Msg::NetworkChosen(Network::Telecel)).pay();
    assert!(matches!(flow.request(), Some(Request::Charge { network: Network::Telecel, .. })));
}

#[test]
fn a_network_that_is_down_cannot_be_picked() {
    let flow = form_without(&[Network::Mtn]).fill().send(Msg::NetworkChosen(Network::Mtn));
    assert_eq!(
        (form(&flow).network, form(&flow).notice),
        (NetworkChoice::None, Some(FormNotice::NetworkUnavailable))
    );
    assert_eq!(flow.clone().pay().request(), None);
    let posted = form_without(&[Network::Mtn])
        .send(Msg::Filled("024 123 4567".to_owned(), Some(Network::Mtn)));
    assert_eq!(posted.pay().request(), None);
    let flow = flow.send(Msg::NetworkChosen(Network::AirtelTigo));
    assert_eq!(form(&flow).notice, None);
    assert!(matches!(
        flow.pay().request(),
        Some(Request::Charge { network: Network::AirtelTigo, .. })
    ));
}

#[test]
fn a_charge_that_was_queued_before_the_session_was_read_is_not_sent_to_a_network_that_is_down() {
    let queued = TestFlow::begin_with_form()
        .send(Msg::Filled("024 123 4567".to_owned(), Some(Network::Mtn)))
        .pay()
        .answer(ApiResponse::Session(session_without(&[Network::Mtn])));
    assert_eq!((queued.request(), form(&queued).sending.clone()), (None, FormRequestState::Idle));
    assert_eq!(form(&queued).notice, Some(FormNotice::NetworkUnavailable));
    assert_eq!(queued.focused(), Some(Focus::Network));
}

#[test]
fn after_a_refusal_the_session_shows_which_networks_are_down_now() {
    let flow = TestFlow::form().fill().pay().answer(refused(503, ErrorCode::NetworkUnavailable));
    assert_eq!(flow.request(), Some(&Request::Checkout));
    let flow = flow.answer(ApiResponse::Session(session_without(&[Network::Mtn])));
    assert_eq!(
        (form(&flow).network, form(&flow).notice),
        (NetworkChoice::None, Some(FormNotice::NetworkUnavailable))
    );
    assert_eq!(form(&flow).phone, "024 123 4567");
}

#[test]
fn the_networks_are_read_again_when_the_payer_returns_to_the_page_or_to_the_form() {
    let flow = TestFlow::form().fill().send(Msg::Hidden).send(Msg::Resumed);
    assert_eq!(flow.request(), Some(&Request::Checkout));
    let flow = flow.answer(ApiResponse::Session(session_without(&[Network::Mtn])));
    assert_eq!(form(&flow).network, NetworkChoice::None);

    let failed = TestFlow::waiting(Step::ApproveOnPhone).answer(charge_answer(DECLINED));
    let flow = failed.send(Msg::ChangeNumber);
    assert_eq!((flow.request(), flow.focused()), (Some(&Request::Checkout), Some(Focus::Phone)));
    let seen =
        Session { transaction: Some(transaction(DECLINED)), ..session_without(&[Network::Mtn]) };
    let flow = flow.answer(ApiResponse::Session(seen));
    assert_eq!(
        (form(&flow).phone.as_str(), form(&flow).network),
        ("024 123 4567", NetworkChoice::None)
    );
    assert!(!is_unusable(&flow));
}

#[test]
fn trying_again_is_refused_on_a_network_that_is_down() {
    let seen =
        Session { transaction: Some(transaction(DECLINED)), ..session_without(&[Network::Mtn]) };
    let flow = TestFlow::begin().answer(ApiResponse::Session(seen)).send(Msg::TryAgain).fill();
    assert_eq!(flow.send(Msg::NetworkChosen(Network::Mtn)).pay().request(), None);
}

#[test]
fn a_number_of_a_network_that_has_ended_goes_on_with_another_one() {
    let ended = Session { ended: [false, false, true], ..session_without(&[Network::AirtelTigo]) };
    let flow = TestFlow::begin()
        .answer(ApiResponse::Session(ended.clone()))
        .send(Msg::PhoneTyped("0261234567".to_owned()));
    assert_eq!(
        (form(&flow).network, form(&flow).notice),
        (NetworkChoice::None, Some(FormNotice::NetworkEnded))
    );
    let flow = flow.send(Msg::NetworkChosen(Network::Telecel));
    assert_eq!(form(&flow).notice, None);
    let flow = flow.pay();
    assert!(
        matches!(flow.request(), Some(Request::Charge { network: Network::Telecel, .. })),
        "{:?}",
        flow.request()
    );

    // Picked before the session was read.
    let early = TestFlow::begin_with_form()
        .send(Msg::Filled("0261234567".to_owned(), Some(Network::AirtelTigo)))
        .pay();
    let flow = early.answer(ApiResponse::Session(ended));
    assert_eq!((flow.request(), form(&flow).notice), (None, Some(FormNotice::NetworkEnded)));
}

#[test]
fn with_every_network_down_there_is_a_notice_until_one_is_up() {
    let flow = form_without(&Network::ALL);
    assert!(is_unusable(&flow));
    assert_eq!(flow.focused(), None, "a page that loads must not move the focus");
    let flow = flow.send(Msg::CheckNow);
    assert_eq!(flow.request(), Some(&Request::Checkout));
    let flow = flow
        .answer(ApiResponse::Lost)
        .send(Msg::CheckNow)
        .answer(ApiResponse::Session(session_without(&Network::ALL)));
    assert!(is_unusable(&flow));
    assert_eq!(flow.focused(), None, "the button keeps the focus");
    let flow = flow.send(Msg::CheckNow).answer(ApiResponse::Session(session()));
    assert!(!is_unusable(&flow));
    assert_eq!(flow.focused(), Some(Focus::Screen));
    let flow = flow.fill().pay();
    assert!(matches!(flow.request(), Some(Request::Charge { .. })));
}

#[test]
fn the_notice_does_not_replace_a_charge_in_progress_or_in_doubt() {
    let paying = TestFlow::form().fill().pay().answer(ApiResponse::Lost);
    let checking = paying.answer(ApiResponse::Session(session_without(&Network::ALL)));
    assert!(
        matches!(checking.request(), Some(Request::Charge { attempt: 1, .. })),
        "the same attempt, for its outcome"
    );
    assert!(!is_unusable(&checking));
    let in_doubt = checking
        .answer(ApiResponse::Lost)
        .answer(ApiResponse::Session(session_without(&Network::ALL)));
    assert_eq!(form(&in_doubt).notice, Some(FormNotice::NotSent));
    assert!(!is_unusable(&in_doubt), "money may have moved");
}

#[test]
fn the_operators_instructions_are_those_of_the_network_and_of_the_language() {
    let text = |language: &str, text: &str| LocalizedText {
        language: language.to_owned(),
        text: text.to_owned(),
    };
    let mtn = vec![text("en", "Dial *170#."), text("fr", "Composez *170#.")];
    let session =
        Session { prompt_instructions: Box::new([mtn, Vec::new(), Vec::new()]), ..session() };
    assert_eq!(session.prompt_instructions(Network::Mtn, "en-GH"), Some("Dial *170#."));
    assert_eq!(session.prompt_instructions(Network::Mtn, "fr"), Some("Composez *170#."));
    assert_eq!(
        session.prompt_instructions(Network::Mtn, "ak"),
        None,
        "the component has a text of its own"
    );
    assert_eq!(session.prompt_instructions(Network::Telecel, "en-GH"), None);
}
