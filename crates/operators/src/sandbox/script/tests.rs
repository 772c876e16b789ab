//! The table of numbers of docs/reference/test-mode.md, by direction and network.

use super::*;
use tua_contract::{Amount, Phone};
use tua_domain::{Transfer, ports::Order};

const PLAIN: Script = Script { speed: 1.0, phone: false };

fn received(kind: Kind, network: Network, ending: &str) -> Received {
    let order = Order {
        reference: "r".to_owned(),
        transfer: Transfer {
            kind,
            amount: Amount::from_pesewas(100).unwrap(),
            network,
            phone: Phone::parse(&format!("024123{ending}")).unwrap(),
        },
        merchant: "Adom Stores".to_owned(),
        message: None,
        email: None,
    };
    Received::new(order, Timestamp::UNIX_EPOCH)
}

fn after(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap()
}

#[test]
fn the_table_of_numbers_holds_for_charges_that_are_approved_on_the_phone() {
    use Observation::{Awaits, Failed, Succeeded};
    let prompt = Awaits(Step::ApproveOnPhone);
    for network in [Network::Mtn, Network::AirtelTigo] {
        for (ending, at_once, in_3_s, in_31_s) in [
            (
                "0001",
                prompt,
                Failed(FailureCode::InsufficientFunds),
                Failed(FailureCode::InsufficientFunds),
            ),
            (
                "0002",
                prompt,
                Failed(FailureCode::CustomerRejected),
                Failed(FailureCode::CustomerRejected),
            ),
            (
                "0003",
                prompt,
                Failed(FailureCode::ApprovalTimeout),
                Failed(FailureCode::ApprovalTimeout),
            ),
            ("0004", prompt, Failed(FailureCode::WrongPin), Failed(FailureCode::WrongPin)),
            ("0005", prompt, Failed(FailureCode::PayerLimit), Failed(FailureCode::PayerLimit)),
            ("0007", prompt, prompt, prompt),
            ("0008", prompt, Succeeded, Succeeded),
            ("0009", prompt, prompt, Succeeded),
            ("0012", prompt, prompt, prompt),
            ("4567", prompt, Succeeded, Succeeded),
        ] {
            let order = received(Kind::Charge, network, ending);
            assert_eq!(PLAIN.answer_to_send(&order, after(0)), at_once, "{ending}");
            assert_eq!(PLAIN.stands_at(&order, after(3)), in_3_s, "{ending}");
            assert_eq!(PLAIN.stands_at(&order, after(31)), in_31_s, "{ending}");
        }
    }
}

#[test]
fn an_unknown_wallet_is_refused_at_once_on_every_network() {
    for network in Network::ALL {
        let charge = received(Kind::Charge, network, "0006");
        assert_eq!(
            PLAIN.answer_to_send(&charge, after(0)),
            Observation::Failed(FailureCode::PayerNotFound)
        );
        let payout = received(Kind::Payout, network, "0006");
        assert_eq!(
            PLAIN.answer_to_send(&payout, after(0)),
            Observation::Failed(FailureCode::RecipientNotFound)
        );
    }
}

#[test]
fn an_ambiguous_send_is_found_paid_by_asking_and_never_calls_back() {
    for network in Network::ALL {
        let order = received(Kind::Charge, network, "0010");
        assert_eq!(PLAIN.answer_to_send(&order, after(0)), Observation::Ambiguous);
        assert_eq!(PLAIN.stands_at(&order, after(3)), Observation::Succeeded);
        assert_eq!(PLAIN.calls_back_at(&order, after(0)), None);
    }
}

#[test]
fn telecel_asks_for_a_voucher_first_and_the_outcome_follows_it() {
    let mut order = received(Kind::Charge, Network::Telecel, "0001");
    assert_eq!(PLAIN.stands_at(&order, after(1000)), Observation::Awaits(Step::EnterVoucher));
    assert_eq!(PLAIN.calls_back_at(&order, after(0)), None);
    order.code_accepted_at = Some(after(1000));
    assert_eq!(PLAIN.stands_at(&order, after(1000)), Observation::Awaits(Step::Wait));
    assert_eq!(
        PLAIN.stands_at(&order, after(1003)),
        Observation::Failed(FailureCode::InsufficientFunds)
    );
}

#[test]
fn a_number_that_asks_for_a_passcode_does_so_on_every_network() {
    for network in Network::ALL {
        let mut order = received(Kind::Charge, network, "0011");
        assert_eq!(PLAIN.answer_to_send(&order, after(0)), Observation::Awaits(Step::EnterOtp));
        order.code_accepted_at = Some(after(5));
        assert_eq!(PLAIN.stands_at(&order, after(8)), Observation::Succeeded);
    }
}

#[test]
fn payouts_are_never_verified() {
    for network in Network::ALL {
        for (ending, expected) in [
            ("0001", Observation::Failed(FailureCode::InsufficientFunds)),
            ("0002", Observation::Failed(FailureCode::OperatorRefused)),
            ("0004", Observation::Failed(FailureCode::OperatorRefused)),
            ("0005", Observation::Failed(FailureCode::RecipientLimit)),
            ("0011", Observation::Succeeded),
            ("0012", Observation::Succeeded),
            ("4567", Observation::Succeeded),
        ] {
            let order = received(Kind::Payout, network, ending);
            assert_eq!(
                PLAIN.answer_to_send(&order, after(0)),
                Observation::StillPending,
                "{ending}"
            );
            assert_eq!(PLAIN.stands_at(&order, after(3)), expected, "{ending}");
        }
    }
}

#[test]
fn refunds_succeed_but_for_two_numbers() {
    for (ending, expected) in [
        ("0021", Observation::Failed(FailureCode::RecipientNotFound)),
        ("0022", Observation::StillPending),
        ("0010", Observation::Succeeded),
        ("4567", Observation::Succeeded),
    ] {
        let charge = received(Kind::Charge, Network::Mtn, ending);
        assert_eq!(PLAIN.stands_at(&charge, after(3)), Observation::Succeeded, "{ending}");
        let refund = received(Kind::Payout, Network::Mtn, ending).as_refund();
        assert_eq!(PLAIN.answer_to_send(&refund, after(0)), Observation::StillPending, "{ending}");
        assert_eq!(PLAIN.stands_at(&refund, after(3)), expected, "{ending}");
    }
}

#[test]
fn with_a_phone_at_hand_a_plain_number_waits_for_the_tap() {
    let script = Script { phone: true, ..PLAIN };
    let mut order = received(Kind::Charge, Network::Mtn, "4567");
    assert_eq!(script.stands_at(&order, after(3600)), Observation::Awaits(Step::ApproveOnPhone));
    assert!(script.waits_for_tap(&order));
    order.decided = Some((Decision::Decline, after(10)));
    assert_eq!(
        script.stands_at(&order, after(10)),
        Observation::Failed(FailureCode::CustomerRejected)
    );
    assert_eq!(script.calls_back_at(&order, after(10)), Some(after(10)));
}

#[test]
fn speed_divides_every_delay() {
    let script = Script { speed: 10.0, ..PLAIN };
    let order = received(Kind::Charge, Network::Mtn, "0009");
    assert_eq!(script.calls_back_at(&order, after(0)), Some(after(3)));
}
