//! Polling a payment, and the form for its code.

use super::*;
use tua_contract::code::CodeError;

fn waiting(flow: &TestFlow) -> &Waiting {
    match &flow.state.screen {
        Screen::Waiting(_, _, waiting) => waiting,
        other => panic!("{other:?}"),
    }
}

fn entry(flow: &TestFlow) -> &CodeEntry {
    match &waiting(flow).awaited {
        Awaited::Code(entry) => entry,
        other => panic!("{other:?}"),
    }
}

const APPROVAL: TransactionState = TransactionState::Pending(Step::ApproveOnPhone);

fn unchanged(was_held: bool) -> ApiResponse {
    ApiResponse::Unchanged { was_held }
}

#[test]
fn the_first_poll_is_immediate_and_the_next_waits_for_a_change() {
    let flow = TestFlow::waiting(Step::ApproveOnPhone);
    assert!(matches!(flow.request(), Some(Request::Status { etag: None, at_once: true, .. })));
    let flow = flow.answer(charge_answer(APPROVAL));
    assert!(matches!(flow.request(), Some(Request::Status { etag: Some(_), at_once: false, .. })));
    let flow = flow.answer(unchanged(true));
    assert!(matches!(flow.request(), Some(Request::Status { etag: Some(_), at_once: false, .. })));
}

#[test]
fn a_server_without_prefer_wait_is_polled_at_growing_intervals() {
    let mut flow = TestFlow::waiting(Step::ApproveOnPhone)
        .answer(charge_answer(APPROVAL))
        .answer(unchanged(false));
    let mut gaps = vec![];
    for _ in 0..5 {
        flow = flow.answer(unchanged(false));
        gaps.push(flow.pause_ms().unwrap());
        flow = flow.end_pause();
    }
    assert_eq!(gaps, [2_000, 4_000, 8_000, 10_000, 10_000]);
}

