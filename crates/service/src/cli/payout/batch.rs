//! `tua payout batch list` and `show` (docs/reference/payouts.md#batches).

use crate::cli::{
    context::Common, fault::Fault, output, transaction_row::TransactionRow, use_cases::UseCases,
};
use serde::Serialize;
use tua_contract::State;
use tua_domain::{
    AccountId, BatchId, Transaction,
    audit::Source,
    payout_batch::{AskedBy, BatchSummary, PayoutBatch},
};
use tua_tables::export::columns::cedis;

/// A batch without its payouts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BatchRow<'a> {
    batch_id: &'a str,
    account_id: &'a str,
    mode: &'static str,
    reference: &'a str,
    status: &'static str,
    count: usize,
    pending: usize,
    total: String,
    /// The key that asked for it, or the person; `command-line` for a person there.
    asked_by: &'a str,
    created_at: String,
    /// When the payouts that wait for an approval end without one.
    expires_at: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LineRow<'a> {
    #[serde(flatten)]
    row: TransactionRow<'a>,
    status: &'static str,
    next_action: &'static str,
    failure: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BatchView<'a> {
    #[serde(flatten)]
    batch: BatchRow<'a>,
    payouts: Vec<LineRow<'a>>,
}

pub(super) async fn list(
    common: &Common,
    account: Option<&AccountId>,
    limit: u32,
) -> Result<(), Fault> {
    let lists = UseCases::open(common).await?.payout_lists;
    let batches = lists.newest_batches(account, limit).await?;
    let rows: Vec<BatchRow<'_>> = batches.iter().map(BatchRow::of_summary).collect();
    output::print_list(common, &rows, BatchRow::line, "There is no batch of payouts.")
}

pub(super) async fn show(common: &Common, id: &BatchId) -> Result<(), Fault> {
    let lists = UseCases::open(common).await?.payout_lists;
    let found = lists.find_batch(id).await?;
    let batch =
        found.ok_or_else(|| Fault::not_found(format!("batch {id}: there is no such batch")))?;
    let shown = BatchView {
        batch: BatchRow::of_batch(&batch),
        payouts: batch.lines.iter().map(LineRow::new).collect(),
    };
    let lines: Vec<String> = shown.payouts.iter().map(LineRow::line).collect();
    output::print(common, &shown, &format!("{}\n{}", shown.batch.line(), lines.join("\n")))
}

fn asked_by(asked_by: &AskedBy) -> &str {
    match asked_by {
        AskedBy::Key(key) => key.as_str(),
        AskedBy::Person(user) => user.as_str(),
        AskedBy::CommandLine => Source::CommandLine.as_str(),
    }
}

impl<'a> BatchRow<'a> {
    pub(super) fn of_summary(batch: &'a BatchSummary) -> Self {
        Self {
            batch_id: batch.id.as_str(),
            account_id: batch.scope.account.as_str(),
            mode: batch.scope.mode.as_str(),
            reference: &batch.reference,
            status: batch.status(),
            count: batch.count as usize,
            pending: batch.pending as usize,
            total: cedis(batch.total_pesewas),
            asked_by: asked_by(&batch.asked_by),
            created_at: output::time(batch.created_at),
            expires_at: batch.approval_due.map(output::time),
        }
    }

    pub(super) fn of_batch(batch: &'a PayoutBatch) -> Self {
        Self {
            batch_id: batch.id.as_str(),
            account_id: batch.scope.account.as_str(),
            mode: batch.scope.mode.as_str(),
            reference: &batch.reference,
            status: batch.status(),
            count: batch.lines.len(),
            pending: batch.lines.iter().filter(|line| !line.state.is_final()).count(),
            total: cedis(batch.total_pesewas()),
            asked_by: asked_by(&batch.asked_by),
            created_at: output::time(batch.created_at),
            expires_at: batch.approval_due().map(output::time),
        }
    }

    pub(super) fn line(&self) -> String {
        let waits =
            self.expires_at.as_ref().map(|at| format!("  waits for an approval, ends {at}"));
        format!(
            "{}  {} {} of {} payouts pending, GHS {}  {}  asked by {}  begun {}{}",
            self.batch_id,
            self.mode,
            self.pending,
            self.count,
            self.total,
            self.reference,
            self.asked_by,
            self.created_at,
            waits.unwrap_or_default()
        )
    }
}

impl<'a> LineRow<'a> {
    fn new(line: &'a Transaction) -> Self {
        Self {
            row: TransactionRow::new(line),
            status: line.state.status().as_str(),
            next_action: line.state.next_action(),
            failure: match line.state {
                State::Failed(code) => Some(code.as_str()),
                State::Pending(_) | State::Successful => None,
            },
        }
    }

    fn line(&self) -> String {
        format!(
            "  {} {}  {}",
            self.status,
            self.failure.unwrap_or(self.next_action),
            self.row.line()
        )
    }
}
