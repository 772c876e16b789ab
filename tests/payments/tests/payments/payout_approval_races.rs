//! Decisions about one payout at the same time (docs/reference/payouts.md#approval).

use jiff::SignedDuration;
use std::sync::Arc;
use tokio::sync::Barrier;
use tua_domain::approval::{DecideError, PayoutDecision};
use tua_test_support::payout_controls::{Merchant, approval, refusal};

#[tokio::test(flavor = "multi_thread")]
async fn of_racing_decisions_exactly_one_wins() {
    let merchant = Arc::new(Merchant::start().await);
    merchant.set_limits("", "", "0").await;
    for round in 0..12 {
        let id = merchant.begin_unapproved_payout(5.0).await;
        // In every other round the 72 hours are over for two of the deciders.
        let expiry = merchant.now() + SignedDuration::from_hours(72);
        let start = Arc::new(Barrier::new(5));
        let decide = |decision: PayoutDecision| {
            let merchant = merchant.clone();
            let start = start.clone();
            let id = id.clone();
            tokio::spawn(async move {
                start.wait().await;
                merchant.decide(&id, decision.clone()).await.map(|_| decision)
            })
        };
        let deciders = [
            decide(approval()),
            decide(refusal()),
            decide(PayoutDecision::Cancel),
            decide(approval()),
        ];
        let expiring = {
            let merchant = merchant.clone();
            let start = start.clone();
            tokio::spawn(async move {
                start.wait().await;
                let late = if round % 2 == 0 { expiry } else { merchant.now() };
                merchant.store().expire_approvals(late, 10).await.unwrap().len()
            })
        };
        let expired = expiring.await.unwrap();
        let mut won = Vec::new();
        for decider in deciders {
            match decider.await.unwrap() {
                Ok(decision) => won.push(decision),
                Err(refused) => assert!(
                    matches!(
                        refused,
                        DecideError::NotWaiting(_)
                            | DecideError::NotCancellable(_)
                            | DecideError::Expired
                    ),
                    "{round}: {refused}"
                ),
            }
        }
        let approvals =
            won.iter().filter(|one| matches!(one, PayoutDecision::Approve { .. })).count();
        let is_cancelled = won.contains(&PayoutDecision::Cancel);
        let expected = match (won.len() + expired, approvals, is_cancelled) {
            (1, 1, false) => ("SUCCESSFUL", ""),
            // A cancellation after an approval and before the order is sent ends what was approved.
            (1, 0, true) | (2, 1, true) => ("FAILED", "cancelled"),
            (1, 0, false) => ("FAILED", "approval_refused"),
            _ => panic!("{round}: several won: {won:?}, {expired} expired"),
        };
        merchant.wait(1).await;
        let sent = merchant.operator.count("send");
        let (status, failure) = merchant.outcome(&id).await;
        assert_eq!((&*status, &*failure), expected, "{round}: {won:?}");
        assert!(merchant.operator.each("send").iter().all(|times| *times == 1), "{sent}");
        let succeeded = "SELECT count(*) FROM transactions WHERE status = 'SUCCESSFUL'";
        assert_eq!(i64::try_from(sent).unwrap(), merchant.app.query_number(succeeded));
    }
}
