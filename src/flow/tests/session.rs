//! Reading the session: loading, resuming, expiry.

use super::*;

#[test]
fn a_new_session_opens_the_form_and_is_ready_once() {
    let walk = Walk::form();
    assert!(matches!(walk.state.screen, Screen::Form(..)));
    assert_eq!(walk.events(), [EventKind::Ready]);
    assert_eq!(walk.focused(), None, "a page that loads must not pull the reader to it");
}

#[test]
fn a_reload_goes_on_where_the_payment_stands() {
    let resumed = |state| {
        let session = Session { transaction: Some(transaction(state)), ..session() };
        Walk::begin().answer(Answer::Session(session))
    };
    let waiting = resumed(Standing::Pending(Step::ApproveOnPhone));
    assert!(matches!(waiting.state.screen, Screen::Waiting(_, _, Waiting { on: On::Approval, .. })));
    assert!(matches!(waiting.asked(), Some(Request::Status { at_once: true, .. })));
    let code = resumed(Standing::Pending(Step::EnterVoucher));
    assert!(
        matches!(&code.state.screen, Screen::Waiting(_, _, Waiting { on: On::Code(entry), .. }) if entry.is_voucher)
    );
    assert!(matches!(resumed(Standing::Successful).state.screen, Screen::Paid(_, Some(_))));
    assert!(matches!(resumed(DECLINED).state.screen, Screen::Failed(_, _, FailureCode::CustomerRejected, _)));
}

#[test]
fn a_session_that_is_paid_is_paid_whatever_its_last_transaction_says() {
    let session = Session { is_paid: true, transaction: Some(transaction(DECLINED)), ..session() };
    let walk = Walk::begin().answer(Answer::Session(session));
    assert!(matches!(walk.state.screen, Screen::Paid(_, None)));
    assert_eq!(walk.events(), [EventKind::Ready, EventKind::Successful]);
}

#[test]
fn a_service_that_does_not_answer_is_asked_three_times_and_again_on_request() {
    let walk = Walk::begin().answer(Answer::Lost);
    assert_eq!(walk.slept_for(), Some(1_000));
    let walk = walk.slept().answer(Answer::Lost);
    assert_eq!(walk.slept_for(), Some(2_000));
    let walk = walk.slept().answer(Answer::Lost);
    assert_eq!(walk.state.screen, Screen::Unreachable(None));
    assert_eq!(walk.events(), [EventKind::Unreachable]);
    let walk = walk.say(Msg::CheckNow);
    assert_eq!(walk.asked(), Some(&Request::Checkout));
    assert!(matches!(walk.answer(Answer::Session(session())).state.screen, Screen::Form(..)));
}

#[test]
fn a_busy_service_is_left_alone_as_long_as_it_asks() {
    let problem = Problem { status: 503, retry_after_s: Some(7), ..Problem::default() };
    assert_eq!(Walk::begin().answer(Answer::Refused(problem)).slept_for(), Some(7_000));
}

#[test]
fn an_unknown_token_is_said_to_be_one() {
    let walk = Walk::begin().answer(refused(401, ErrorCode::InvalidCredentials));
    assert_eq!(walk.state.screen, Screen::InvalidToken);
    assert_eq!(walk.events(), [EventKind::InvalidToken]);
}

#[test]
fn expiry_says_what_became_of_the_money() {
    for (standing, event) in [
        (SessionStanding::Open, EventKind::Expired(SessionStanding::Open)),
        (SessionStanding::Pending, EventKind::Expired(SessionStanding::Pending)),
        (SessionStanding::Paid, EventKind::Successful),
    ] {
        let walk = Walk::begin().answer(expired(Some(standing)));
        assert!(matches!(&walk.state.screen, Screen::Expired(expiry) if expiry.standing == standing));
        assert_eq!(walk.events(), [event]);
    }
}

#[test]
fn an_expiry_that_says_nothing_is_taken_by_what_was_going_on() {
    let standing = |walk: Walk| match walk.answer(expired(None)).state.screen {
        Screen::Expired(expiry) => expiry.standing,
        other => panic!("{other:?}"),
    };
    assert_eq!(standing(Walk::begin()), SessionStanding::Open);
    assert_eq!(standing(Walk::waiting(Step::Wait)), SessionStanding::Pending);
    let paying = Walk::form().fill().say(Msg::Pay);
    assert_eq!(standing(paying.clone()), SessionStanding::Open, "a charge that was refused moved nothing");
    assert_eq!(standing(paying.answer(Answer::Lost)), SessionStanding::Pending, "one that was not answered may have");
}

#[test]
fn only_the_server_says_expired_and_the_clock_says_when_to_ask() {
    let walk = Walk::form().fill().say(Msg::Tick(1_799_999));
    assert_eq!(walk.effects, []);
    let walk = walk.say(Msg::Tick(1_800_001));
    assert_eq!(walk.asked(), Some(&Request::Checkout));
    let walk = walk.answer(Answer::Session(session()));
    assert!(matches!(&walk.state.screen, Screen::Form(_, form) if form.phone == "024 123 4567"));
    assert_eq!(walk.clone().say(Msg::Tick(1_801_000)).effects, [], "not every second");
    let walk = walk.say(Msg::Tick(1_820_000)).answer(expired(Some(SessionStanding::Open)));
    assert!(matches!(walk.state.screen, Screen::Expired(_)));
}

#[test]
fn a_payment_that_outlives_its_token_can_be_asked_after_and_stays_told_once() {
    let walk = Walk::waiting(Step::ApproveOnPhone).answer(expired(Some(SessionStanding::Pending)));
    assert_eq!(walk.focused(), Some(Focus::Screen));
    let walk = walk.say(Msg::CheckNow);
    assert_eq!(walk.asked(), Some(&Request::Checkout));
    let walk = walk.answer(Answer::Lost);
    assert!(matches!(&walk.state.screen, Screen::Expired(expiry) if !expiry.is_checking));
    let walk = walk.say(Msg::Awake).answer(expired(Some(SessionStanding::Pending)));
    assert_eq!(walk.events(), []);
    let walk = walk.say(Msg::CheckNow).answer(expired(Some(SessionStanding::Paid)));
    assert_eq!(walk.events(), [EventKind::Successful]);
}
