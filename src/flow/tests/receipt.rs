//! The receipt, and the notices about the connection.

use super::*;

fn paid() -> TestFlow {
    TestFlow::waiting(Step::ApproveOnPhone).answer(charge_answer(TransactionState::Successful))
}

#[test]
fn a_receipt_shows_as_copied_only_after_it_is() {
    let flow = paid().send(Msg::CopyReceipt);
    assert_eq!((flow.effects.as_slice(), flow.state.copied), (&[Effect::CopyReceipt][..], None));
    assert_eq!(flow.send(Msg::Copied(true)).state.copied, Some(true));
}

#[test]
fn a_refused_copy_is_shown_and_can_be_repeated() {
    let flow = paid().send(Msg::CopyReceipt).send(Msg::Copied(false));
    assert_eq!(flow.state.copied, Some(false));
    assert_eq!(flow.send(Msg::CopyReceipt).effects, [Effect::CopyReceipt]);
}

#[test]
fn a_receipt_is_printed() {
    assert_eq!(paid().send(Msg::Print).effects, [Effect::Print]);
}

#[test]
fn there_is_no_receipt_without_a_payment() {
    let flow = TestFlow::waiting(Step::ApproveOnPhone);
    assert_eq!(flow.clone().send(Msg::CopyReceipt).effects, []);
    assert_eq!(flow.send(Msg::Print).effects, []);
}

#[test]
fn a_busy_service_is_not_a_lost_connection() {
    for status in [429, 500, 503] {
        let busy =
            ApiResponse::Refused(Problem { status, retry_after_s: Some(9), ..Problem::default() });
        let flow = TestFlow::waiting(Step::ApproveOnPhone).answer(busy.clone());
        assert_eq!((flow.state.is_busy, flow.pause_ms()), (true, Some(9_000)), "{status}");
        let flow = flow.end_pause().answer(ApiResponse::Lost);
        assert!(!flow.state.is_busy, "nothing came back this time");
        let flow = TestFlow::begin()
            .answer(busy.clone())
            .end_pause()
            .answer(busy.clone())
            .end_pause()
            .answer(busy);
        assert_eq!((&flow.state.screen, flow.state.is_busy), (&Screen::Unreachable(None), true));
        assert!(!flow.send(Msg::CheckNow).answer(ApiResponse::Session(session())).state.is_busy);
    }
}

#[test]
fn offline_is_shown_until_the_device_is_online_or_the_server_responds() {
    let flow = TestFlow::form().send(Msg::Offline);
    assert!(flow.state.is_offline);
    assert!(!flow.clone().send(Msg::Resumed).state.is_offline);
    let flow = flow.fill().pay().answer(ApiResponse::Lost);
    assert!(flow.state.is_offline, "nothing came back");
    assert!(!flow.answer(ApiResponse::Session(session())).state.is_offline);
}
