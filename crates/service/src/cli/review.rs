//! `tua review`: settles transactions that no operator decided (docs/reference/lifecycle.md).

use super::{Common, audit_context, open_existing, output};
use crate::domain::{
    AccountId, Transaction, TransactionId,
    ports::Store,
    review::{Flagged, Note, Verdict},
};
use clap::{Subcommand, ValueEnum};
use serde::Serialize;
use tua_contract::{FailureCode, State};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List transactions that wait for a decision, oldest first
    List {
        /// Only transactions of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
    },
    /// Settle a transaction as the operator's own records show it
    Settle {
        /// The transaction's id, as listed
        id: String,
        /// The outcome in the operator's records
        #[arg(long = "as", env = "TUA_AS", value_name = "successful|failed")]
        outcome: Outcome,
        /// Who found it out, and where; stored permanently
        #[arg(long, env = "TUA_NOTE")]
        note: Note,
        /// Why it failed, shown to the merchant in failure.code [default: unspecified]
        #[arg(long, env = "TUA_FAILURE", value_name = "CODE", value_parser = failure)]
        failure: Option<FailureCode>,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Outcome {
    Successful,
    Failed,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    transaction_id: &'a str,
    /// Our reference at the operator.
    operator_reference: String,
    account_id: &'a str,
    mode: &'static str,
    r#type: &'static str,
    amount: String,
    network: &'static str,
    phone_number: String,
    reference: &'a str,
    created_at: String,
    flagged_at: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Settled<'a> {
    transaction_id: &'a str,
    status: &'static str,
    failure: Option<&'static str>,
    note: &'a str,
    settled_at: String,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        let store = open_existing(&common).await?;
        let store = store.as_ref();
        match self {
            Self::List { account } => list(store, &common, account.map(AccountId::new)).await,
            Self::Settle { id, outcome, note, failure } => {
                settle(store, &common, &TransactionId::new(id), verdict(outcome, failure)?, note).await
            }
        }
    }
}

async fn list(store: &dyn Store, common: &Common, account: Option<AccountId>) -> Result<(), String> {
    super::account::exists(store, account.as_ref()).await?;
    let flagged = store.flagged(account.as_ref()).await.map_err(|error| error.to_string())?;
    let listed: Vec<Listed<'_>> = flagged.iter().map(Listed::new).collect();
    let lines = listed.iter().map(|one| {
        format!(
            "{}  {} {} GHS {}  {} {}  begun {}  at the operator {}",
            one.transaction_id,
            one.mode,
            one.r#type,
            one.amount,
            one.network,
            one.phone_number,
            one.created_at,
            one.operator_reference
        )
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    output::print(common, &listed, if text.is_empty() { "No transaction waits for a decision." } else { &text })
}

async fn settle(
    store: &dyn Store,
    common: &Common,
    id: &TransactionId,
    verdict: Verdict,
    note: Note,
) -> Result<(), String> {
    let by = audit_context(common, store).await?;
    let settled = store.review(id, verdict, note.clone(), &by).await;
    let transaction = settled.map_err(|error| format!("transaction {id}: {error}"))?;
    let settled = Settled::new(&transaction, &note);
    output::print(common, &settled, &format!("{id} is {}.", settled.status))
}

fn verdict(outcome: Outcome, failure: Option<FailureCode>) -> Result<Verdict, String> {
    match (outcome, failure) {
        (Outcome::Failed, code) => Ok(Verdict::Failed(code.unwrap_or(FailureCode::Unspecified))),
        (Outcome::Successful, None) => Ok(Verdict::Successful),
        (Outcome::Successful, Some(_)) => Err("failure: only allowed with --as failed".to_owned()),
    }
}

fn failure(text: &str) -> Result<FailureCode, String> {
    FailureCode::parse(text).ok_or_else(|| {
        let codes = FailureCode::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>();
        format!("it must be one of {}", codes.join(", "))
    })
}

impl<'a> Listed<'a> {
    fn new(flagged: &'a Flagged) -> Self {
        let begun = &flagged.transaction.begun;
        Self {
            transaction_id: begun.id.as_str(),
            operator_reference: begun.id.operator_reference(),
            account_id: begun.scope.account.as_str(),
            mode: begun.scope.mode.as_str(),
            r#type: begun.transfer.kind.as_str(),
            amount: begun.transfer.amount.to_string(),
            network: begun.transfer.network.as_str(),
            phone_number: begun.transfer.phone.masked(),
            reference: &begun.reference,
            created_at: flagged.transaction.created_at.to_string(),
            flagged_at: flagged.at.to_string(),
        }
    }
}

impl<'a> Settled<'a> {
    fn new(transaction: &'a Transaction, note: &'a Note) -> Self {
        Self {
            transaction_id: transaction.begun.id.as_str(),
            status: transaction.state.status().as_str(),
            failure: match transaction.state {
                State::Failed(code) => Some(code.as_str()),
                State::Pending(_) | State::Successful => None,
            },
            note: note.as_str(),
            settled_at: transaction.updated_at.to_string(),
        }
    }
}
