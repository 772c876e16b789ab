//! Reading the session: loading, resuming, expiry.

use super::*;

#[test]
fn a_new_session_opens_the_form_and_is_ready_once() {
    let flow = TestFlow::form();
    assert!(matches!(flow.state.screen, Screen::Form(..)));
    assert_eq!(flow.events(), [EventKind::Ready]);
    assert_eq!(flow.focused(), None, "a page that loads must not pull the reader to it");
}

#[test]
fn after_a_reload_the_payment_continues() {
    let resumed = |state| {
        let session = Session { transaction: Some(transaction(state)), ..session() };
        TestFlow::begin().answer(ApiResponse::Session(session))
    };
    let waiting = resumed(TransactionState::Pending(Step::ApproveOnPhone));
    assert!(matches!(
        waiting.state.screen,
        Screen::Waiting(_, _, Waiting { awaited: Awaited::Approval, .. })
    ));
    assert!(matches!(waiting.request(), Some(Request::Status { at_once: true, .. })));
    let code = resumed(TransactionState::Pending(Step::EnterVoucher));
    assert!(matches!(
        &code.state.screen,
        Screen::Waiting(_, _, Waiting { awaited: Awaited::Code(entry), .. }) if entry.is_voucher
    ));
    assert!(matches!(resumed(TransactionState::Successful).state.screen, Screen::Paid(_, Some(_))));
    assert!(matches!(
        resumed(DECLINED).state.screen,
        Screen::Failed(_, _, FailureCode::CustomerRejected, _)
    ));
}

#[test]
fn a_paid_session_is_paid_whatever_the_status_of_its_last_transaction() {
    let session = Session { is_paid: true, transaction: Some(transaction(DECLINED)), ..session() };
    let flow = TestFlow::begin().answer(ApiResponse::Session(session));
    assert!(matches!(flow.state.screen, Screen::Paid(_, None)));
    assert_eq!(flow.events(), [EventKind::Ready, EventKind::Successful]);
}

#[test]
fn the_session_is_requested_three_times_and_again_on_demand() {
    let flow = TestFlow::begin().answer(ApiResponse::Lost);
    assert_eq!(flow.pause_ms(), Some(1_000));
    let flow = flow.end_pause().answer(ApiResponse::Lost);
    assert_eq!(flow.pause_ms(), Some(2_000));
    let flow = flow.end_pause().answer(ApiResponse::Lost);
    assert_eq!(flow.state.screen, Screen::Unreachable(None));
    assert_eq!(flow.events(), [EventKind::Unreachable]);
    let flow = flow.send(Msg::CheckNow);
    assert_eq!(flow.request(), Some(&Request::Checkout));
    assert!(matches!(flow.answer(ApiResponse::Session(session())).state.screen, Screen::Form(..)));
}

#[test]
fn a_busy_service_gets_no_request_before_retry_after() {
    let problem = Problem { status: 503, retry_after_s: Some(7), ..Problem::default() };
    assert_eq!(TestFlow::begin().answer(ApiResponse::Refused(problem)).pause_ms(), Some(7_000));
}

#[test]
fn an_unknown_token_shows_as_invalid() {
    let flow = TestFlow::begin().answer(refused(401, ErrorCode::InvalidCredentials));
    assert_eq!(flow.state.screen, Screen::InvalidToken);
    assert_eq!(flow.events(), [EventKind::InvalidToken]);
}

#[test]
fn an_expired_session_shows_whether_money_moved() {
    for (status, event) in [
        (SessionStatus::Open, EventKind::Expired(SessionStatus::Open)),
        (SessionStatus::Pending, EventKind::Expired(SessionStatus::Pending)),
        (SessionStatus::Paid, EventKind::Successful),
        (SessionStatus::Closed, EventKind::Expired(SessionStatus::Closed)),
    ] {
        let flow = TestFlow::begin().answer(expired(Some(status)));
        assert!(matches!(&flow.state.screen, Screen::Expired(expiry) if expiry.status == status));
        assert_eq!(flow.events(), [event]);
    }
}

#[test]
fn an_expiry_without_a_status_depends_on_the_screen_before() {
    let status = |flow: TestFlow| match flow.answer(expired(None)).state.screen {
        Screen::Expired(expiry) => expiry.status,
        other => panic!("{other:?}"),
    };
    assert_eq!(status(TestFlow::begin()), SessionStatus::Open);
    assert_eq!(status(TestFlow::waiting(Step::Wait)), SessionStatus::Pending);
    let paying = TestFlow::form().fill().pay();
    assert_eq!(status(paying.clone()), SessionStatus::Open, "a refused charge moved no money");
    assert_eq!(
        status(paying.answer(ApiResponse::Lost)),
        SessionStatus::Pending,
        "a charge without a response may have moved money"
    );
}

#[test]
fn only_the_server_decides_expiry_and_the_clock_when_to_ask_it() {
    let flow = TestFlow::form().fill().send(Msg::Tick(1_799_999));
    assert_eq!(flow.effects, []);
    let flow = flow.send(Msg::Tick(1_800_001));
    assert_eq!(flow.request(), Some(&Request::Checkout));
    let flow = flow.answer(ApiResponse::Session(session()));
    assert!(matches!(&flow.state.screen, Screen::Form(_, form) if form.phone == "024 123 4567"));
    assert_eq!(flow.clone().send(Msg::Tick(1_801_000)).effects, [], "not every second");
    let flow = flow.send(Msg::Tick(1_820_000)).answer(expired(Some(SessionStatus::Open)));
    assert!(matches!(flow.state.screen, Screen::Expired(_)));
}

#[test]
fn a_payment_after_its_tokens_expiry_can_be_checked_and_emits_one_event() {
    let flow =
        TestFlow::waiting(Step::ApproveOnPhone).answer(expired(Some(SessionStatus::Pending)));
    assert_eq!(flow.focused(), Some(Focus::Screen));
    let flow = flow.send(Msg::CheckNow);
    assert_eq!(flow.request(), Some(&Request::Checkout));
    let flow = flow.answer(ApiResponse::Lost);
    assert!(matches!(&flow.state.screen, Screen::Expired(expiry) if !expiry.is_checking));
    let flow = flow.send(Msg::Resumed).answer(expired(Some(SessionStatus::Pending)));
    assert_eq!(flow.events(), []);
    let flow = flow.send(Msg::CheckNow).answer(expired(Some(SessionStatus::Paid)));
    assert_eq!(flow.events(), [EventKind::Successful]);
}
