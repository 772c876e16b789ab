//! Asking after a payment, and its code.

use super::*;

fn waiting(walk: &Walk) -> &Waiting {
    match &walk.state.screen {
        Screen::Waiting(_, _, waiting) => waiting,
        other => panic!("{other:?}"),
    }
}

fn entry(walk: &Walk) -> &CodeEntry {
    match &waiting(walk).on {
        On::Code(entry) => entry,
        other => panic!("{other:?}"),
    }
}

const APPROVAL: Standing = Standing::Pending(Step::ApproveOnPhone);

fn unchanged(held: bool) -> Answer {
    Answer::Unchanged { held }
}

#[test]
fn the_first_question_is_answered_at_once_and_the_next_when_there_is_news() {
    let walk = Walk::waiting(Step::ApproveOnPhone);
    assert!(matches!(walk.asked(), Some(Request::Status { etag: None, at_once: true, .. })));
    let walk = walk.answer(news(APPROVAL));
    assert!(matches!(walk.asked(), Some(Request::Status { etag: Some(_), at_once: false, .. })));
    let walk = walk.answer(unchanged(true));
    assert!(matches!(walk.asked(), Some(Request::Status { etag: Some(_), at_once: false, .. })));
}

#[test]
fn a_server_that_holds_nothing_back_is_asked_at_growing_gaps() {
    let mut walk = Walk::waiting(Step::ApproveOnPhone).answer(news(APPROVAL)).answer(unchanged(false));
    let mut gaps = vec![];
    for _ in 0..5 {
        walk = walk.answer(unchanged(false));
        gaps.push(walk.slept_for().unwrap());
        walk = walk.slept();
    }
    assert_eq!(gaps, [2_000, 4_000, 8_000, 10_000, 10_000]);
}

