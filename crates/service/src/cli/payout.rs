//! `tua payout`: decides about payouts that wait for an approval (docs/reference/payouts.md#approval).

use super::{
    Common, account, key_ring, open_existing, open_existing_with_orders,
    operator::connect_with_sandbox,
    output,
    payout_batch::{self, BatchRow},
    transaction_row::TransactionRow,
};
use crate::{
    Config, actor,
    clock::SystemClock,
    config::RawSettings,
    database::Opened,
    domain::{
        AccountId, BatchId, KeyId, Transaction, TransactionId,
        approval::{DecideError, PayoutDecision, PersonName, approval_until},
        audit::{AuditContext, Source},
        ports::{Clock, Store},
        review::Note,
        routing::Operators,
        use_cases::decisions::Decisions,
    },
};
use clap::Subcommand;
use futures_util::future::join_all;
use jiff::Timestamp;
use serde::Serialize;
use std::path::{Path, PathBuf};
use tua_contract::State;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show batches of payouts
    #[command(subcommand)]
    Batch(payout_batch::Command),
    /// List payouts and batches that wait for an approval, oldest first
    List {
        /// Only payouts of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
    },
    /// Approve a payout or a batch: an operator is chosen, and the service sends it
    Approve {
        /// The transaction's or the batch's id, as listed
        id: String,
        /// The settings file of the service, with the operators
        #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
        config: Option<PathBuf>,
        /// Who approves it; stored permanently
        #[arg(long = "as", env = "TUA_AS", value_name = "NAME")]
        by: PersonName,
    },
    /// Refuse a payout or a batch: it ends, and no money moves
    Refuse {
        /// The transaction's or the batch's id, as listed
        id: String,
        /// Who refuses it; stored permanently
        #[arg(long = "as", env = "TUA_AS", value_name = "NAME")]
        by: PersonName,
        /// Why; stored permanently
        #[arg(long, env = "TUA_NOTE")]
        note: Note,
    },
    /// Cancel a payout, a refund or a batch: what is not handed over to its operator ends, and no money of it moves
    Cancel {
        /// The transaction's or the batch's id
        id: String,
    },
}

