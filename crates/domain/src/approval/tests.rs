use super::*;
use crate::{payout_controls::Ceiling, transaction::tests::new_order};
use tua_contract::Amount;

fn payout(pesewas: i64) -> Arc<TransactionOrder> {
    let mut new = new_order();
    new.transfer.kind = Kind::Payout;
    new.transfer.amount = Amount::from_pesewas(pesewas).unwrap();
    new.price = Price::without_tariff(new.transfer.amount);
    Arc::new(new)
}

fn controls(limit: i64, approval_above: i64) -> PayoutControls {
    PayoutControls {
        limit: Ceiling::from_pesewas(limit),
        approval_above: Ceiling::from_pesewas(approval_above),
        ..PayoutControls::default()
    }
}

const AT_ONCE: Sending = Sending::AtOnce { first_query_at: Timestamp::UNIX_EPOCH, operator: None };

fn waiting(pesewas: i64) -> Transaction {
    let now = Timestamp::UNIX_EPOCH;
    let (order, sending) = begin(payout(pesewas), AT_ONCE, &controls(1_000, 100), now);
    Transaction::begin(order, sending.is_at_once(), None, now)
}

fn circumstances(controls: PayoutControls) -> Circumstances {
    Circumstances {
        controls,
        paid_pesewas: 0,
        is_key_revoked: false,
        is_account_suspended: false,
        not_refundable: None,
    }
}

fn approve_at(
    payout: &Transaction,
    circumstances: Circumstances,
    now: Timestamp,
) -> Result<[Event; 2], DecideError> {
    let route =
        PayoutRoute { operator: None, fee_pesewas: None, refund_method: None, moved_to: None };
    approve(payout, &"Esi".parse().unwrap(), Some(&route), circumstances, now)
}

#[test]
fn a_payout_above_the_limit_without_approval_waits_and_a_smaller_one_is_sent() {
    let controls = controls(1_000, 100);
    let now = Timestamp::UNIX_EPOCH;
    let (small, sending) = begin(payout(100), AT_ONCE, &controls, now);
    assert!(sending.is_at_once() && !small.needs_approval);
    let (large, sending) = begin(payout(101), AT_ONCE, &controls, now);
    assert!(large.needs_approval);
    assert_eq!(sending.approval_due(), Some(now + APPROVAL_MAX_WAIT));
    assert!(!waiting(101).may_be_sent());
}

#[test]
fn a_payout_is_approved_within_its_time_only() {
    let payout = waiting(500);
    let end = payout.created_at + APPROVAL_MAX_WAIT;
    let just_before = end - SignedDuration::from_millis(1);
    let allowed = circumstances(controls(1_000, 100));
    assert!(approve_at(&payout, allowed, just_before).is_ok());
    assert!(matches!(approve_at(&payout, allowed, end), Err(DecideError::Expired)));
}

#[test]
fn an_approval_checks_the_limits_the_key_and_the_account_as_they_are_now() {
    let payout = waiting(500);
    let now = payout.created_at;
    let lowered = circumstances(controls(499, 100));
    assert!(matches!(approve_at(&payout, lowered, now), Err(DecideError::Exceeded(_))));
    let allowed = circumstances(controls(500, 100));
    let revoked = Circumstances { is_key_revoked: true, ..allowed };
    assert!(matches!(approve_at(&payout, revoked, now), Err(DecideError::KeyRevoked)));
    let suspended = Circumstances { is_account_suspended: true, ..allowed };
    assert!(matches!(approve_at(&payout, suspended, now), Err(DecideError::AccountSuspended)));
    let disputed = Circumstances { not_refundable: Some(NotRefundable::Disputed), ..allowed };
    assert!(matches!(approve_at(&payout, disputed, now), Err(DecideError::NotRefundable(_))));
    assert!(approve_at(&payout, allowed, now).is_ok());
}

#[test]
fn a_payout_is_cancelled_only_while_it_is_certainly_not_sent() {
    let mut payout = waiting(500);
    assert!(matches!(cancel(&payout), Ok(Some(_))));
    let now = payout.created_at;
    for event in approve_at(&payout, circumstances(controls(500, 100)), now).unwrap() {
        payout.apply_event(&event, now);
    }
    assert!(matches!(cancel(&payout), Ok(Some(_))), "it is approved, and not sent");
    payout.apply_event(&Event::HandedOver, now);
    assert!(matches!(cancel(&payout), Err(DecideError::NotCancellable("PENDING"))));
}

#[test]
fn a_payout_is_approved_or_refused_only_while_it_waits_for_that() {
    let mut payout = waiting(500);
    let now = payout.created_at;
    let allowed = circumstances(controls(500, 100));
    let refuse = |payout: &Transaction| {
        refuse(payout, &"Esi".parse().unwrap(), &"not ours".parse::<DecisionNote>().unwrap())
    };
    assert!(refuse(&payout).is_ok());
    assert!(expire(&payout).is_some());
    for event in approve_at(&payout, allowed, now).unwrap() {
        payout.apply_event(&event, now);
    }
    for is_handed_over in [false, true] {
        if is_handed_over {
            payout.apply_event(&Event::HandedOver, now);
        }
        assert!(matches!(refuse(&payout), Err(DecideError::NotWaiting("PENDING"))));
        assert!(matches!(approve_at(&payout, allowed, now), Err(DecideError::NotWaiting(_))));
        assert_eq!(expire(&payout), None);
    }
}

#[test]
fn a_line_of_a_batch_is_cancelled_alone_and_approved_and_refused_with_the_batch() {
    let by = || "Esi".parse().unwrap();
    let refuse =
        PayoutDecision::Refuse { by: by(), note: "not ours".parse::<DecisionNote>().unwrap() };
    let alone = payout(500);
    let mut line = TransactionOrder::clone(&alone);
    line.batch = Some(BatchId::mint());
    for decision in [PayoutDecision::Approve { by: by() }, refuse] {
        let refused = decision.may_concern(&line);
        assert!(matches!(refused, Err(DecideError::PartOfBatch(_))), "{refused:?}");
        assert!(decision.may_concern(&alone).is_ok());
    }
    assert!(PayoutDecision::Cancel.may_concern(&line).is_ok());
}
