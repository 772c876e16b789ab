//! `tua transaction`: `show` and `find` print what happened to a transaction, and every exchange
//! with its operator.

use super::{
    context::Common, fault::Fault, find_charge::FindCharge, output, report_filter::Selection,
    transaction_list, use_cases::UseCases,
};
use clap::Subcommand;
use jiff::Timestamp;
use serde::Serialize;
use tua_contract::State;
use tua_domain::{Event, TransactionId, exchange::Exchange, payout_controls::Ceiling};
use tua_tables::export::columns::cedis;
use tua_use_cases::TransactionRecord;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show a transaction, its timeline, and the exchanges with its operator of the last 90 days
    Show {
        /// The transaction's id, as listed
        id: String,
    },
    /// Find the charge that has this id at its operator, as in the payer's SMS, and show it. Asks
    /// the operators of the settings that can look it up, if the database does not have the id
    Find(FindCharge),
    /// List transactions of all accounts and both modes, or of one, newest first
    List {
        #[command(flatten)]
        selection: Selection,
        /// The largest number of transactions
        #[arg(
            long,
            default_value_t = 50,
            value_parser = clap::value_parser!(u32).range(1..=10_000)
        )]
        limit: u32,
    },
    /// Compute the totals of all days again, from the transactions
    Recount,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TransactionView {
    transaction_id: String,
    status: &'static str,
    r#type: &'static str,
    amount: String,
    payer_pays: String,
    expected_fee: Option<String>,
    operator_fee: Option<String>,
    network: &'static str,
    phone_number: String,
    reference: String,
    operator: Option<String>,
    operator_reference: String,
    operator_transaction_id: Option<String>,
    timeline: Vec<EventRow>,
    exchanges: Vec<ExchangeView>,
}

/// An event of the transaction.
#[derive(Serialize)]
struct EventRow {
    at: String,
    event: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExchangeView {
    at: String,
    operator: String,
    method: String,
    path: String,
    http_status: Option<u16>,
    duration_ms: u32,
    request: Option<String>,
    response: Option<String>,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        let id = match self {
            Self::Show { id } => TransactionId::new(id),
            Self::Find(wanted) => wanted.find(&common).await?,
            Self::List { selection, limit } => {
                return transaction_list::list(&common, selection, limit).await;
            }
            Self::Recount => return transaction_list::recount(&common).await,
        };
        let records = UseCases::open(&common).await?.transaction_records;
        let found = records.record(&id).await?;
        let found =
            found.ok_or_else(|| Fault::not_found(format!("transaction {id}: there is none")))?;
        let shown = TransactionView::new(found);
        output::print(&common, &shown, &shown.text())
    }
}

impl TransactionView {
    fn new(TransactionRecord { transaction, events, exchanges }: TransactionRecord) -> Self {
        let order = &transaction.order;
        let event_row = |(at, event): (Timestamp, Event)| EventRow {
            at: output::time(at),
            event: describe(&event),
        };
        Self {
            transaction_id: order.id.as_str().to_owned(),
            status: transaction.state.status().as_str(),
            r#type: order.transaction_type().as_str(),
            amount: order.transfer.amount.to_string(),
            payer_pays: order.price.payer_pays.to_string(),
            expected_fee: order.price.fee_pesewas.map(cedis),
            operator_fee: transaction.details.fee_pesewas.map(cedis),
            network: order.transfer.network.as_str(),
            phone_number: order.transfer.phone.masked(),
            reference: order.reference.clone(),
            operator: transaction.operator.as_ref().map(|pin| pin.name.to_string()),
            operator_reference: order.id.operator_reference(),
            operator_transaction_id: transaction.details.transaction_id.clone(),
            timeline: events.into_iter().map(event_row).collect(),
            exchanges: exchanges.into_iter().map(ExchangeView::from).collect(),
        }
    }

