//! `tua trigger`: makes an event happen in the sandbox
//! (docs/reference/command-line.md#develop-a-shop).

use super::{
    clock_event::ClockEvent,
    listen::parse_type,
    scenario::{ALL, IS_REVERSED, REFUND_STAYS_PENDING, STAYS_PENDING, Scheduled, Steps, steps_of},
    test_api::{ApiFault, ApiFlag, TestApi},
    test_payments::{OpenedCheckout, PaymentResponse, RefundResponse, TestPayments},
};
use crate::cli::{
    arguments::{one_of, parse_amount},
    context::Common,
    fault::Fault,
    output,
};
use clap::Args;
use serde::Serialize;
use tua_contract::{Amount, Network};
use tua_domain::webhook::EventType;

#[derive(Args, Debug)]
pub(crate) struct Trigger {
    /// The type of the event, such as charge.successful
    #[arg(value_name = "TYPE", value_parser = parse_type, required_unless_present = "list")]
    event: Option<EventType>,
    /// List the events that can be made
    #[arg(long)]
    list: bool,
    /// MTN, TELECEL or AIRTELTIGO [default: MTN, or TELECEL for refund.failed and refund.delayed]
    #[arg(
        long,
        value_parser = |text: &str| one_of(text, &Network::ALL, |one| one.as_str())
    )]
    network: Option<Network>,
    /// The amount in cedis
    #[arg(long, default_value = "10", value_parser = parse_amount)]
    amount: Amount,
    #[command(flatten)]
    api: ApiFlag,
}

/// An event in the list.
#[derive(Serialize)]
struct ListedEvent {
    r#type: &'static str,
    does: &'static str,
}

/// What was begun, and how it ended.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Triggered {
    r#type: &'static str,
    checkout_id: Option<String>,
    transaction_id: Option<String>,
    refund_id: Option<String>,
    /// The status of the last of them.
    status: String,
    /// By how many seconds the sandbox clock of the account was advanced; null if it was not.
    advanced_seconds: Option<i64>,
}

impl Trigger {
    pub(crate) async fn run(self, common: Common) -> Result<(), Fault> {
        let Some(event) = self.event.filter(|_| !self.list) else { return print_events(&common) };
        let steps = steps_of(event)?;
        let api = TestApi::from_environment(&self.api.api_url)?;
        let network = self.network.unwrap_or(steps.default_network());
        let payments = TestPayments { api: &api, network, amount: self.amount };
        let mut made = Triggered::new(event);
        made.execute(&payments, event, steps).await?;
        output::print(&common, &made, &made.text())
    }
}

impl Triggered {
    const fn new(event: EventType) -> Self {
        Self {
            r#type: event.as_str(),
            checkout_id: None,
            transaction_id: None,
            refund_id: None,
            status: String::new(),
            advanced_seconds: None,
        }
    }

    async fn execute(
        &mut self,
        payments: &TestPayments<'_>,
        event: EventType,
        steps: Steps,
    ) -> Result<(), ApiFault> {
        match steps {
            Steps::Charge(ending) => self.pay(payments, "/charge", ending).await,
            Steps::Payout(ending) => self.pay(payments, "/payout", ending).await,
            Steps::Refund(ending) => {
                let refund = self.refund(payments, ending).await?;
                let path = format!("/refunds/{}", refund.refund_id);
                self.status = payments.wait_for_end(&path, refund.payment).await?;
                Ok(())
            }
            Steps::OpenCheckout => self.open_checkout(payments).await.map(drop),
            Steps::ChargeCheckout(ending) => {
                let opened = self.open_checkout(payments).await?;
                let charge = payments.charge_checkout(&opened.checkout_token, ending).await?;
                self.wait_for_end(payments, charge).await
            }
            Steps::CloseCheckout => {
                let opened = self.open_checkout(payments).await?;
                self.status = payments.close_checkout(&opened.checkout_id).await?;
                Ok(())
            }
            Steps::Advance(scheduled) => {
                let clock_event = ClockEvent::follow(payments.api, event).await?;
                let id = self.begin_scheduled(payments, scheduled).await?;
                let seconds = scheduled.seconds();
                self.status = clock_event.advance(seconds, &id).await?;
                self.advanced_seconds = Some(seconds);
                Ok(())
            }
        }
    }

