//! `tua payout batch check`: checks a file of payouts as the dashboard does, and begins nothing
//! (docs/reference/payouts.md#a-file-on-the-command-line).

use super::{
    batch_file::FileFlags,
    batch_report::{LineReport, Report, ShortageReport},
};
use crate::cli::{
    context::Common, fault::Fault, file_lines::FileLinesReport, output, payments::PaymentUseCases,
};
use clap::Args;
use futures_util::future::join_all;
use std::{path::PathBuf, process::ExitCode};
use tua_domain::{
    BatchId, Scope, Transfer,
    payout_batch::{AskedBy, NewBatch, total_pesewas},
    recipient_name::RecipientName,
};
use tua_tables::{
    export::columns::cedis,
    payout_file::{PayoutFile, line_counts},
};
use tua_use_cases::{BatchRequest, CheckedBatch};

#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    file: FileFlags,
    /// The settings file of the service, with the operators and their tariffs
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

/// A batch as the lines of a file ask for it, and what it would meet now.
pub(super) struct BatchCheck {
    pub(super) batch: NewBatch,
    pub(super) found: CheckedBatch,
}

impl Check {
    pub(super) async fn run(self, common: &Common) -> Result<ExitCode, Fault> {
        let file = self.file.read()?;
        let commands = PaymentUseCases::open(common, self.config.as_deref()).await?;
        let scope = self.file.scope();
        let is_suspended = commands.is_suspended(&scope).await?;
        read_floats(&commands, &scope).await;
        let checked = check(&commands, &file, &scope).await?;
        let found = checked.as_ref().map(|checked| &checked.found);
        let lines = file.checked(found);
        let mut faults = Vec::new();
        faults
            .extend(found.filter(|found| found.exceeds_daily_limit()).map(|_| DAY_LIMIT_EXCEEDED));
        faults.extend(is_suspended.then_some("this account is suspended"));
        let can_begin = faults.is_empty() && lines.iter().all(|line| line.faults.is_empty());
        let names = if can_begin { names(&commands, &scope, &file).await } else { Vec::new() };
        let report = Report {
            account_id: scope.account.as_str(),
            mode: scope.mode.as_str(),
            can_begin,
            count: lines.len(),
            file_lines: FileLinesReport::new(&line_counts(&file, &lines)),
            total: checked.as_ref().map(|checked| cedis(total_pesewas(&checked.batch.lines))),
            fees: found.and_then(CheckedBatch::fees_pesewas).map(cedis),
            needs_approval: found.map(|found| found.check.needs_approval),
            faults,
            float_shortages: found.map_or_else(Vec::new, |found| shortages(found, &commands)),
            lines: lines
                .iter()
                .enumerate()
                .map(|(index, line)| LineReport::new(line, names.get(index)))
                .collect(),
        };
        output::print(common, &report, &report.text())?;
        Ok(if can_begin { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn shortages<'a>(found: &'a CheckedBatch, commands: &PaymentUseCases) -> Vec<ShortageReport<'a>> {
    let now = commands.networks.clock.now();
    found.shortages.iter().map(|one| ShortageReport::new(one, now)).collect()
}

/// Why a batch is refused whose sum is too large.
pub(super) const DAY_LIMIT_EXCEEDED: &str = "the sum is more than the limit of a day leaves";

/// What a batch of the file would meet now; `None` if a line has a fault of its own.
pub(super) async fn check(
    commands: &PaymentUseCases,
    file: &PayoutFile,
    scope: &Scope,
) -> Result<Option<BatchCheck>, Fault> {
    let Some(lines) = file.payouts() else { return Ok(None) };
    let request = BatchRequest { lines, reference: None };
    let batch = request.into_batch(BatchId::mint(), scope.clone(), AskedBy::CommandLine);
    let batches = commands.batches();
    let found = batches.check(&batch).await?;
    Ok(Some(BatchCheck { batch, found }))
}

/// Asks the operators of the account for the float. This process has not read it before. That of an
/// operator that does not report it stays unknown, as in the service.
async fn read_floats(commands: &PaymentUseCases, scope: &Scope) {
    let entries = commands.networks.operators.of_account(scope.mode, &scope.account);
    join_all(entries.iter().map(|entry| entry.read_balances(commands.networks.clock.as_ref())))
        .await;
}

/// The registered name of each line's recipient.
async fn names(commands: &PaymentUseCases, scope: &Scope, file: &PayoutFile) -> Vec<RecipientName> {
    let lines = file.lines.iter().filter_map(|line| line.payout.as_ref());
    let transfers: Vec<&Transfer> = lines.map(|payout| &payout.transfer).collect();
    commands.networks.recipient_names(scope, &transfers).await
}