    fn text(&self) -> String {
        let operator = self.operator.as_deref().unwrap_or("the sandbox, or none yet");
        let mut lines = vec![format!(
            "{}  {} {}  GHS {}  {} {}  reference {}",
            self.transaction_id,
            self.r#type,
            self.status,
            self.amount,
            self.network,
            self.phone_number,
            self.reference
        )];
        let id = self.operator_transaction_id.as_deref().unwrap_or("not known yet");
        lines.push(format!(
            "operator: {operator}, our reference there {}, its id {id}",
            self.operator_reference
        ));
        if self.payer_pays != self.amount {
            lines.push(format!("the payer pays GHS {}", self.payer_pays));
        }
        let fee = |fee: &Option<String>| {
            fee.as_ref().map_or_else(|| "not known".to_owned(), |fee| format!("GHS {fee}"))
        };
        lines.push(format!(
            "fee: {} by the tariff, {} by the operator",
            fee(&self.expected_fee),
            fee(&self.operator_fee)
        ));
        lines.push("timeline:".to_owned());
        lines.extend(
            self.timeline
                .iter()
                .map(|event_row| format!("  {}  {}", event_row.at, event_row.event)),
        );
        lines.push("exchanges:".to_owned());
        for exchange in &self.exchanges {
            let status =
                exchange.http_status.map_or_else(|| "-".to_owned(), |status| status.to_string());
            let ExchangeView { at, operator, method, path, duration_ms, .. } = exchange;
            lines.push(format!("  {at}  {operator}  {method} {path}  {status}  {duration_ms} ms"));
            lines.extend(exchange.request.iter().map(|body| format!("      > {body}")));
            lines.extend(exchange.response.iter().map(|body| format!("      < {body}")));
        }
        lines.join("\n")
    }
}

fn describe(event: &Event) -> String {
    match event {
        Event::Begun { operator, .. } => match operator {
            Some(pin) => format!("accepted, operator {}", pin.name),
            None => "accepted".to_owned(),
        },
        Event::HandedOver => "handed over to the operator".to_owned(),
        Event::HandOverWithdrawn => "not sent: no byte was written".to_owned(),
        Event::Moved(State::Pending(step), _) => format!("PENDING, {}", step.as_str()),
        Event::Moved(State::Successful, _) => "SUCCESSFUL".to_owned(),
        Event::Moved(State::Failed(code), _) => format!("FAILED, {}", code.as_str()),
        Event::Mismatched(mismatch, _) => match mismatch.received {
            Some(sum) => {
                format!("the operator reports a success for GHS {sum}: flagged for review")
            }
            None => {
                "the operator reports a success for something else: flagged for review".to_owned()
            }
        },
        Event::SumSettled(sum) => format!("a review settled that GHS {sum} moved"),
        Event::CodeAttempted => "a code was submitted".to_owned(),
        Event::Contradicted(status, ..) => {
            format!("the operator now reports {}: a conflict", status.as_str())
        }
        Event::Disputed => "the payer disputes the charge at the operator".to_owned(),
        Event::CaseDecided(status) => format!("a review found {}", status.as_str()),
        Event::Reviewed { note, .. } => format!("reviewed: {note}"),
        Event::Approved { by, route, .. } => match &route.operator {
            Some(pin) => format!("approved by {by}, operator {}", pin.name),
            None => format!("approved by {by}"),
        },
        Event::FoundAtOperator { approved } => {
            match approved.as_ref().and_then(|route| route.operator.as_ref()) {
                Some(pin) => format!("found at operator {}: it had been sent", pin.name),
                None => "found at the operator: it had been sent".to_owned(),
            }
        }
        Event::ApprovalRefused { by, note } => format!("approval refused by {by}: {note}"),
        Event::Reversed(_) => "the operator returned the money".to_owned(),
        Event::RefundsChanged(sums) => {
            let cedis = |pesewas: i64| Ceiling::from_pesewas(pesewas).unwrap_or_default();
            format!(
                "refunds: GHS {} returned, GHS {} counted",
                cedis(sums.returned),
                cedis(sums.counted)
            )
        }
    }
}

impl From<Exchange> for ExchangeView {
    fn from(exchange: Exchange) -> Self {
        Self {
            at: output::time(exchange.at),
            operator: exchange.operator,
            method: exchange.method,
            path: exchange.path,
            http_status: exchange.status,
            duration_ms: exchange.duration_ms,
            request: exchange.request,
            response: exchange.response,
        }
    }
}