/// A payout that waits, or a batch of them.
#[derive(Serialize)]
#[serde(untagged)]
enum Waiting<'a> {
    Payout(Listed<'a>),
    Batch(BatchRow<'a>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DecidedBatchView<'a> {
    batch_id: &'a str,
    status: &'static str,
    /// How many of its payouts the decision changed.
    changed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    #[serde(flatten)]
    row: TransactionRow<'a>,
    /// The key that asked for it.
    key_id: Option<&'a str>,
    /// When it ends without an approval.
    expires_at: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DecidedView<'a> {
    transaction_id: &'a str,
    status: &'static str,
    next_action: &'static str,
    failure: Option<&'static str>,
    /// The name that an approval and a refusal are given with.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'a str>,
    decided_at: String,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        match self {
            Self::Batch(command) => command.run(common).await,
            Self::List { account } => {
                list(open_existing(&common).await?.as_ref(), &common, account.map(AccountId::new)).await
            }
            Self::Approve { id, config, by } => {
                let decisions = decisions(&common, config.as_deref()).await?;
                decide(&decisions, &common, id, PayoutDecision::Approve { by }).await
            }
            Self::Refuse { id, by, note } => {
                let decisions = decisions_without_operators(&common).await?;
                decide(&decisions, &common, id, PayoutDecision::Refuse { by, note }).await
            }
            Self::Cancel { id } => {
                let decisions = decisions_without_operators(&common).await?;
                decide(&decisions, &common, id, PayoutDecision::Cancel).await
            }
        }
    }
}

/// Decisions about payouts that the operators of the settings may send.
async fn decisions(common: &Common, config: Option<&Path>) -> Result<Decisions, String> {
    let config = Config::resolve(RawSettings::default(), common.database.clone(), config);
    let config = config.map_err(|faults| faults.join("; "))?;
    let Opened { store, orders } = open_existing_with_orders(config.database.clone()).await?;
    let keys = config.open_key_ring(store.as_ref()).await?;
    let operators = connect_with_sandbox(&config, orders, &keys)?;
    // Limits and availability of some are known only after that.
    join_all(operators.entries().iter().map(|entry| entry.operator.refresh())).await;
    Ok(Decisions { store, operators })
}

/// Decisions that send nothing.
async fn decisions_without_operators(common: &Common) -> Result<Decisions, String> {
    Ok(Decisions { store: open_existing(common).await?, operators: Operators::default() })
}

async fn list(store: &dyn Store, common: &Common, account: Option<AccountId>) -> Result<(), String> {
    account::exists(store, account.as_ref()).await?;
    let waiting = store.unapproved(account.as_ref()).await.map_err(|error| error.to_string())?;
    let batches = payout_batch::unapproved(store, account).await?;
    let single = waiting.iter().filter(|payout| payout.begun.batch.is_none());
    let mut listed: Vec<(Timestamp, Waiting<'_>)> =
        single.map(|payout| (approval_until(payout), Waiting::Payout(Listed::new(payout)))).collect();
    listed.extend(
        batches.iter().filter_map(|batch| Some((batch.approval_due?, Waiting::Batch(BatchRow::of_summary(batch))))),
    );
    listed.sort_by_key(|(until, _)| *until);
    let listed: Vec<Waiting<'_>> = listed.into_iter().map(|(_, one)| one).collect();
    let line = |one: &Waiting<'_>| match one {
        Waiting::Payout(payout) => format!("{}  ends {}", payout.row.line(), payout.expires_at),
        Waiting::Batch(batch) => batch.line(),
    };
    output::print_list(common, &listed, line, "No payout waits for an approval.")
}

async fn decide(decisions: &Decisions, common: &Common, id: String, decision: PayoutDecision) -> Result<(), String> {
    let now = SystemClock.now();
    let keys = key_ring(common, decisions.store.as_ref()).await?;
    let by = name_in(&decision).cloned();
    let person = actor::audit_context(Source::CommandLine, by.as_ref().map(PersonName::as_str), &keys, now);
    if id.starts_with(BatchId::PREFIX) {
        return decide_batch(decisions, common, &BatchId::new(id), decision, &person).await;
    }
    let id = TransactionId::new(id);
    let text = match decision {
        PayoutDecision::Approve { .. } => format!("{id} is approved. The service sends it."),
        PayoutDecision::Refuse { .. } => format!("{id} is refused. No money moved."),
        PayoutDecision::Cancel => format!("{id} is cancelled. It was not sent, and no money moved."),
    };
    let decided = decisions.about_payout(&id, decision, Some(&person), now).await;
    let transaction = decided.map_err(|error| format!("payout {id}: {}", explained(&error)))?.transaction;
    output::print(common, &DecidedView::new(&transaction, by.as_ref()), &text)
}

/// Who approves or refuses. A cancellation names nobody: the audit log has who ran the command.
const fn name_in(decision: &PayoutDecision) -> Option<&PersonName> {
    match decision {
        PayoutDecision::Approve { by } | PayoutDecision::Refuse { by, .. } => Some(by),
        PayoutDecision::Cancel => None,
    }
}

/// Why a decision is refused, and what to do where the settings may be the cause.
fn explained(error: &DecideError) -> String {
    match error {
        DecideError::Unroutable(_) | DecideError::LineUnroutable { .. } => {
            format!("{error}. --config names the settings file of the service, with its operators and routes")
        }
        error => error.to_string(),
    }
}

async fn decide_batch(
    decisions: &Decisions,
    common: &Common,
    id: &BatchId,
    decision: PayoutDecision,
    person: &AuditContext,
) -> Result<(), String> {
    let decided = decisions.about_batch(id, decision.clone(), Some(person), person.at).await;
    let decided = decided.map_err(|error| match error {
        DecideError::Unknown => format!("batch {id}: there is no such batch"),
        error => format!("batch {id}: {}", explained(&error)),
    })?;
    let changed = decided.changed.len();
    let status = if decided.batch.is_completed() { "COMPLETED" } else { "PENDING" };
    let decided_by = name_in(&decision).map(PersonName::as_str);
    let view = DecidedBatchView { batch_id: id.as_str(), status, changed, decided_by };
    let text = match decision {
        PayoutDecision::Approve { .. } => format!("{id} is approved. The service sends its {changed} payouts."),
        PayoutDecision::Refuse { .. } => {
            format!("{id} is refused: {changed} payouts have ended. No money of them moved.")
        }
        PayoutDecision::Cancel => format!(
            "{id} is cancelled: {changed} payouts have ended. No money of them moved. Payouts that were handed over go on."
        ),
    };
    output::print(common, &view, &text)
}

impl<'a> Listed<'a> {
    fn new(transaction: &'a Transaction) -> Self {
        Self {
            row: TransactionRow::new(transaction),
            key_id: transaction.begun.key.as_ref().map(KeyId::as_str),
            expires_at: approval_until(transaction).to_string(),
        }
    }
}

impl<'a> DecidedView<'a> {
    fn new(transaction: &'a Transaction, by: Option<&'a PersonName>) -> Self {
        Self {
            transaction_id: transaction.begun.id.as_str(),
            status: transaction.state.status().as_str(),
            next_action: transaction.state.next_action(),
            failure: match transaction.state {
                State::Failed(code) => Some(code.as_str()),
                State::Pending(_) | State::Successful => None,
            },
            decided_by: by.map(PersonName::as_str),
            decided_at: transaction.updated_at.to_string(),
        }
    }
}
