//! `tua payout`: decides about payouts that wait for an approval (docs/reference/payouts.md#approval).

use super::{Common, account, key_ring, open_existing, output, transaction_row::TransactionRow};
use crate::{
    actor,
    clock::SystemClock,
    domain::{
        AccountId, KeyId, Transaction, TransactionId,
        approval::{PayoutDecision, PersonName, approval_until},
        audit::Source,
        ports::{Clock, Store},
        review::Note,
    },
};
use clap::Subcommand;
use serde::Serialize;
use tua_contract::State;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List payouts that wait for an approval, oldest first
    List {
        /// Only payouts of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
    },
    /// Approve a payout: the service sends it
    Approve {
        /// The transaction's id, as listed
        id: String,
        /// Who approves it; stored permanently
        #[arg(long = "as", env = "TUA_AS", value_name = "NAME")]
        by: PersonName,
    },
    /// Refuse a payout: it ends, and no money moves
    Refuse {
        /// The transaction's id, as listed
        id: String,
        /// Who refuses it; stored permanently
        #[arg(long = "as", env = "TUA_AS", value_name = "NAME")]
        by: PersonName,
        /// Why; stored permanently
        #[arg(long, env = "TUA_NOTE")]
        note: Note,
    },
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
    decided_by: &'a str,
    decided_at: String,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        let store = open_existing(&common).await?;
        let store = store.as_ref();
        match self {
            Self::List { account } => list(store, &common, account.map(AccountId::new)).await,
            Self::Approve { id, by } => {
                decide(store, &common, id, PayoutDecision::Approve { by: by.clone() }, &by).await
            }
            Self::Refuse { id, by, note } => {
                decide(store, &common, id, PayoutDecision::Refuse { by: by.clone(), note }, &by).await
            }
        }
    }
}

async fn list(store: &dyn Store, common: &Common, account: Option<AccountId>) -> Result<(), String> {
    account::exists(store, account.as_ref()).await?;
    let waiting = store.unapproved(account.as_ref()).await.map_err(|error| error.to_string())?;
    let listed: Vec<Listed<'_>> = waiting.iter().map(Listed::new).collect();
    let line = |one: &Listed<'_>| format!("{}  ends {}", one.row.line(), one.expires_at);
    output::print_list(common, &listed, line, "No payout waits for an approval.")
}

async fn decide(
    store: &dyn Store,
    common: &Common,
    id: String,
    decision: PayoutDecision,
    by: &PersonName,
) -> Result<(), String> {
    let id = TransactionId::new(id);
    let now = SystemClock.now();
    let keys = key_ring(common, store).await?;
    let person = actor::audit_context(Source::CommandLine, Some(by.as_str()), &keys, now);
    let decided = store.decide_payout(&id, decision, Some(&person), now).await;
    let transaction = decided.map_err(|error| format!("payout {id}: {error}"))?.transaction;
    let view = DecidedView::new(&transaction, by);
    let text = match transaction.state {
        State::Failed(_) => format!("{id} is refused. No money moved."),
        State::Pending(_) | State::Successful => format!("{id} is approved. The service sends it."),
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
    fn new(transaction: &'a Transaction, by: &'a PersonName) -> Self {
        Self {
            transaction_id: transaction.begun.id.as_str(),
            status: transaction.state.status().as_str(),
            next_action: transaction.state.next_action(),
            failure: match transaction.state {
                State::Failed(code) => Some(code.as_str()),
                State::Pending(_) | State::Successful => None,
            },
            decided_by: by.as_str(),
            decided_at: transaction.updated_at.to_string(),
        }
    }
}