#[test]
fn lost_polls_back_off_and_fail_nothing() {
    let mut flow = TestFlow::waiting(Step::ApproveOnPhone);
    let mut pauses = vec![];
    for _ in 0..7 {
        flow = flow.answer(ApiResponse::Lost);
        pauses.push(flow.pause_ms().unwrap());
        flow = flow.end_pause();
    }
    assert_eq!(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    assert_eq!(waiting(&flow).failures, 7);
    let flow = flow.answer(charge_answer(APPROVAL));
    assert_eq!(waiting(&flow).failures, 0);
}

#[test]
fn a_held_poll_that_a_proxy_ends_alarms_nobody_and_the_next_is_shorter() {
    let gateway_timeout = || ApiResponse::Refused(Problem { status: 504, ..Problem::default() });
    for answer in [gateway_timeout, || ApiResponse::Lost] {
        let mut flow = TestFlow::waiting(Step::ApproveOnPhone).answer(charge_answer(APPROVAL));
        let mut holds = vec![];
        let mut pauses = vec![];
        for _ in 0..6 {
            let Some(Request::Status { at_once: false, hold_s, .. }) = flow.request() else {
                panic!("{:?}", flow.effects)
            };
            holds.push(*hold_s);
            flow = flow.answer(answer());
            assert_eq!(waiting(&flow).failures, 0, "the payer sees nothing of it");
            pauses.push(flow.pause_ms().unwrap());
            flow = flow.end_pause();
            assert!(
                matches!(flow.request(), Some(Request::Status { at_once: true, .. })),
                "the next is answered at once"
            );
            flow = flow.answer(unchanged(false));
        }
        assert_eq!(holds, [25, 12, 6, 3, 3, 3]);
        assert_eq!(
            pauses,
            [1_000, 2_000, 4_000, 8_000, 8_000, 8_000],
            "and no loop without a pause"
        );
        // The shorter hold works: it stays, and the next break is not the seventh.
        let flow = flow.answer(unchanged(true));
        assert!(matches!(flow.request(), Some(Request::Status { at_once: false, hold_s: 3, .. })));
        assert_eq!(flow.answer(answer()).pause_ms(), Some(1_000));
    }
}

#[test]
fn a_held_poll_that_breaks_because_the_service_is_away_is_a_failure_with_the_next_request() {
    let flow = TestFlow::waiting(Step::ApproveOnPhone)
        .answer(charge_answer(APPROVAL))
        .answer(ApiResponse::Lost);
    let flow = flow.end_pause().answer(ApiResponse::Lost);
    assert_eq!(waiting(&flow).failures, 1);
    let flow = flow.end_pause().answer(ApiResponse::Lost);
    assert_eq!(waiting(&flow).failures, 2);
}

#[test]
fn a_rate_limit_does_not_shorten_the_held_polls() {
    let limit = Problem { status: 429, retry_after_s: Some(7), ..Problem::default() };
    let flow = TestFlow::waiting(Step::ApproveOnPhone)
        .answer(charge_answer(APPROVAL))
        .answer(ApiResponse::Refused(limit));
    assert_eq!(flow.pause_ms(), Some(7_000));
    let flow = flow.end_pause().answer(charge_answer(APPROVAL));
    assert!(matches!(flow.request(), Some(Request::Status { at_once: false, hold_s: 25, .. })));
}

#[test]
fn a_page_that_becomes_visible_sends_one_immediate_request() {
    let flow =
        TestFlow::waiting(Step::ApproveOnPhone).answer(charge_answer(APPROVAL)).send(Msg::Hidden);
    assert_eq!(flow.effects, [Effect::Stop]);
    let flow = flow.send(Msg::Resumed);
    assert!(matches!(flow.request(), Some(Request::Status { at_once: true, .. })));
    assert_eq!(flow.send(Msg::Resumed).send(Msg::CheckNow).effects, []);
}

#[test]
fn a_hidden_page_sends_no_requests() {
    let flow = TestFlow::form().fill().pay().send(Msg::Hidden).answer(charge_answer(APPROVAL));
    assert_eq!(flow.request(), None);
    assert_eq!(waiting(&flow).poll, Poll::Stopped);
}

#[test]
fn an_unknown_status_is_never_an_outcome() {
    use facts::transaction_state;
    assert_eq!(transaction_state("REVERSED", "NONE", None), TransactionState::Pending(Step::Wait));
    assert_eq!(transaction_state("", "", None), TransactionState::Pending(Step::Wait));
    assert_eq!(
        transaction_state("successful", "NONE", None),
        TransactionState::Pending(Step::Wait)
    );
    assert_eq!(
        transaction_state("PENDING", "SCAN_FACE", None),
        TransactionState::Pending(Step::Wait)
    );
    assert_eq!(
        transaction_state("FAILED", "NONE", Some("solar_flare")),
        TransactionState::Failed(FailureCode::Unspecified)
    );
    assert_eq!(
        transaction_state("FAILED", "NONE", None),
        TransactionState::Failed(FailureCode::Unspecified)
    );
    assert_eq!(
        transaction_state("SUCCESSFUL", "WAIT", Some("wrong_pin")),
        TransactionState::Successful
    );
}

#[test]
fn a_response_with_another_transaction_is_ignored() {
    let transaction =
        Transaction { id: "trx_9".to_owned(), ..transaction(TransactionState::Successful) };
    let flow = TestFlow::waiting(Step::Wait).answer(ApiResponse::Transaction {
        transaction,
        etag: None,
        was_held: false,
    });
    assert!(flow.pause_ms().is_some());
}

#[test]
fn a_revoked_token_does_not_hide_that_money_may_be_moving() {
    let flow =
        TestFlow::waiting(Step::ApproveOnPhone).answer(refused(401, ErrorCode::InvalidCredentials));
    assert!(matches!(
        &flow.state.screen,
        Screen::Expired(expiry) if expiry.status == SessionStatus::Pending
    ));
    assert_eq!(flow.request(), None, "a 401 stops polling");
}

#[test]
fn a_code_is_sent_once_and_its_response_is_shown() {
    let flow = TestFlow::waiting(Step::EnterOtp).send(Msg::SendCode(" 123456 ".to_owned()));
    assert!(matches!(flow.request(), Some(Request::Code { code, .. }) if code.0 == "123456"));
    let flow = flow.send(Msg::SendCode("123456".to_owned())).send(Msg::Resumed).send(Msg::Hidden);
    assert_eq!(flow.effects, []);
    let flow = flow.send(Msg::Resumed).answer(charge_answer(TransactionState::Successful));
    assert!(matches!(flow.state.screen, Screen::Paid(..)));
}

#[test]
fn a_wrong_code_is_cleared_and_the_remaining_tries_are_shown() {
    let flow = TestFlow::waiting(Step::EnterVoucher).send(Msg::SendCode("9999".to_owned()));
    let transaction = Transaction {
        code_attempts_left: Some(4),
        ..transaction(TransactionState::Pending(Step::EnterVoucher))
    };
    let flow = flow.answer(ApiResponse::Transaction { transaction, etag: None, was_held: false });
    assert_eq!(entry(&flow).notice, Some(CodeNotice::Wrong(Some(4))));
    assert_eq!((entry(&flow).text.0.as_str(), flow.focused()), ("", Some(Focus::Code)));
    let flow = flow.send(Msg::SendCode("9999".to_owned()));
    assert!(
        matches!(flow.request(), Some(Request::Code { attempt: 3, .. })),
        "a new attempt with a new key"
    );
}

#[test]
fn a_code_without_a_response_is_sent_again_with_the_same_key() {
    let flow = TestFlow::waiting(Step::EnterOtp).send(Msg::SendCode("123456".to_owned()));
    let first = flow.request().cloned();
    let flow = flow.answer(ApiResponse::Lost);
    assert_eq!(entry(&flow).notice, Some(CodeNotice::NotSent));
    assert!(matches!(flow.request(), Some(Request::Status { at_once: true, .. })));
    assert_eq!(flow.send(Msg::SendCode("123456".to_owned())).request().cloned(), first);
}

#[test]
fn a_code_is_parsed_before_it_is_sent() {
    let flow = TestFlow::waiting(Step::EnterOtp).send(Msg::SendCode("12-4".to_owned()));
    assert!(entry(&flow).fault.is_some());
    assert_eq!((flow.request(), flow.focused()), (None, Some(Focus::Code)));
    let flow = flow.send(Msg::SendCode("Your code is 123 456.".to_owned()));
    assert!(matches!(flow.request(), Some(Request::Code { code, .. }) if code.0 == "123456"));
}

#[test]
fn a_code_that_was_cut_is_never_sent() {
    let pasted = format!("{}123456789", "x ".repeat(97));
    let flow = TestFlow::waiting(Step::EnterOtp).send(Msg::SendCode(pasted));
    assert_eq!((flow.request(), entry(&flow).fault), (None, Some(CodeError::NotAlphanumeric)));
    let cut = entry(&flow).text.0.clone();
    assert_eq!(
        flow.send(Msg::SendCode(cut)).request(),
        None,
        "nor when it is sent as the field shows it"
    );
}

#[test]
fn the_code_that_the_field_shows_is_sent_although_there_was_no_event() {
    let flow = TestFlow::waiting(Step::EnterOtp).send(Msg::CodeTyped("1111".to_owned()));
    let flow = flow.send(Msg::SendCode("2222".to_owned()));
    assert!(matches!(flow.request(), Some(Request::Code { code, .. }) if code.0 == "2222"));
    assert_eq!(entry(&flow).text.0, "2222");
}

#[test]
fn a_partly_typed_code_survives_a_status_response() {
    let flow = TestFlow::waiting(Step::EnterOtp).send(Msg::CodeTyped("12".to_owned()));
    let flow = flow.answer(charge_answer(TransactionState::Pending(Step::EnterOtp)));
    assert_eq!(entry(&flow).text.0, "12");
    assert_eq!(flow.focused(), None);
    let flow = flow.answer(charge_answer(APPROVAL));
    assert_eq!(
        (&waiting(&flow).awaited, flow.focused()),
        (&Awaited::Approval, Some(Focus::Screen))
    );
}
