//! Batches of payouts under limits: approved, refused and cancelled
//! (docs/reference/payouts.md#batches).

use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Barrier;
use tua_domain::{
    BatchId,
    approval::{DecideError, PayoutDecision},
    ports::{AccountChange, DecidedBatch, OpenSessions},
};
use tua_test_support::{
    payout_batches::{batch_id, batch_of, begin, cancel, lines, outcomes, read},
    payout_controls::{Merchant, approval, refusal},
};

const HOUR: u64 = 3600;

async fn decide(
    merchant: &Merchant,
    id: &str,
    decision: PayoutDecision,
) -> Result<DecidedBatch, DecideError> {
    let decisions = merchant.app.running().payouts.decisions.clone();
    decisions
        .about_batch(&BatchId::new(id), decision, Some(&merchant.app.audit()), merchant.now())
        .await
}

/// Begins a batch that waits for an approval.
async fn waiting(merchant: &Merchant, amounts: &[f64]) -> String {
    let begun = begin(&merchant.shop, &batch_of(amounts)).await.is(202);
    let shown = begun.json();
    assert!(
        shown["payouts"]
            .as_array()
            .unwrap()
            .iter()
            .all(|line| line["nextAction"] == "APPROVE_IN_DASHBOARD")
    );
    batch_id(&begun)
}

/// The batch as it is now. Asserts that the events of each payout rebuild its row.
async fn now(merchant: &Merchant, id: &str) -> Value {
    let batch = read(&merchant.shop, id).await;
    for line in lines(&batch) {
        merchant.outcome(&line).await;
    }
    batch
}

#[tokio::test]
async fn the_sum_of_a_batch_decides_whether_it_waits_and_it_is_approved_whole() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "100").await;
    let small = begin(&merchant.shop, &batch_of(&[50.0, 50.0])).await.is(202).json();
    assert_eq!(small["payouts"][0]["nextAction"], "WAIT");
    let id = waiting(&merchant, &[50.0, 50.0, 0.01]).await;
    let ids = lines(&read(&merchant.shop, &id).await);
    merchant.wait(24 * HOUR).await;
    assert_eq!(merchant.operator.count("send"), 2);
    // A line alone is neither approved nor refused, but it can be cancelled.
    for decision in [approval(), refusal()] {
        let alone = merchant.decide(&ids[0], decision).await.unwrap_err();
        assert!(
            matches!(&alone, DecideError::PartOfBatch(batch) if batch.as_str() == id),
            "{alone}"
        );
    }
    merchant.cancel(&ids[2]).await.is(200);

    let decided = decide(&merchant, &id, approval()).await.unwrap();
    assert_eq!(decided.changed.len(), 2);
    merchant.wait(1).await;
    let batch = now(&merchant, &id).await;
    assert_eq!(
        (outcomes(&batch), &batch["status"]),
        (vec!["SUCCESSFUL", "SUCCESSFUL", "cancelled"], &json!("COMPLETED"))
    );
    assert_eq!(merchant.operator.each("send"), [1; 4]);
    for decision in [approval(), refusal()] {
        let again = decide(&merchant, &id, decision).await.unwrap_err();
        assert!(matches!(again, DecideError::NotWaiting("COMPLETED")), "{again}");
    }
    let unknown = decide(&merchant, "bat_0", approval()).await.unwrap_err();
    assert!(matches!(unknown, DecideError::NotFound), "{unknown}");
    let entries = merchant.store().audit_entries(0, 100).await.unwrap();
    let entry = entries.iter().find(|entry| entry.subject == id).unwrap();
    assert_eq!(entry.action, "payout.approved");
    assert!(entry.before.as_ref().unwrap().contains("\"waiting\":2"), "{entry:?}");
}

#[tokio::test]
async fn a_batch_is_refused_whole_and_ends_whole_where_nobody_decides() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let id = waiting(&merchant, &[1.0, 2.0]).await;
    decide(&merchant, &id, refusal()).await.unwrap();
    assert_eq!(outcomes(&now(&merchant, &id).await), ["approval_refused"; 2]);

    // More lines than one write ends.
    let id = waiting(&merchant, &vec![0.01; 150]).await;
    merchant.wait(72 * HOUR - 1).await;
    assert_eq!(read(&merchant.shop, &id).await["status"], "PENDING");
    merchant.app.advance(1);
    let late = decide(&merchant, &id, approval()).await;
    assert!(matches!(late, Err(DecideError::Expired | DecideError::NotWaiting(_))), "{late:?}");
    merchant.app.wait_for_due_work().await;
    merchant.wait(1).await;
    merchant.wait(1).await;
    assert_eq!(outcomes(&read(&merchant.shop, &id).await), ["approval_refused"; 150]);
    assert_eq!(merchant.operator.count("send"), 0);
}

