use super::*;
use crate::{
    Kind, payout_controls::Ceiling, payout_route::PayoutRoute, tariff::Price,
    transaction::tests::new_order,
};
use proptest::prelude::*;
use tua_contract::{Amount, Phone};

fn line(phone: u32, pesewas: i64) -> TransactionOrder {
    let mut new = new_order();
    new.transfer.kind = Kind::Payout;
    new.transfer.amount = Amount::from_pesewas(pesewas).unwrap();
    new.price = Price::without_tariff(new.transfer.amount);
    new.transfer.phone = Phone::parse(&format!("024{phone:07}")).unwrap();
    new
}

fn limits(single: Option<i64>, day: Option<i64>, approval_above: Option<i64>) -> PayoutControls {
    let ceiling = |pesewas: Option<i64>| pesewas.and_then(Ceiling::from_pesewas);
    PayoutControls {
        limit: ceiling(single),
        daily_limit: ceiling(day),
        approval_above: ceiling(approval_above),
        refund_approval_above: None,
    }
}

/// An approval of lines that the sandbox sends.
fn approval(lines: &[Transaction]) -> RoutedDecision {
    let route =
        PayoutRoute { operator: None, fee_pesewas: None, refund_method: None, moved_to: None };
    let routes = lines.iter().map(|line| (line.order.id.clone(), route.clone())).collect();
    RoutedDecision { decision: PayoutDecision::Approve { by: "Esi".parse().unwrap() }, routes }
}

fn without_routes(decision: PayoutDecision) -> RoutedDecision {
    RoutedDecision { decision, routes: PayoutRoutes::new() }
}

fn refusal() -> RoutedDecision {
    without_routes(PayoutDecision::Refuse {
        by: "Esi".parse().unwrap(),
        note: "not ours".parse().unwrap(),
    })
}

fn circumstances(controls: PayoutControls, paid_pesewas: i64) -> Option<Circumstances> {
    Some(Circumstances {
        controls,
        paid_pesewas,
        is_key_revoked: false,
        is_account_suspended: false,
        not_refundable: None,
    })
}

#[test]
fn every_line_beyond_the_limit_is_named_and_then_the_sum_is_checked() {
    let lines = [line(1, 100), line(2, 101), line(3, 5), line(4, 102)];
    let refused = check(&limits(Some(100), Some(1), None), &lines, 0).unwrap_err();
    let BatchLimitExceeded::Lines(exceeding) = refused else { panic!("{refused:?}") };
    assert_eq!(exceeding.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 3]);
    assert!(
        matches!(
            check(&limits(Some(101), None, None), &lines, 0),
            Err(BatchLimitExceeded::Lines(exceeding)) if exceeding.len() == 1
        ),
        "one line beyond the limit is enough"
    );
    assert_eq!(check(&limits(None, Some(310), None), &lines, 2), Ok(()));
    assert!(matches!(
        check(&limits(None, Some(310), None), &lines, 3),
        Err(BatchLimitExceeded::Daily(_))
    ));
    assert!(!needs_approval(&limits(None, None, Some(308)), &lines));
    assert!(needs_approval(&limits(None, None, Some(307)), &lines));
}

#[test]
fn a_batch_waits_whole_and_is_approved_whole() {
    let now = Timestamp::UNIX_EPOCH;
    let controls = limits(None, Some(150), Some(100));
    let waiting: Vec<Transaction> =
        begin(&[line(1, 60), line(2, 60)], &PayoutRoutes::new(), &controls, now)
            .into_iter()
            .map(|(line, _)| line)
            .collect();
    assert!(
        waiting.iter().all(|line| line.state.is_unapproved()),
        "the sum is above the limit, no line alone is"
    );
    let exceeded = decide(&waiting, &approval(&waiting), circumstances(controls, 31), now);
    assert!(matches!(exceeded, Err(DecideError::Exceeded(_))), "{exceeded:?}");
    let events = decide(&waiting, &approval(&waiting), circumstances(controls, 30), now).unwrap();
    assert!(events.iter().all(|events| events.len() == 2));
    let unrouted = decide(&waiting, &approval(&waiting[..1]), circumstances(controls, 30), now);
    assert!(
        matches!(unrouted, Err(DecideError::Unroutable(_))),
        "a line without an operator is not approved"
    );
    // A line that was cancelled alone stays so, and the others are approved.
    let mut lines = waiting.clone();
    let cancelled = approval::cancel(&lines[0]).unwrap().unwrap();
    lines[0].apply_event(&cancelled, now);
    let events = decide(&lines, &approval(&waiting), circumstances(controls, 0), now).unwrap();
    assert_eq!(events.iter().map(Vec::len).collect::<Vec<_>>(), [0, 2]);
    // Once one line has ended because nobody approved it, no other is approved.
    let mut lines = waiting.clone();
    let refused = approval::expire(&lines[0]).unwrap();
    lines[0].apply_event(&refused, now);
    for decision in [approval(&waiting), refusal()] {
        let late = decide(&lines, &decision, circumstances(controls, 0), now);
        assert!(matches!(late, Err(DecideError::NotWaiting("PENDING"))), "{late:?}");
    }
    assert_eq!(
        decide(&lines, &without_routes(PayoutDecision::Cancel), None, now).unwrap().concat().len(),
        1
    );
}

#[test]
fn a_repeat_names_the_latest_earlier_payout() {
    let earlier = [line(1, 100), line(1, 100), line(9, 5)];
    let lines = [line(1, 100), line(2, 100), line(1, 100), line(1, 99)];
    let found = repeated(&lines, &earlier);
    let expected = [(0, &earlier[1].id), (2, &lines[0].id)];
    assert_eq!(found.iter().map(|one| (one.line, &one.earlier)).collect::<Vec<_>>(), expected);
}

proptest! {
    /// A batch is allowed exactly where its payouts, one after the other, would be.
    #[test]
    fn a_sum_within_the_day_is_what_single_payouts_would_be_allowed(
        amounts in prop::collection::vec(1_i64..500, 1..20),
        day in 0_i64..5_000,
        paid in 0_i64..2_000,
    ) {
        let controls = limits(None, Some(day), None);
        let lines: Vec<_> = amounts.iter().map(|pesewas| line(1, *pesewas)).collect();
        let mut counted = paid;
        let one_by_one = lines.iter().all(|line| {
            let allowed = controls.check(line.transfer.amount, counted).is_ok();
            counted += line.transfer.amount.pesewas();
            allowed
        });
        prop_assert_eq!(check(&controls, &lines, paid).is_ok(), one_by_one);
    }
}
