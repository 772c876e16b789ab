//! Fees that the payer bears.

use super::*;
use tua_contract::Network;

/// The payer of MTN bears this fee.
fn with_fee(fee: &str, payer_pays: &str) -> Session {
    let price = Price { fee: fee.to_owned(), payer_pays: payer_pays.to_owned() };
    Session { prices: Box::new([Some(price), None, None]), ..session() }
}

fn asked(flow: &TestFlow) -> Option<(u32, &str)> {
    match flow.request() {
        Some(Request::Charge { attempt, payer_pays, .. }) => Some((*attempt, payer_pays)),
        _ => None,
    }
}

fn form(flow: &TestFlow) -> &Form {
    match &flow.state.screen {
        Screen::Form(_, form) => form,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_charge_names_the_sum_that_its_network_shows() {
    let shown = TestFlow::begin().answer(ApiResponse::Session(with_fee("1", "11.5")));
    assert_eq!(asked(&shown.clone().fill().pay()), Some((1, "11.5")));
    let other = shown.fill().send(Msg::NetworkChosen(Network::Telecel)).pay();
    assert_eq!(asked(&other), Some((1, "10.5")));
    assert_eq!(
        asked(&TestFlow::form().fill().pay()),
        Some((1, "10.5")),
        "without a fee: the amount"
    );
}

#[test]
fn a_changed_sum_is_shown_before_the_payer_presses_pay_again() {
    let paying = TestFlow::form().fill().pay();
    let refused = paying.answer(refused(422, ErrorCode::QuoteChanged));
    assert_eq!(
        (refused.request(), refused.focused()),
        (Some(&Request::Checkout), Some(Focus::Screen))
    );
    let shown = refused.answer(ApiResponse::Session(with_fee("1", "11.5")));
    assert_eq!((shown.request(), form(&shown).notice), (None, Some(FormNotice::PriceChanged)));
    assert_eq!(form(&shown).phone, "024 123 4567", "nothing that was typed is lost");
    let again = shown.pay();
    assert_eq!(
        (asked(&again), form(&again).notice),
        (Some((2, "11.5")), None),
        "another sum is another request"
    );
}

#[test]
fn a_charge_in_doubt_is_repeated_at_its_own_price_only() {
    let lost = TestFlow::form().fill().pay().answer(ApiResponse::Lost);
    let resent = lost.answer(ApiResponse::Session(with_fee("1", "11.5")));
    assert_eq!(
        asked(&resent),
        Some((1, "10.5")),
        "the same request, so that it cannot charge twice"
    );
    let lost_again =
        resent.answer(ApiResponse::Lost).answer(ApiResponse::Session(with_fee("1", "11.5")));
    assert_eq!(asked(&lost_again.pay()), Some((2, "11.5")));
}

#[test]
fn a_charge_that_was_queued_before_the_fee_was_known_waits_for_the_payer() {
    let queued = || {
        let form = TestFlow::begin_with_form();
        form.send(Msg::Filled("024 123 4567".to_owned(), Some(Network::Mtn))).pay()
    };
    let shown = queued().answer(ApiResponse::Session(with_fee("1", "11.5")));
    assert_eq!((asked(&shown), form(&shown).notice), (None, Some(FormNotice::PriceChanged)));
    assert_eq!(asked(&shown.pay()), Some((1, "11.5")));
    let sent = queued().answer(ApiResponse::Session(session()));
    assert_eq!(asked(&sent), Some((1, "10.5")));
}

#[test]
fn trying_again_never_pays_a_fee_that_was_not_shown() {
    let failed = || Transaction { payer_pays: Some("10.5".to_owned()), ..transaction(DECLINED) };
    // The charge was queued before the session said that an earlier one has failed, and that there
    // is a fee.
    let queued = TestFlow::begin_with_form()
        .send(Msg::Filled("024 123 4567".to_owned(), Some(Network::Mtn)))
        .pay()
        .answer(ApiResponse::Session(Session {
            transaction: Some(failed()),
            ..with_fee("1", "11.5")
        }));
    let shown = queued.send(Msg::TryAgain);
    assert_eq!((asked(&shown), form(&shown).notice), (None, Some(FormNotice::PriceChanged)));
    assert_eq!(form(&shown).phone, "024 123 4567", "nothing that was typed is lost");
    assert_eq!(asked(&shown.pay()), Some((1, "11.5")));
    // At the same price it is repeated at once.
    let session = with_fee("1", "11.5");
    let declined = Transaction { payer_pays: Some("11.5".to_owned()), ..transaction(DECLINED) };
    let answer = ApiResponse::Transaction { transaction: declined, etag: None, was_held: false };
    let again = TestFlow::begin().answer(ApiResponse::Session(session)).fill().pay().answer(answer);
    assert_eq!(asked(&again.send(Msg::TryAgain)), Some((2, "11.5")));
}
