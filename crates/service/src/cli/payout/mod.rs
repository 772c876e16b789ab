//! `tua payout`: begins payouts and batches of them, and decides about those that wait for an
//! approval (docs/reference/payouts.md).

mod batch;
mod batch_check;
mod batch_create;
mod batch_file;
mod batch_report;
mod create;

use super::{
    context::Common,
    decision::{self, AcceptedIds},
    output,
    transaction_row::TransactionRow,
    use_cases::UseCases,
};
use crate::cli::fault::Fault;
use batch::BatchRow;
use clap::Subcommand;
use jiff::Timestamp;
use serde::Serialize;
use std::process::ExitCode;
use tua_domain::{AccountId, BatchId, KeyId, Transaction, approval::approval_until};
use tua_use_cases::WaitingPayouts;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Check files of payouts, begin them as batches, and show batches
    #[command(subcommand)]
    Batch(BatchCommand),
    /// Begin a payout; the running service sends it
    Create(Box<create::Create>),
    /// List payouts, refunds and batches that wait for an approval, oldest first
    List {
        /// Only payouts of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
    },
    /// Approve a payout, a refund or a batch: an operator is chosen, and the service sends it
    Approve(decision::Approve),
    /// Refuse a payout, a refund or a batch: it ends, and no money moves
    Refuse(decision::Refuse),
    /// Cancel a payout, a refund or a batch: what is not handed over to its operator ends, and no
    /// money of it moves
    Cancel(decision::Cancel),
}

#[derive(Debug, Subcommand)]
pub(super) enum BatchCommand {
    /// Check each line of a file and the limits, and begin nothing; exit code 1 on faults
    Check(batch_check::Check),
    /// Begin the payouts of a file, all or none; the running service sends them
    Create(Box<batch_create::Create>),
    /// List batches of payouts, newest first
    List {
        /// Only batches of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
        /// The largest number of batches
        #[arg(long, default_value_t = 100)]
        limit: u32,
    },
    /// Show a batch with each of its payouts
    Show {
        /// The batch's id, as listed
        id: String,
    },
}

/// A payout that waits, or a batch of them.
#[derive(Serialize)]
#[serde(untagged)]
enum Waiting<'a> {
    Payout(WaitingPayoutRow<'a>),
    Batch(BatchRow<'a>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WaitingPayoutRow<'a> {
    #[serde(flatten)]
    row: TransactionRow<'a>,
    /// The key that asked for it.
    key_id: Option<&'a str>,
    /// When it ends without an approval.
    expires_at: String,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        match self {
            Self::Batch(command) => return command.run(&common).await,
            Self::Create(new) => new.run(&common).await,
            Self::List { account } => list(&common, account.map(AccountId::new).as_ref()).await,
            Self::Approve(approve) => approve.run(&common, AcceptedIds::Any).await,
            Self::Refuse(refuse) => refuse.run(&common, AcceptedIds::Any).await,
            Self::Cancel(cancel) => cancel.run(&common, AcceptedIds::Any).await,
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

impl BatchCommand {
    async fn run(self, common: &Common) -> Result<ExitCode, Fault> {
        match self {
            Self::Check(check) => return check.run(common).await,
            Self::Create(new) => new.run(common).await,
            Self::List { account, limit } => {
                batch::list(common, account.map(AccountId::new).as_ref(), limit).await
            }
            Self::Show { id } => batch::show(common, &BatchId::new(id)).await,
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

async fn list(common: &Common, account: Option<&AccountId>) -> Result<(), Fault> {
    let lists = UseCases::open(common).await?.payout_lists;
    let waiting = lists.waiting(account).await;
    let WaitingPayouts { payouts, batches } = waiting?;
    let mut listed: Vec<(Timestamp, Waiting<'_>)> = payouts
        .iter()
        .map(|payout| (approval_until(payout), Waiting::Payout(WaitingPayoutRow::new(payout))))
        .collect();
    listed.extend(batches.iter().filter_map(|batch| {
        Some((batch.approval_due?, Waiting::Batch(BatchRow::of_summary(batch))))
    }));
    listed.sort_by_key(|(until, _)| *until);
    let listed: Vec<Waiting<'_>> = listed.into_iter().map(|(_, one)| one).collect();
    let line = |one: &Waiting<'_>| match one {
        Waiting::Payout(payout) => format!("{}  ends {}", payout.row.line(), payout.expires_at),
        Waiting::Batch(batch) => batch.line(),
    };
    output::print_list(common, &listed, line, "No payout waits for an approval.")
}

impl<'a> WaitingPayoutRow<'a> {
    fn new(transaction: &'a Transaction) -> Self {
        Self {
            row: TransactionRow::new(transaction),
            key_id: transaction.order.key.as_ref().map(KeyId::as_str),
            expires_at: approval_until(transaction).to_string(),
        }
    }
}