    /// Begins what changes with time. Returns the id of what the event is about.
    async fn begin_scheduled(
        &mut self,
        payments: &TestPayments<'_>,
        scheduled: Scheduled,
    ) -> Result<String, ApiFault> {
        let path = match scheduled {
            Scheduled::CheckoutExpiry => {
                return self.open_checkout(payments).await.map(|opened| opened.checkout_id);
            }
            Scheduled::RefundDelay => {
                let refund = self.refund(payments, REFUND_STAYS_PENDING).await?;
                refund.payment.require_sent()?;
                return Ok(refund.refund_id);
            }
            Scheduled::PayoutReversal => {
                let payout = payments.begin("/payout", IS_REVERSED).await?;
                let id = payout.transaction_id.clone();
                self.wait_for_end(payments, payout).await?;
                return Ok(id);
            }
            Scheduled::ChargeDelay => "/charge",
            Scheduled::PayoutDelay => "/payout",
        };
        let payment = payments.begin(path, STAYS_PENDING).await?;
        self.transaction_id = Some(payment.transaction_id.clone());
        payment.require_sent()?;
        Ok(payment.transaction_id)
    }

    async fn open_checkout(
        &mut self,
        payments: &TestPayments<'_>,
    ) -> Result<OpenedCheckout, ApiFault> {
        let opened = payments.open_checkout().await?;
        self.checkout_id = Some(opened.checkout_id.clone());
        self.status = "OPEN".to_owned();
        Ok(opened)
    }

    /// Makes a charge or payout, and waits for its end.
    async fn pay(
        &mut self,
        payments: &TestPayments<'_>,
        path: &str,
        ending: &str,
    ) -> Result<(), ApiFault> {
        let payment = payments.begin(path, ending).await?;
        self.wait_for_end(payments, payment).await
    }

    async fn wait_for_end(
        &mut self,
        payments: &TestPayments<'_>,
        payment: PaymentResponse,
    ) -> Result<(), ApiFault> {
        self.transaction_id = Some(payment.transaction_id.clone());
        let path = format!("/status/{}", payment.transaction_id);
        self.status = payments.wait_for_end(&path, payment).await?;
        Ok(())
    }

    /// Makes a charge, and begins a refund of it.
    async fn refund(
        &mut self,
        payments: &TestPayments<'_>,
        ending: &str,
    ) -> Result<RefundResponse, ApiFault> {
        let charge = payments.begin("/charge", ending).await?;
        let id = charge.transaction_id.clone();
        self.wait_for_end(payments, charge).await?;
        let refund = payments.refund(&id).await?;
        self.refund_id = Some(refund.refund_id.clone());
        Ok(refund)
    }

    fn text(&self) -> String {
        let ids = [&self.checkout_id, &self.transaction_id, &self.refund_id];
        let ids: Vec<&str> = ids.into_iter().flatten().map(String::as_str).collect();
        let made = format!("{}: {} {}", self.r#type, ids.join(" "), self.status);
        let Some(seconds) = self.advanced_seconds else { return made };
        format!(
            "{made}\nThe sandbox clock was advanced by {seconds} seconds: everything that is \
             scheduled in test mode of this account comes earlier by as much."
        )
    }
}

fn print_events(common: &Common) -> Result<(), Fault> {
    let events: Vec<ListedEvent> = ALL
        .iter()
        .map(|(event, steps)| ListedEvent { r#type: event.as_str(), does: steps.about() })
        .collect();
    let line = |event: &ListedEvent| format!("{:<25} {}", event.r#type, event.does);
    output::print_list(common, &events, line, "no events")
}