#[test]
fn a_lost_connection_is_waited_out_ever_longer_and_fails_nothing() {
    let mut walk = Walk::waiting(Step::ApproveOnPhone);
    let mut pauses = vec![];
    for _ in 0..7 {
        walk = walk.answer(Answer::Lost);
        pauses.push(walk.slept_for().unwrap());
        walk = walk.slept();
    }
    assert_eq!(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    assert_eq!(waiting(&walk).failures, 7);
    let walk = walk.answer(news(APPROVAL));
    assert_eq!(waiting(&walk).failures, 0);
}

#[test]
fn a_page_that_becomes_visible_sends_one_immediate_request() {
    let walk = Walk::waiting(Step::ApproveOnPhone).answer(news(APPROVAL)).say(Msg::Hidden);
    assert_eq!(walk.effects, [Effect::Stop]);
    let walk = walk.say(Msg::Awake);
    assert!(matches!(walk.asked(), Some(Request::Status { at_once: true, .. })));
    assert_eq!(walk.say(Msg::Awake).say(Msg::CheckNow).effects, []);
}

#[test]
fn a_hidden_page_sends_no_requests() {
    let walk = Walk::form().fill().say(Msg::Pay).say(Msg::Hidden).answer(news(APPROVAL));
    assert_eq!(walk.asked(), None);
    assert_eq!(waiting(&walk).poll, Poll::Hidden);
}

#[test]
fn unknown_words_are_never_an_outcome() {
    use facts::standing;
    assert_eq!(standing("REVERSED", "NONE", None), Standing::Pending(Step::Wait));
    assert_eq!(standing("", "", None), Standing::Pending(Step::Wait));
    assert_eq!(standing("successful", "NONE", None), Standing::Pending(Step::Wait));
    assert_eq!(standing("PENDING", "SCAN_FACE", None), Standing::Pending(Step::Wait));
    assert_eq!(standing("FAILED", "NONE", Some("solar_flare")), Standing::Failed(FailureCode::Unspecified));
    assert_eq!(standing("FAILED", "NONE", None), Standing::Failed(FailureCode::Unspecified));
    assert_eq!(standing("SUCCESSFUL", "WAIT", Some("wrong_pin")), Standing::Successful);
}

#[test]
fn an_answer_about_another_transaction_is_no_answer() {
    let transaction = Transaction { id: "trx_9".to_owned(), ..transaction(Standing::Successful) };
    let walk = Walk::waiting(Step::Wait).answer(Answer::Transaction { transaction, etag: None, held: false });
    assert!(walk.slept_for().is_some());
}

#[test]
fn a_revoked_token_does_not_hide_that_money_may_be_moving() {
    let walk = Walk::waiting(Step::ApproveOnPhone).answer(refused(401, ErrorCode::InvalidCredentials));
    assert!(matches!(&walk.state.screen, Screen::Expired(expiry) if expiry.standing == SessionStanding::Pending));
    assert_eq!(walk.asked(), None, "401 ends the asking");
}

#[test]
fn a_code_is_sent_once_and_its_answer_followed() {
    let walk = Walk::waiting(Step::EnterOtp).say(Msg::CodeTyped(" 123456 ".to_owned())).say(Msg::SendCode);
    assert!(matches!(walk.asked(), Some(Request::Code { code, .. }) if code.0 == "123456"));
    let walk = walk.say(Msg::SendCode).say(Msg::Awake).say(Msg::Hidden);
    assert_eq!(walk.effects, []);
    let walk = walk.say(Msg::Awake).answer(news(Standing::Successful));
    assert!(matches!(walk.state.screen, Screen::Paid(..)));
}

#[test]
fn a_wrong_code_is_cleared_and_the_tries_left_are_said() {
    let walk = Walk::waiting(Step::EnterVoucher).say(Msg::CodeTyped("9999".to_owned())).say(Msg::SendCode);
    let transaction = Transaction { code_attempts_left: Some(4), ..transaction(Standing::Pending(Step::EnterVoucher)) };
    let walk = walk.answer(Answer::Transaction { transaction, etag: None, held: false });
    assert_eq!(entry(&walk).notice, Some(CodeNotice::Wrong(Some(4))));
    assert_eq!((entry(&walk).text.0.as_str(), walk.focused()), ("", Some(Focus::Code)));
    let walk = walk.say(Msg::CodeTyped("9999".to_owned())).say(Msg::SendCode);
    assert!(matches!(walk.asked(), Some(Request::Code { attempt: 3, .. })), "a new try, not the old one again");
}

#[test]
fn a_code_that_was_not_answered_is_sent_again_under_the_same_key() {
    let walk = Walk::waiting(Step::EnterOtp).say(Msg::CodeTyped("123456".to_owned())).say(Msg::SendCode);
    let first = walk.asked().cloned();
    let walk = walk.answer(Answer::Lost);
    assert_eq!(entry(&walk).notice, Some(CodeNotice::NotSent));
    assert!(matches!(walk.asked(), Some(Request::Status { at_once: true, .. })));
    assert_eq!(walk.say(Msg::SendCode).asked().cloned(), first);
}

#[test]
fn a_code_is_looked_at_before_it_is_sent() {
    let walk = Walk::waiting(Step::EnterOtp).say(Msg::CodeTyped("12-4".to_owned())).say(Msg::SendCode);
    assert!(entry(&walk).fault.is_some());
    assert_eq!((walk.asked(), walk.focused()), (None, Some(Focus::Code)));
}

#[test]
fn news_does_not_take_away_a_code_that_is_half_typed() {
    let walk = Walk::waiting(Step::EnterOtp).say(Msg::CodeTyped("12".to_owned()));
    let walk = walk.answer(news(Standing::Pending(Step::EnterOtp)));
    assert_eq!(entry(&walk).text.0, "12");
    assert_eq!(walk.focused(), None);
    let walk = walk.answer(news(APPROVAL));
    assert_eq!((&waiting(&walk).on, walk.focused()), (&On::Approval, Some(Focus::Screen)));
}
