//! The receipt, and being cut off.

use super::*;

fn paid() -> Walk {
    Walk::waiting(Step::ApproveOnPhone).answer(news(Standing::Successful))
}

#[test]
fn a_receipt_is_copied_and_said_to_be_only_once_it_is() {
    let walk = paid().say(Msg::CopyReceipt);
    assert_eq!((walk.effects.as_slice(), walk.state.copied), (&[Effect::CopyReceipt][..], None));
    assert_eq!(walk.say(Msg::Copied(true)).state.copied, Some(true));
}

#[test]
fn a_page_that_may_not_copy_says_so_and_may_be_asked_again() {
    let walk = paid().say(Msg::CopyReceipt).say(Msg::Copied(false));
    assert_eq!(walk.state.copied, Some(false));
    assert_eq!(walk.say(Msg::CopyReceipt).effects, [Effect::CopyReceipt]);
}

#[test]
fn a_receipt_is_printed() {
    assert_eq!(paid().say(Msg::Print).effects, [Effect::Print]);
}

#[test]
fn there_is_no_receipt_of_what_is_not_paid() {
    let walk = Walk::waiting(Step::ApproveOnPhone);
    assert_eq!(walk.clone().say(Msg::CopyReceipt).effects, []);
    assert_eq!(walk.say(Msg::Print).effects, []);
}

#[test]
fn a_busy_service_is_not_a_lost_connection() {
    for status in [429, 500, 503] {
        let busy = Answer::Refused(Problem { status, retry_after_s: Some(9), ..Problem::default() });
        let walk = Walk::waiting(Step::ApproveOnPhone).answer(busy.clone());
        assert_eq!((walk.state.is_busy, walk.slept_for()), (true, Some(9_000)), "{status}");
        let walk = walk.slept().answer(Answer::Lost);
        assert!(!walk.state.is_busy, "nothing came back this time");
        let walk = Walk::begin().answer(busy.clone()).slept().answer(busy.clone()).slept().answer(busy);
        assert_eq!((&walk.state.screen, walk.state.is_busy), (&Screen::Unreachable(None), true));
        assert!(!walk.say(Msg::CheckNow).answer(Answer::Session(session())).state.is_busy);
    }
}

#[test]
fn being_offline_is_shown_until_the_device_or_the_server_says_otherwise() {
    let walk = Walk::form().say(Msg::Offline);
    assert!(walk.state.is_offline);
    assert!(!walk.clone().say(Msg::Awake).state.is_offline);
    let walk = walk.fill().say(Msg::Pay).answer(Answer::Lost);
    assert!(walk.state.is_offline, "nothing came back");
    assert!(!walk.answer(Answer::Session(session())).state.is_offline);
}
