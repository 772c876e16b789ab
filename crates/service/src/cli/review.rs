//! `tua review`: settles transactions that no operator decided (docs/reference/lifecycle.md).

use super::{
    context::Common, fault::Fault, output, transaction_row::TransactionRow, use_cases::UseCases,
};
use clap::{Subcommand, ValueEnum};
use serde::Serialize;
use tua_contract::{Amount, FailureCode, State, Status};
use tua_domain::{
    AccountId, Transaction, TransactionId,
    ports::ReviewError,
    review::{DecisionNote, FlaggedTransaction, ReviewVerdict},
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List transactions that wait for a decision, oldest first
    List {
        /// Only transactions of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
    },
    /// Settle a transaction as the operator's own records show it; decide a conflict or a dispute
    Settle {
        /// The transaction's id, as listed
        id: String,
        /// The outcome in the operator's records
        #[arg(long = "as", value_name = "successful|failed")]
        outcome: Outcome,
        /// Who found it out, and where; stored permanently
        #[arg(long)]
        note: DecisionNote,
        /// The sum that moved, in GHS, where the operator reported another one than the amount
        #[arg(long, value_name = "AMOUNT", value_parser = received)]
        received: Option<Amount>,
        /// Why it failed, shown to the merchant in failure.code [default: unspecified]
        #[arg(long, value_name = "CODE", value_parser = failure)]
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
struct FlaggedRow<'a> {
    #[serde(flatten)]
    row: TransactionRow<'a>,
    /// Why it waits: undecided, mismatch, conflict or dispute.
    case: &'static str,
    flagged_at: String,
    /// The operator's name in the settings; null in the sandbox.
    operator: Option<&'a str>,
    /// Present where the operator reported a success for something else than was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    reported_amount: Option<ReportedAmount>,
}

/// The sum of which an operator reported a success.
#[derive(Serialize)]
#[serde(untagged)]
enum ReportedAmount {
    /// The sum in cedis, such as `10.50`.
    Named(String),
    /// The operator reported no sum. It is null in JSON.
    Unnamed,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Settled<'a> {
    transaction_id: &'a str,
    status: &'static str,
    failure: Option<&'static str>,
    /// What was decided about a conflict or dispute of a final transaction, whose status stays as
    /// it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    note: &'a str,
    settled_at: String,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        let use_cases = UseCases::open(&common).await?;
        match self {
            Self::List { account } => {
                list(&use_cases, &common, account.map(AccountId::new).as_ref()).await
            }
            Self::Settle { id, outcome, note, received, failure } => {
                settle(
                    &use_cases,
                    &common,
                    &TransactionId::new(id),
                    verdict(outcome, received, failure)?,
                    note,
                )
                .await
            }
        }
    }
}

async fn list(
    use_cases: &UseCases,
    common: &Common,
    account: Option<&AccountId>,
) -> Result<(), Fault> {
    let flagged = use_cases.reviews.list(account).await?;
    let listed: Vec<FlaggedRow<'_>> = flagged.iter().map(FlaggedRow::new).collect();
    output::print_list(
        common,
        &listed,
        |one| format!("{}  {}", one.row.line(), one.case),
        "No transaction waits for a decision.",
    )
}

async fn settle(
    use_cases: &UseCases,
    common: &Common,
    id: &TransactionId,
    verdict: ReviewVerdict,
    note: DecisionNote,
) -> Result<(), Fault> {
    let by = use_cases.audit_context(common).await?;
    let settled = use_cases.reviews.decide(id, verdict, note.clone(), &by).await;
    let transaction = settled.map_err(|error| {
        let message = format!("transaction {id}: {error}");
        match error {
            ReviewError::NotFound => Fault::not_found(message),
            _ => message.into(),
        }
    })?;
    let settled = Settled::new(&transaction, &note);
    let text = match settled.decision {
        Some(decision) => {
            format!("{id}: decided as {decision}. Its status stays {}.", settled.status)
        }
        None => format!("{id} is {}.", settled.status),
    };
    output::print(common, &settled, &text)
}

fn verdict(
    outcome: Outcome,
    received: Option<Amount>,
    failure: Option<FailureCode>,
) -> Result<ReviewVerdict, String> {
    match (outcome, received, failure) {
        (Outcome::Failed, None, code) => {
            Ok(ReviewVerdict::Failed(code.unwrap_or(FailureCode::Unspecified)))
        }
        (Outcome::Failed, Some(sum), code) => {
            Ok(ReviewVerdict::FailedDespite(code.unwrap_or(FailureCode::Unspecified), sum))
        }
        (Outcome::Successful, None, None) => Ok(ReviewVerdict::Successful),
        (Outcome::Successful, Some(sum), None) => Ok(ReviewVerdict::SuccessfulFor(sum)),
        (Outcome::Successful, _, Some(_)) => {
            Err("failure: only allowed with --as failed".to_owned())
        }
    }
}

fn received(text: &str) -> Result<Amount, String> {
    Amount::parse_typed(text).map_err(|_| "it must be an amount in GHS such as 10.50".to_owned())
}

fn failure(text: &str) -> Result<FailureCode, String> {
    FailureCode::parse(text).ok_or_else(|| {
        let codes = FailureCode::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>();
        format!("it must be one of {}", codes.join(", "))
    })
}

impl<'a> FlaggedRow<'a> {
    fn new(flagged: &'a FlaggedTransaction) -> Self {
        let transaction = &flagged.transaction;
        let reported_amount = transaction.mismatch.map(|mismatch| match mismatch.received {
            Some(sum) => ReportedAmount::Named(sum.to_string()),
            None => ReportedAmount::Unnamed,
        });
        Self {
            row: TransactionRow::new(transaction),
            case: flagged.case.as_str(),
            flagged_at: output::time(flagged.at),
            operator: transaction.operator.as_ref().map(|pin| pin.name.as_str()),
            reported_amount,
        }
    }
}

impl<'a> Settled<'a> {
    fn new(transaction: &'a Transaction, note: &'a DecisionNote) -> Self {
        Self {
            transaction_id: transaction.order.id.as_str(),
            status: transaction.state.status().as_str(),
            failure: match transaction.state {
                State::Failed(code) => Some(code.as_str()),
                State::Pending(_) | State::Successful => None,
            },
            decision: transaction.decision().map(Status::as_str),
            note: note.as_str(),
            settled_at: output::time(transaction.updated_at),
        }
    }
}
