//! The table of test numbers on every network (docs/reference/test-mode.md).

use serde_json::{Value, json};
use tua_test_support::{ApiClient, TestApp};

const NETWORKS: [&str; 3] = ["MTN", "TELECEL", "AIRTELTIGO"];

/// The outcome of a test number: at once, and after some seconds.
struct Row {
    ending: &'static str,
    /// `nextAction` of a charge on a network without vouchers.
    at_once: &'static str,
    /// Seconds until the outcome; `None` if there is none.
    after: Option<u64>,
    /// The final `status` or failure code of a charge and of a payout.
    charge: &'static str,
    payout: &'static str,
}

const fn row(
    ending: &'static str,
    at_once: &'static str,
    after: Option<u64>,
    charge: &'static str,
    payout: &'static str,
) -> Row {
    Row { ending, at_once, after, charge, payout }
}

const TABLE: [Row; 14] = [
    row("0001", "APPROVE_ON_PHONE", Some(2), "insufficient_funds", "insufficient_funds"),
    row("0002", "APPROVE_ON_PHONE", Some(2), "customer_rejected", "operator_refused"),
    row("0003", "APPROVE_ON_PHONE", Some(2), "approval_timeout", "operator_refused"),
    row("0004", "APPROVE_ON_PHONE", Some(2), "wrong_pin", "operator_refused"),
    row("0005", "APPROVE_ON_PHONE", Some(2), "payer_limit", "recipient_limit"),
    row("0006", "NONE", Some(0), "payer_not_found", "recipient_not_found"),
    row("0007", "APPROVE_ON_PHONE", None, "PENDING", "PENDING"),
    row("0008", "APPROVE_ON_PHONE", Some(10), "SUCCESSFUL", "SUCCESSFUL"),
    row("0009", "APPROVE_ON_PHONE", Some(30), "SUCCESSFUL", "SUCCESSFUL"),
    row("0010", "WAIT", Some(10), "SUCCESSFUL", "SUCCESSFUL"),
    row("0011", "ENTER_OTP", Some(2), "SUCCESSFUL", "SUCCESSFUL"),
    row("0012", "APPROVE_ON_PHONE", None, "PENDING", "SUCCESSFUL"),
    row("0000", "APPROVE_ON_PHONE", Some(2), "SUCCESSFUL", "SUCCESSFUL"),
    row("4567", "APPROVE_ON_PHONE", Some(2), "SUCCESSFUL", "SUCCESSFUL"),
];

async fn pay(shop: &ApiClient, route: &str, network: &str, ending: &str) -> Value {
    let body = json!({ "amount": 5, "phoneNumber": format!("024123{ending}"), "network": network });
    shop.post(route, &body).await.is(202).json()
}

/// The `status`, or the code of the failure.
fn outcome(transaction: &Value) -> &str {
    transaction["failure"]["code"]
        .as_str()
        .unwrap_or_else(|| transaction["status"].as_str().unwrap())
}

/// Moves the clock second by second to the outcome, and asserts that it is not early.
async fn assert_outcome(
    app: &TestApp,
    shop: &ApiClient,
    id: &str,
    after: Option<u64>,
    expected: &str,
    what: &str,
) {
    for second in 0..after.unwrap_or(45) {
        let early = shop.status(id).await;
        assert_eq!(early["status"], "PENDING", "{what} after {second} s: {early}");
        app.advance(1);
        app.wait_for_due_work().await;
    }
    let decided = match after {
        Some(_) => shop.until(id, |status| status["status"] != "PENDING").await,
        None => shop.status(id).await,
    };
    assert_eq!(outcome(&decided), expected, "{what}: {decided}");
    let message = decided["failure"]["message"].as_str();
    assert_eq!(message.is_some(), decided["status"] == "FAILED", "{what}: {decided}");
    assert_eq!(
        decided["failure"]["retryable"].is_boolean(),
        message.is_some(),
        "{what}: {decided}"
    );
}

#[tokio::test]
async fn each_test_number_gives_its_documented_charge_outcome() {
    for row in &TABLE {
        for network in NETWORKS {
            let app = TestApp::with_stopped_clock(|operators| operators).await;
            let shop = app.shop().await;
            let what = format!("charge {network} {}", row.ending);
            let begun = pay(&shop, "/v1/charge", network, row.ending).await;
            let id = begun["transactionId"].as_str().unwrap();
            let vouched = network == "TELECEL" && !matches!(row.ending, "0006" | "0010" | "0011");
            assert_eq!(
                begun["nextAction"],
                if vouched { "ENTER_VOUCHER" } else { row.at_once },
                "{what}"
            );
            if let "ENTER_VOUCHER" | "ENTER_OTP" = begun["nextAction"].as_str().unwrap() {
                // The outcome follows the code, however late the code is.
                app.advance(45);
                app.wait_for_due_work().await;
                let right = json!({ "transactionId": id, "otp": "123456" });
                let taken = shop.post("/v1/submit-otp", &right).await.is(200).json();
                assert_eq!(taken["status"], "PENDING", "{what}");
            }
            // After a lost callback the next query finds the outcome, 20 s later on the schedule.
            let lost_after_code = vouched && row.ending == "0008";
            let after = if lost_after_code { Some(20) } else { row.after };
            assert_outcome(&app, &shop, id, after, row.charge, &what).await;
        }
    }
}

#[tokio::test]
async fn each_test_number_gives_its_documented_payout_outcome_without_a_code() {
    for row in &TABLE {
        for network in NETWORKS {
            let app = TestApp::with_stopped_clock(|operators| operators).await;
            let shop = app.shop().await;
            let what = format!("payout {network} {}", row.ending);
            let begun = pay(&shop, "/v1/payout", network, row.ending).await;
            assert_eq!(
                (&begun["status"], &begun["nextAction"]),
                (&json!("PENDING"), &json!("WAIT")),
                "{what}"
            );
            let after = if row.ending == "0012" { Some(2) } else { row.after };
            let id = begun["transactionId"].as_str().unwrap();
            assert_outcome(&app, &shop, id, after, row.payout, &what).await;
        }
    }
}

#[tokio::test]
async fn sandbox_speed_divides_every_delay_and_the_poll_schedule() {
    let app = TestApp::with_clock(
        tua_system::clock::OffsetClock::stopped(),
        |config| config.sandbox_speed = 10.0,
        |operators| operators,
    )
    .await;
    let shop = app.shop().await;
    for (ending, milliseconds) in [("4567", 200), ("0009", 3000), ("0008", 1000), ("0010", 1000)] {
        let begun = pay(&shop, "/v1/charge", "MTN", ending).await;
        let id = begun["transactionId"].as_str().unwrap();
        app.clock.advance(std::time::Duration::from_millis(milliseconds - 1));
        assert_eq!(shop.status(id).await["status"], "PENDING", "{ending}");
        app.test_clock.wait_for_sleepers(app.test_clock.now_plus_milliseconds(100), 1).await;
        app.clock.advance(std::time::Duration::from_millis(101));
        shop.until(id, |status| status["status"] == "SUCCESSFUL").await;
    }
}
