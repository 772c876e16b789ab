//! `tua refund create`: returns money of a charge
//! (docs/reference/refunds.md#refund-on-the-command-line).

use super::row::RefundRow;
use crate::cli::{
    arguments::{parse_amount, parse_note},
    context::Common,
    fault::Fault,
    output,
    payments::{PaymentUseCases, RequestFlags, begun_text, explained},
    use_cases::UseCases,
};
use clap::Args;
use serde::Serialize;
use tua_contract::Amount;
use tua_domain::{TransactionId, ports::BeginError, refund::RefundMethod};
use tua_use_cases::{RefundRequest, Requester};

#[derive(Args, Debug)]
pub(crate) struct Create {
    /// The id of the charge
    #[arg(value_name = "TRANSACTION")]
    charge: String,
    /// How much to return, in cedis; if absent, all that is left
    #[arg(long, value_name = "GHS", value_parser = parse_amount)]
    amount: Option<Amount>,
    /// Why; a private note
    #[arg(long, value_name = "TEXT", value_parser = parse_note)]
    reason: Option<String>,
    /// payout: to the wallet that paid, after a refund by the operator failed
    #[arg(long, value_name = "payout", value_parser = parse_method)]
    method: Option<RefundMethod>,
    #[command(flatten)]
    request: RequestFlags,
}

/// A refund that was begun.
#[derive(Serialize)]
struct CreatedRefund<'a> {
    #[serde(flatten)]
    row: RefundRow<'a>,
    /// Whether an earlier command with this key began it.
    replayed: bool,
}

fn parse_method(text: &str) -> Result<RefundMethod, String> {
    if text.eq_ignore_ascii_case(RefundMethod::Payout.as_str()) {
        Ok(RefundMethod::Payout)
    } else {
        Err("it must be payout; without it the operator refunds where it can".to_owned())
    }
}

impl Create {
    pub(super) async fn run(self, common: &Common) -> Result<(), Fault> {
        let Self { charge, amount, reason, method, request } = self;
        let commands = PaymentUseCases::open(common, request.config.as_deref()).await?;
        let id = TransactionId::new(charge);
        let refused = |error: &BeginError| format!("refund of {id}: {}", explained(error));
        let charge = UseCases::new(commands.store.clone()).transaction_records.find(&id).await;
        let charge = charge?;
        let scope = charge
            .ok_or_else(|| Fault::not_found(refused(&BeginError::ChargeNotFound)))?
            .order
            .scope
            .clone();
        let requester = Requester::CommandLine(commands.requester(scope, request.name.as_deref()));
        let refund =
            RefundRequest { charge: id.clone(), amount, reason, is_by_payout: method.is_some() };
        let refunds = commands.refunds();
        let begun = refunds
            .begin(requester, refund, request.idempotency_key)
            .await
            .map_err(|error| refused(&error))?;
        let row = RefundRow::new(&begun.value);
        let text = format!("{}\n{}", row.line(), begun_text(row.next_action, begun.is_replay));
        output::print(common, &CreatedRefund { row, replayed: begun.is_replay }, &text)
    }
}