#[tokio::test]
async fn a_cancellation_ends_what_is_not_sent_and_leaves_the_rest() {
    let merchant = Merchant::start().await;
    // The clock stands still, so no worker has seen it.
    let id = batch_id(&begin(&merchant.shop, &batch_of(&[1.0, 2.0])).await.is(202));
    let cancelled = cancel(&merchant.shop, &id).await.is(200).json();
    assert_eq!(
        (outcomes(&cancelled), &cancelled["status"]),
        (vec!["cancelled"; 2], &json!("COMPLETED"))
    );
    assert_eq!(cancel(&merchant.shop, &id).await.is(200).json(), cancelled);
    merchant.wait(HOUR).await;
    assert_eq!(merchant.operator.count("send"), 0);

    let id = batch_id(&begin(&merchant.shop, &batch_of(&[1.0, 2.0])).await.is(202));
    merchant.wait(1).await;
    assert_eq!(outcomes(&cancel(&merchant.shop, &id).await.is(200).json()), ["SUCCESSFUL"; 2]);
    merchant
        .shop
        .post_text(&format!("/v1/payouts/batches/{id}/cancel"), "{\"a\":1}")
        .await
        .is_problem(422, "unknown_field");
}

#[tokio::test]
async fn a_line_beyond_the_limit_is_named_and_the_sum_counts_towards_the_day() {
    let merchant = Merchant::start().await;
    merchant.set_limits("50", "100", "").await;
    let refused = begin(&merchant.shop, &batch_of(&[50.01, 1.0, 50.0, 60.0]))
        .await
        .is_problem(422, "validation_failed");
    let faults = refused.json()["errors"].clone();
    assert_eq!(
        (&faults[0]["pointer"], &faults[1]["pointer"]),
        (&json!("/payouts/0/amount"), &json!("/payouts/3/amount"))
    );
    assert_eq!(
        (&faults[0]["code"], faults.as_array().unwrap().len()),
        (&json!("payout_limit_exceeded"), 2)
    );
    let sum = begin(&merchant.shop, &batch_of(&[50.0, 50.0, 0.01]))
        .await
        .is_problem(422, "payout_limit_exceeded");
    assert!(sum.text.contains("GHS 100 are left"), "{}", sum.text);
    begin(&merchant.shop, &batch_of(&[40.0, 50.0])).await.is(202);
    merchant.pay_out(10.01).await.is_problem(422, "payout_limit_exceeded");
    begin(&merchant.shop, &batch_of(&[5.0, 5.01])).await.is_problem(422, "payout_limit_exceeded");

    // The next day: a batch counts while it waits, then on the day of its approval, once.
    merchant.wait(24 * HOUR).await;
    merchant.set_limits("", "", "0").await;
    let id = waiting(&merchant, &[30.0, 30.0]).await;
    merchant.pay_out(40.01).await.is_problem(422, "payout_limit_exceeded");
    merchant.set_limits("", "59", "").await;
    let exceeded = decide(&merchant, &id, approval()).await.unwrap_err();
    assert!(matches!(exceeded, DecideError::Exceeded(_)), "{exceeded}");
    merchant.set_limits("", "60", "").await;
    merchant.wait(24 * HOUR).await;
    decide(&merchant, &id, approval()).await.unwrap();
    merchant.pay_out(0.01).await.is_problem(422, "payout_limit_exceeded");
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_batches_never_exceed_the_daily_limit_together() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "100", "").await;
    let start = Arc::new(Barrier::new(12));
    let races: Vec<_> = (0..12)
        .map(|_| {
            let start = start.clone();
            let shop = merchant.shop.clone();
            tokio::spawn(async move {
                start.wait().await;
                begin(&shop, &batch_of(&[10.0, 20.0, 3.0])).await.status.as_u16()
            })
        })
        .collect();
    let mut begun = 0;
    for race in races {
        match race.await.unwrap() {
            202 => begun += 1,
            status => assert_eq!(status, 422),
        }
    }
    assert_eq!(
        (begun, merchant.app.query_number("SELECT CAST(sum(amount) AS BIGINT) FROM transactions")),
        (3, 9900)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_racing_decisions_about_a_batch_exactly_one_wins() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    for round in 0..6_u64 {
        let id = waiting(&merchant, &[1.0, 2.0, 3.0]).await;
        if round % 2 == 1 {
            // The expiry races too.
            merchant.app.advance(72 * HOUR - 1);
        }
        let start = Arc::new(Barrier::new(5));
        let decisions = merchant.app.running().payouts.decisions.clone();
        let deciding =
            [approval(), refusal(), approval(), PayoutDecision::Cancel].map(|decision| {
                let start = start.clone();
                let decisions = decisions.clone();
                let id = BatchId::new(&*id);
                let by = merchant.app.audit();
                let at = merchant.now();
                tokio::spawn(async move {
                    start.wait().await;
                    (decision.clone(), decisions.about_batch(&id, decision, Some(&by), at).await)
                })
            });
        start.wait().await;
        if round % 2 == 1 {
            merchant.app.advance(1);
        }
        let mut won = Vec::new();
        let mut is_cancelled = false;
        for task in deciding {
            match task.await.unwrap() {
                (PayoutDecision::Cancel, Ok(decided)) => is_cancelled = decided.changed.len() == 3,
                (decision, Ok(_)) => won.push(decision),
                (_, Err(refused)) => {
                    assert!(
                        matches!(refused, DecideError::NotWaiting(_) | DecideError::Expired),
                        "{refused}"
                    );
                }
            }
        }
        merchant.app.wait_for_due_work().await;
        merchant.wait(2).await;
        let batch = now(&merchant, &id).await;
        let found = outcomes(&batch);
        let expected = match won.as_slice() {
            [] if is_cancelled => "cancelled",
            [] => "approval_refused",
            [PayoutDecision::Approve { .. }] if is_cancelled => "cancelled",
            [PayoutDecision::Approve { .. }] => "SUCCESSFUL",
            [PayoutDecision::Refuse { .. }] if !is_cancelled => "approval_refused",
            _ => panic!("several decisions won: {won:?}, cancelled: {is_cancelled}"),
        };
        assert_eq!(found, [expected; 3], "round {round}: {won:?}, cancelled: {is_cancelled}");
    }
}

