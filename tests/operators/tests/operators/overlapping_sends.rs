//! Over the operators' wire: a send hangs while the operator is asked about its order, and has not
//! received it yet (docs/reference/lifecycle.md, Sending again).

use serde_json::json;
use std::time::Duration;
use tua_emulator::{Call, Credentials, Fault, Operator, Settings};
use tua_test_support::{eventually, live_operators::LiveOperators};

/// Longer than the service waits for the first response, and than the question takes.
const HANG: Duration = Duration::from_secs(4);

/// The float covers one transfer, and Paystack looks at the balance before it looks for the
/// reference. So a second send would be executed in place of the first, and the first refused.
#[tokio::test]
async fn a_payout_whose_recipient_call_hangs_is_sent_once_and_succeeds() {
    let settings =
        Settings { float_pesewas: 1_050, balance_checked_first: true, ..Settings::default() };
    let live = LiveOperators::with_emulator("MTN = [\"paystack\"]\n", settings).await;
    let requests = live.emulator.requests();
    eventually("the balance was read", async || requests.of_route("GET /paystack/balance") > 0)
        .await;
    live.emulator.chaos().set_once(Operator::PAYSTACK, Call::Other, Fault::Latency(HANG));
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let id = live.shop.post("/v1/payout", &body).await.is(202).id();
    live.app.advance(10);
    let asked = async || requests.of_call(Operator::PAYSTACK, Call::Status) > 0;
    eventually("the operator is asked while the recipient call hangs", asked).await;
    let ended = live.end_of(&id).await;
    assert_eq!(ended["status"], "SUCCESSFUL", "{ended}");
    assert_eq!(requests.of_route("POST /paystack/transfer"), 1);
    assert_eq!(live.orders().len(), 1);
}

#[tokio::test]
async fn a_charge_that_waits_for_a_token_is_sent_once() {
    let live = LiveOperators::with("MTN = [\"mtn\"]\n").await;
    let requests = live.emulator.requests();
    let balance = "GET /mtn-momo/collection/v1_0/account/balance";
    eventually("the balance was read", async || requests.of_route(balance) > 0).await;
    // The token is refused: the order and the question wait for the same new one.
    live.emulator.replace_credentials(Credentials::default());
    live.emulator.chaos().set_once(Operator::MTN_MOMO, Call::Token, Fault::Latency(HANG));
    live.emulator.chaos().set_once(Operator::MTN_MOMO, Call::Status, Fault::NotFound);
    let id = live.charge("0241234567", "MTN").await.is(202).id();
    live.app.advance(10);
    let asked = async || requests.of_call(Operator::MTN_MOMO, Call::Status) > 0;
    eventually("the operator is asked", asked).await;
    let ended = live.end_of(&id).await;
    assert_eq!(ended["status"], "SUCCESSFUL", "{ended}");
    let sends = requests.of_route("POST /mtn-momo/collection/v1_0/requesttopay");
    assert_eq!(sends, 2, "with the refused token, and with the new one");
    assert_eq!(live.orders().len(), 1);
}
