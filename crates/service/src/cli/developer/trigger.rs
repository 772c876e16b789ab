//! `tua trigger`: makes an event happen by a payment of test mode
//! (docs/reference/command-line.md#develop-a-shop).

use super::{
    listen::{LOCAL_API, parse_type, parse_url},
    scenario::{ALL, Steps, phone, steps_of},
    test_api::{ApiFault, TestApi},
};
use crate::cli::{
    arguments::{one_of, parse_amount},
    context::Common,
    output,
};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tua_contract::{Amount, Network};
use tua_domain::webhook::EventType;
use url::Url;

/// How long a payment may take. The slowest number of the sandbox takes 30 seconds.
const TIMEOUT: Duration = Duration::from_secs(90);

/// Between two requests for the status.
const POLL_PAUSE: Duration = Duration::from_millis(100);

/// The voucher that the sandbox accepts.
const VOUCHER: &str = "123456";

#[derive(Args, Debug)]
pub(crate) struct Trigger {
    /// The type of the event, such as charge.successful
    #[arg(value_name = "TYPE", value_parser = parse_type, required_unless_present = "list")]
    event: Option<EventType>,
    /// List the events that can be made
    #[arg(long)]
    list: bool,
    /// MTN, TELECEL or AIRTELTIGO
    #[arg(
        long,
        default_value = "MTN",
        value_parser = |text: &str| one_of(text, &Network::ALL, |one| one.as_str())
    )]
    network: Network,
    /// The amount in cedis
    #[arg(long, default_value = "10", value_parser = parse_amount)]
    amount: Amount,
    /// The address of the service's API
    #[arg(long, value_name = "URL", default_value = LOCAL_API, value_parser = parse_url)]
    api_url: Url,
}

/// An event in the list.
#[derive(Serialize)]
struct ListedEvent {
    r#type: &'static str,
    does: &'static str,
}

/// What was begun, and how it ended.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Triggered {
    r#type: &'static str,
    checkout_id: Option<String>,
    transaction_id: Option<String>,
    refund_id: Option<String>,
    /// The status of the last of them.
    status: String,
}

/// A charge, payout or refund: the members of responses that matter here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PaymentResponse {
    /// Of a refund, the identifier of the charge.
    transaction_id: String,
    status: String,
    next_action: String,
}

/// A refund that was begun.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RefundResponse {
    refund_id: String,
    #[serde(flatten)]
    payment: PaymentResponse,
}

/// A checkout session that was opened.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenedCheckout {
    checkout_id: String,
    checkout_token: String,
}

/// A checkout session that was closed.
#[derive(Deserialize)]
struct ClosedCheckout {
    status: String,
}

impl Trigger {
    pub(crate) async fn run(self, common: Common) -> Result<(), String> {
        let Some(event) = self.event.filter(|_| !self.list) else { return print_events(&common) };
        let steps = steps_of(event).ok_or_else(|| {
            format!("the sandbox cannot make {} at once; see tua trigger --list", event.as_str())
        })?;
        let api = TestApi::from_environment(&self.api_url)?;
        let mut made = Triggered { r#type: event.as_str(), ..Triggered::default() };
        self.execute(&api, steps, &mut made).await.map_err(ApiFault::into_line)?;
        output::print(&common, &made, &made.line())
    }

    async fn execute(
        &self,
        api: &TestApi,
        steps: Steps,
        made: &mut Triggered,
    ) -> Result<(), ApiFault> {
        match steps {
            Steps::Charge(ending) => self.pay(api, "/charge", None, ending, made).await,
            Steps::Payout(ending) => self.pay(api, "/payout", None, ending, made).await,
            Steps::Refund(ending) => {
                self.pay(api, "/charge", None, ending, made).await?;
                refund(api, made).await
            }
            Steps::OpenCheckout => self.open_checkout(api, made).await.map(drop),
            Steps::ChargeCheckout(ending) => {
                let opened = self.open_checkout(api, made).await?;
                self.pay(api, "/charge", Some(&opened.checkout_token), ending, made).await
            }
            Steps::CloseCheckout => {
                let opened = self.open_checkout(api, made).await?;
                let path = format!("/checkout/{}/close", opened.checkout_id);
                let closed: ClosedCheckout = api.post(&path, None, &json!({})).await?;
                made.status = closed.status;
                Ok(())
            }
        }
    }

    /// Creates a checkout session.
    async fn open_checkout(
        &self,
        api: &TestApi,
        made: &mut Triggered,
    ) -> Result<OpenedCheckout, ApiFault> {
        let body =
            json!({ "amount": self.amount(), "currency": "GHS", "email": "ama@example.com" });
        let opened: OpenedCheckout = api.post("/checkout", None, &body).await?;
        made.checkout_id = Some(opened.checkout_id.clone());
        made.status = "OPEN".to_owned();
        Ok(opened)
    }

    /// Begins a payment, and waits for its end. A session has its amount already.
    async fn pay(
        &self,
        api: &TestApi,
        path: &str,
        token: Option<&str>,
        ending: &str,
        made: &mut Triggered,
    ) -> Result<(), ApiFault> {
        let phone = phone(self.network, ending);
        let mut body = json!({ "phoneNumber": phone, "network": self.network.as_str() });
        if token.is_none() {
            body["amount"] = self.amount();
        }
        let payment: PaymentResponse = api.post(path, token, &body).await?;
        made.transaction_id = Some(payment.transaction_id.clone());
        let path = format!("/status/{}", payment.transaction_id);
        made.status = wait_for_end(api, &path, payment).await?;
        Ok(())
    }

    /// The amount as a number with two decimals at most.
    fn amount(&self) -> Value {
        serde_json::from_str(&self.amount.to_string()).unwrap_or_default()
    }
}

/// Refunds the charge that was made, and waits for the end.
async fn refund(api: &TestApi, made: &mut Triggered) -> Result<(), ApiFault> {
    let body = json!({ "transactionId": made.transaction_id });
    let RefundResponse { refund_id, payment } = api.post("/refunds", None, &body).await?;
    let path = format!("/refunds/{refund_id}");
    made.refund_id = Some(refund_id);
    made.status = wait_for_end(api, &path, payment).await?;
    Ok(())
}

/// Waits until a payment is final, and enters the voucher where one is asked for. Returns the
/// status.
async fn wait_for_end(
    api: &TestApi,
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
            let body = json!({ "transactionId": payment.transaction_id, "otp": VOUCHER });
            let _: Value = api.post("/submit-otp", None, &body).await?;
        } else if Instant::now() > end {
            return Err(ApiFault::Refused(format!(
                "{path} is still PENDING, and its next action is {action}; with a simulated \
                 phone, decide there"
            )));
        }
        // The service responds when something changes, and at once where too many requests wait.
        tokio::time::sleep(POLL_PAUSE).await;
        payment = api.poll(path).await?;
    }
    Ok(payment.status)
}

impl Triggered {
    fn line(&self) -> String {
        let ids = [&self.checkout_id, &self.transaction_id, &self.refund_id];
        let ids: Vec<&str> = ids.into_iter().flatten().map(String::as_str).collect();
        format!("{}: {} {}", self.r#type, ids.join(" "), self.status)
    }
}

fn print_events(common: &Common) -> Result<(), String> {
    let events: Vec<ListedEvent> = ALL
        .iter()
        .map(|(event, steps)| ListedEvent { r#type: event.as_str(), does: steps.about() })
        .collect();
    let line = |event: &ListedEvent| format!("{:<25} {}", event.r#type, event.does);
    output::print_list(common, &events, line, "no events")
}
