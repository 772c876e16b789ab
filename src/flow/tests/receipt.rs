//! The receipt, and being offline.

use super::*;

fn paid() -> Walk {
    Walk::waiting(Step::ApproveOnPhone).answer(news(Standing::Successful))
}

#[test]
fn a_receipt_is_copied_and_said_to_be_only_once_it_is() {
    let walk = paid().say(Msg::CopyReceipt);
    assert_eq!((walk.effects.as_slice(), walk.state.is_copied), (&[Effect::CopyReceipt][..], false));
    assert!(walk.say(Msg::Copied).state.is_copied);
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
fn being_offline_is_shown_until_the_device_or_the_server_says_otherwise() {
    let walk = Walk::form().say(Msg::Offline);
    assert!(walk.state.is_offline);
    assert!(!walk.clone().say(Msg::Awake).state.is_offline);
    let walk = walk.fill().say(Msg::Pay).answer(Answer::Lost);
    assert!(walk.state.is_offline, "nothing came back");
    assert!(!walk.answer(Answer::Session(session())).state.is_offline);
}