#[tokio::test]
async fn a_suspension_holds_a_batch_and_a_revoked_key_refuses_it() {
    let merchant = Merchant::start().await;
    let store = merchant.store().clone();
    let account = merchant.scope().account.clone();
    let by = merchant.app.audit();
    let id = batch_id(&begin(&merchant.shop, &batch_of(&[1.0, 2.0])).await.is(202));
    store.change_account(&account, AccountChange::Suspend(merchant.now()), &by).await.unwrap();
    begin(&merchant.shop, &batch_of(&[1.0])).await.is_problem(403, "account_suspended");
    merchant.wait(HOUR).await;
    assert_eq!(merchant.operator.count("send"), 0);
    store.change_account(&account, AccountChange::Resume, &by).await.unwrap();
    merchant.wait(HOUR).await;
    assert_eq!(merchant.operator.count("send"), 0, "they wait for an approval again");
    let listed = store.unapproved_batches(Some(merchant.scope())).await.unwrap();
    assert_eq!(
        listed
            .iter()
            .map(|one| (one.id.as_str(), one.count, one.total_pesewas))
            .collect::<Vec<_>>(),
        [(&*id, 2, 300)]
    );
    decide(&merchant, &id, approval()).await.unwrap();
    merchant.wait(1).await;
    assert_eq!(outcomes(&now(&merchant, &id).await), ["SUCCESSFUL"; 2]);
    assert_eq!(store.unapproved_batches(None).await.unwrap(), []);

    merchant.set_limits("", "", "0").await;
    let id = waiting(&merchant, &[3.0, 4.0]).await;
    store.revoke_key(&merchant.key.id, OpenSessions::Close, &by).await.unwrap();
    let batch = store.payout_batch(&BatchId::new(&*id)).await.unwrap().unwrap();
    assert!(batch.is_completed());
    let late = decide(&merchant, &id, approval()).await.unwrap_err();
    assert!(matches!(late, DecideError::NotWaiting("COMPLETED")), "{late}");
    let newest = store.payout_batches(Some(merchant.scope()), 1).await.unwrap();
    assert_eq!((newest[0].id.as_str(), newest[0].pending), (&*id, 0));
}
