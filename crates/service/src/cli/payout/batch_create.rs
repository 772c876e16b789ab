//! `tua payout batch create`: begins the payouts of a file, all or none
//! (docs/reference/payouts.md#a-file-on-the-command-line).

use super::{
    batch::BatchRow,
    batch_check::{DAY_LIMIT_EXCEEDED, check},
    batch_file::{FileFlags, line_faults},
};
use crate::cli::{
    arguments::{parse_reference, require_account},
    context::Common,
    fault::Fault,
    output,
    payments::{PaymentUseCases, RequestFlags, begun_text, explained},
};
use clap::Args;
use serde::Serialize;
use tua_domain::{Scope, instruction::Instruction, payout_batch::PayoutBatch, ports::BeginError};
use tua_tables::{export::columns::cedis, payout_file::PayoutFile};
use tua_use_cases::BatchRequest;

#[derive(Args, Debug)]
pub(crate) struct Create {
    #[command(flatten)]
    file: FileFlags,
    /// Your own name for the batch, such as a month; a short one is made if absent
    #[arg(long, value_parser = parse_reference)]
    reference: Option<String>,
    /// Begin the payouts; without it the command says what it would begin, and begins nothing
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    request: RequestFlags,
}

/// A batch that was begun.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreatedBatch<'a> {
    #[serde(flatten)]
    batch: BatchRow<'a>,
    next_action: &'static str,
    warnings: Vec<RepeatWarning<'a>>,
    /// Whether an earlier command with this key began it.
    replayed: bool,
}

/// A line with the same amount to the same wallet as an earlier payout.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RepeatWarning<'a> {
    /// The number of the line in the file, from 1.
    line: u64,
    transaction_id: &'a str,
}

impl Create {
    pub(super) async fn run(self, common: &Common) -> Result<(), Fault> {
        let file = self.file.read()?;
        // A file with faults is refused before the database is opened.
        let lines = file.payouts();
        let lines = lines.ok_or_else(|| {
            self.file.fault(&line_faults(&file.checked(None)).unwrap_or_default())
        })?;
        let commands = PaymentUseCases::open(common, self.request.config.as_deref()).await?;
        let scope = self.file.scope();
        require_account(&commands.accounts, &scope.account).await?;
        if !self.yes {
            let why =
                why_not_now(&commands, &file, &scope).await?.unwrap_or_else(|| unconfirmed(&lines));
            return Err(self.file.fault(&why).into());
        }
        let request = BatchRequest { lines, reference: self.reference };
        let requester = commands.requester(scope.clone(), self.request.name.as_deref());
        let batches = commands.batches();
        match batches.begin_on_command_line(requester, request, self.request.idempotency_key).await
        {
            Ok(completed) => print(common, &file, &completed.value, completed.is_replay),
            // The check names the lines.
            Err(error @ (BeginError::LinesExceeded(_) | BeginError::LinesUnroutable(_))) => {
                let why = why_not_now(&commands, &file, &scope)
                    .await?
                    .unwrap_or_else(|| explained(&error));
                Err(self.file.fault(&why).into())
            }
            Err(error) => Err(self.file.fault(&explained(&error)).into()),
        }
    }
}

/// Why the payouts of a file could not be begun now; `None` if they could.
async fn why_not_now(
    commands: &PaymentUseCases,
    file: &PayoutFile,
    scope: &Scope,
) -> Result<Option<String>, Fault> {
    let checked = check(commands, file, scope).await?;
    let batch_check = checked.as_ref().map(|checked| &checked.found);
    let day_limit = batch_check
        .filter(|found| found.exceeds_daily_limit())
        .map(|_| format!("{DAY_LIMIT_EXCEEDED}. Nothing was begun"));
    Ok(line_faults(&file.checked(batch_check)).or(day_limit))
}

fn unconfirmed(payouts: &[Instruction]) -> String {
    let total: i64 = payouts.iter().map(|payout| payout.transfer.amount.pesewas()).sum();
    let count = payouts.len();
    let total = cedis(total);
    format!(
        "--yes begins its {count} payouts of GHS {total} in all. Nothing was begun; `tua payout \
         batch check` shows each line"
    )
}

fn print(
    common: &Common,
    file: &PayoutFile,
    batch: &PayoutBatch,
    is_replay: bool,
) -> Result<(), Fault> {
    let warnings: Vec<RepeatWarning<'_>> = batch
        .warnings
        .iter()
        .filter_map(|one| {
            Some(RepeatWarning {
                line: file.lines.get(one.line)?.number,
                transaction_id: one.earlier.as_str(),
            })
        })
        .collect();
    let next_action = batch.lines.first().map_or("NONE", |line| line.state.next_action());
    let mut text = vec![];
    let row = BatchRow::of_batch(batch);
    text.push(row.line());
    text.extend(
        warnings
            .iter()
            .map(|one| format!("warning: line {} repeats {}", one.line, one.transaction_id)),
    );
    text.push(begun_text(next_action, is_replay).to_owned());
    output::print(
        common,
        &CreatedBatch { batch: row, next_action, warnings, replayed: is_replay },
        &text.join("\n"),
    )
}
