//! Payments and checkout sessions of test mode. Their number selects what becomes of them
//! (docs/reference/test-mode.md#phone-numbers).

use super::{
    scenario::phone,
    test_api::{ApiFault, TestApi},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tua_contract::{Amount, Network, Step};

/// How long a payment may take. The slowest number of the sandbox takes 30 seconds.
const TIMEOUT: Duration = Duration::from_secs(90);

/// Between two requests for the status.
const POLL_PAUSE: Duration = Duration::from_millis(100);

/// The passcode and the voucher that the sandbox accepts.
const CODE: &str = "123456";

/// Makes payments of one network and amount.
pub(super) struct TestPayments<'a> {
    pub(super) api: &'a TestApi,
    pub(super) network: Network,
    pub(super) amount: Amount,
}

/// A charge, payout or refund: the members of responses that matter here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaymentResponse {
    /// Of a refund, the identifier of the charge.
    pub(super) transaction_id: String,
    status: String,
    next_action: String,
}

/// A refund that was begun.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundResponse {
    pub(super) refund_id: String,
    #[serde(flatten)]
    pub(super) payment: PaymentResponse,
}

/// A checkout session that was opened.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OpenedCheckout {
    pub(super) checkout_id: String,
    pub(super) checkout_token: String,
}

/// A checkout session that was closed.
#[derive(Deserialize)]
struct ClosedCheckout {
    status: String,
}

impl TestPayments<'_> {
    /// Creates a checkout session.
    pub(super) async fn open_checkout(&self) -> Result<OpenedCheckout, ApiFault> {
        let body =
            json!({ "amount": self.amount(), "currency": "GHS", "email": "ama@example.com" });
        self.api.post("/checkout", None, &body).await
    }

    /// Closes a checkout session. Returns its status.
    pub(super) async fn close_checkout(&self, id: &str) -> Result<String, ApiFault> {
        let path = format!("/checkout/{id}/close");
        let closed: ClosedCheckout = self.api.post(&path, None, &json!({})).await?;
        Ok(closed.status)
    }

    /// Begins a charge or payout with a number that ends with these digits.
    pub(super) async fn begin(
        &self,
        path: &str,
        ending: &str,
    ) -> Result<PaymentResponse, ApiFault> {
        let mut body = self.payer(ending);
        body["amount"] = self.amount();
        self.api.post(path, None, &body).await
    }

    /// Begins a charge of a checkout session, which has its amount already.
    pub(super) async fn charge_checkout(
        &self,
        token: &str,
        ending: &str,
    ) -> Result<PaymentResponse, ApiFault> {
        self.api.post("/charge", Some(token), &self.payer(ending)).await
    }

    /// Begins a refund of all of a charge.
    pub(super) async fn refund(&self, charge: &str) -> Result<RefundResponse, ApiFault> {
        self.api.post("/refunds", None, &json!({ "transactionId": charge })).await
    }

    /// Waits until a payment is final, and enters the code where one is asked for. Returns the
    /// status.
    pub(super) async fn wait_for_end(
        &self,
        path: &str,
        begun: PaymentResponse,
    ) -> Result<String, ApiFault> {
        let end = Instant::now() + TIMEOUT;
        let mut payment = begun;
        let mut has_code = false;
        while payment.status == "PENDING" {
            let action = payment.next_action.as_str();
            if matches!(action, "ENTER_VOUCHER" | "ENTER_OTP") && !has_code {
                has_code = true;
                let body = json!({ "transactionId": payment.transaction_id, "otp": CODE });
                let _: Value = self.api.post("/submit-otp", None, &body).await?;
            } else if Instant::now() > end {
                return Err(ApiFault::Refused(format!(
                    "{path} is still PENDING, and its next action is {action}; with a simulated \
                     phone, decide there"
                )));
            }
            // The service responds when something changes, and at once where too many requests
            // wait.
            tokio::time::sleep(POLL_PAUSE).await;
            payment = self.api.poll(path).await?;
        }
        Ok(payment.status)
    }

    fn payer(&self, ending: &str) -> Value {
        let phone = phone(self.network, ending);
        json!({ "phoneNumber": phone, "network": self.network.as_str() })
    }

    /// The amount as a number with two decimals at most.
    fn amount(&self) -> Value {
        serde_json::from_str(&self.amount.to_string()).unwrap_or_default()
    }
}

impl PaymentResponse {
    /// Fails if the payment waits for an approval: it is not sent, so it is never delayed.
    pub(super) fn require_sent(&self) -> Result<(), ApiFault> {
        if self.next_action == Step::ApproveInDashboard.as_str() {
            return Err(ApiFault::Refused(format!(
                "{} waits for an approval in the dashboard. Choose an --amount that needs none; \
                 the sandbox clock was not advanced",
                self.transaction_id
            )));
        }
        Ok(())
    }
}
