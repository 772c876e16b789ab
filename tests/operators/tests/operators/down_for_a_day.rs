//! An operator that does not respond for a day (docs/drills/operator-down.md): what it has stays
//! pending, nothing new is stored, and all of it ends as the operator's books say.

use serde_json::json;
use tua_domain::review::Case;
use tua_emulator::{Call, Fault, Operator};
use tua_test_support::{eventually, live_operators::LiveOperators};

const HOUR: u64 = 3600;

/// Lets the operator take orders without a response, and then respond to nothing.
fn take_down(live: &LiveOperators) {
    let chaos = live.emulator.chaos();
    chaos.set(Operator::MTN_MOMO, Call::Send, Fault::CloseAfter);
    chaos.set(Operator::MTN_MOMO, Call::Callback, Fault::Lost);
    for call in [Call::Status, Call::Token, Call::Other] {
        chaos.set(Operator::MTN_MOMO, call, Fault::CloseBefore);
    }
}

/// The reasons why transactions wait for a person.
async fn flagged(live: &LiveOperators) -> Vec<Case> {
    let flagged = live.app.running().store.flagged(None).await.unwrap();
    flagged.into_iter().map(|one| one.case).collect()
}

/// Whether charges of MTN have this status in the list of networks.
async fn is_network(live: &LiveOperators, status: &str) -> bool {
    let networks = live.shop.get("/v1/networks").await.is(200).json();
    networks["data"][0]["charge"]["status"] == status
}

#[tokio::test]
async fn an_operator_that_is_down_for_a_day_fails_nothing_and_doubles_nothing() {
    let live = LiveOperators::routed_to("mtn").await;
    // The service gets its access token while the operator still responds.
    let paid = live.charge_to_the_end("0241234567", "MTN").await;
    assert_eq!(paid["status"], "SUCCESSFUL");
    take_down(&live);
    let mut begun = Vec::new();
    for _ in 0..5 {
        begun.push(live.charge("0241234567", "MTN").await.is(202).id());
    }
    eventually("no new payments go there", async || is_network(&live, "DOWN").await).await;
    let stored = || live.app.query_number("SELECT count(*) FROM transactions");
    assert_eq!(stored(), 6);
    let refused = live.charge("0241234567", "MTN").await.is_problem(503, "network_unavailable");
    assert_eq!(refused.header("retry-after"), "30", "it may be up again");
    assert_eq!(stored(), 6, "what is refused is not stored");

    let asked = || live.emulator.requests().of_call(Operator::MTN_MOMO, Call::Status);
    for _ in 0..25 {
        live.app.advance(HOUR);
        eventually("nothing is in flight", async || live.app.running().tasks.is_empty()).await;
    }
    eventually("all are flagged", async || flagged(&live).await == [Case::Undecided; 5]).await;
    for id in &begun {
        assert_eq!(live.shop.status(id).await["status"], "PENDING");
    }
    live.charge("0241234567", "MTN").await.is_problem(503, "network_unavailable");

    let asked_before = asked();
    live.emulator.chaos().clear();
    live.app.advance(10 * 60);
    eventually("new payments go there", async || is_network(&live, "OPERATIONAL").await).await;
    assert_eq!(live.charge_to_the_end("0241234567", "MTN").await["status"], "SUCCESSFUL");
    // Of what is flagged it is asked once a day.
    live.app.advance(24 * HOUR);
    eventually("nothing is flagged", async || flagged(&live).await.is_empty()).await;
    assert!(asked() > asked_before);
    for id in &begun {
        let ended = live.shop.status(id).await;
        assert_eq!((&ended["status"], &ended["operator"]), (&json!("SUCCESSFUL"), &json!("mtn")));
    }
    assert_eq!((live.orders().len(), stored()), (7, 7), "each was handed over once");
}
