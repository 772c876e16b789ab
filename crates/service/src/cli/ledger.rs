//! `tua ledger`: balances and verification of the ledger (docs/reference/ledger.md).

use super::{arguments::parse_mode, context::Common, fault::Fault, output, use_cases::UseCases};
use clap::Subcommand;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use std::process::ExitCode;
use tua_domain::{
    AccountId, Mode,
    ledger::{
        LedgerAccount, LedgerBalance, Postings,
        verification::{LedgerFault, LedgerVerification},
    },
};
use tua_tables::export::columns::cedis;

/// The only currency, as in the API.
const CURRENCY: &str = "GHS";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Show the balances of the ledger, rebuilt from all postings
    Balance {
        /// The balances at this time, such as 2026-01-31T23:59:59Z [default: now]
        #[arg(long, value_name = "TIME")]
        at: Option<Timestamp>,
        /// Only of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
        /// Only of this mode: test or live
        #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
        mode: Option<Mode>,
    },
    /// Verify that all entries are balanced and agree with every transaction; exit code 1 if they
    /// do not
    Verify,
}

/// The balances of a merchant account, mode and operator: debits are positive.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BalanceRow<'a> {
    account_id: &'a str,
    mode: &'static str,
    /// Null for the sandbox.
    operator: Option<&'a str>,
    currency: &'static str,
    balances: Map<String, Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LedgerReport {
    valid: bool,
    transactions: u64,
    faults: u64,
    /// The first of them.
    listed: Vec<FaultRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FaultRow {
    transaction_id: Option<String>,
    fault: String,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        let use_cases = UseCases::open(&common).await?;
        match self {
            Self::Balance { at, account, mode } => {
                balance(&use_cases, &common, at, account.map(AccountId::new), mode).await
            }
            Self::Verify => verify(&use_cases, &common).await,
        }
    }
}

async fn balance(
    use_cases: &UseCases,
    common: &Common,
    at: Option<Timestamp>,
    account: Option<AccountId>,
    mode: Option<Mode>,
) -> Result<ExitCode, Fault> {
    let until = at.unwrap_or(Timestamp::MAX);
    let found = use_cases.ledger.balances(until, account.as_ref(), mode).await;
    let found = found?;
    let balances: Vec<(BalanceRow<'_>, Postings)> =
        found.iter().map(|one| (BalanceRow::new(one), one.postings)).collect();
    let line = |(one, postings): &(BalanceRow<'_>, Postings)| {
        let amounts = postings
            .iter()
            .map(|(account, pesewas)| format!("{} {}", account.as_str(), cedis(pesewas)));
        let operator = one.operator.unwrap_or("sandbox");
        format!(
            "{}  {}  {operator}  {}",
            one.account_id,
            one.mode,
            amounts.collect::<Vec<_>>().join("  ")
        )
    };
    let text = balances.iter().map(line).collect::<Vec<_>>().join("\n");
    let balances: Vec<BalanceRow<'_>> = balances.into_iter().map(|(one, _)| one).collect();
    let text = if balances.is_empty() { "Nothing was posted." } else { &text };
    output::print(common, &balances, text).map(|()| ExitCode::SUCCESS)
}

async fn verify(use_cases: &UseCases, common: &Common) -> Result<ExitCode, Fault> {
    let found = use_cases.ledger.verify().await?;
    let verified = LedgerReport::new(&found);
    let text = match found.faults {
        0 => format!("The postings agree with all {} transactions.", found.transactions),
        faults => {
            let line = |one: &FaultRow| {
                format!("{}: {}", one.transaction_id.as_deref().unwrap_or("ledger"), one.fault)
            };
            let lines: Vec<String> = verified.listed.iter().map(line).collect();
            format!("{}\n{faults} faults in {} transactions.", lines.join("\n"), found.transactions)
        }
    };
    output::print(common, &verified, &text)?;
    Ok(if verified.valid { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl<'a> BalanceRow<'a> {
    fn new(one: &'a LedgerBalance) -> Self {
        let amount = |(account, pesewas): (LedgerAccount, i64)| {
            (account.as_str().to_owned(), cedis(pesewas).into())
        };
        Self {
            account_id: one.scope.account.as_str(),
            mode: one.scope.mode.as_str(),
            operator: one.operator.as_ref().map(|name| name.as_str()),
            currency: CURRENCY,
            balances: one.postings.iter().map(amount).collect(),
        }
    }
}

impl LedgerReport {
    fn new(found: &LedgerVerification) -> Self {
        let listed = found.listed.iter().map(FaultRow::new).collect();
        Self {
            valid: found.faults == 0,
            transactions: found.transactions,
            faults: found.faults,
            listed,
        }
    }
}

impl FaultRow {
    fn new(fault: &LedgerFault) -> Self {
        let (id, fault) = match fault {
            LedgerFault::BadEntries { id, entries } => (
                Some(id),
                format!(
                    "{entries} entries are not balanced, or name another account, mode or operator"
                ),
            ),
            LedgerFault::Disagrees { id, posted, required } => {
                let differs =
                    |&((_, posted), (_, required)): &((_, i64), (_, i64))| posted != required;
                let differences = posted.iter().zip(required.iter()).filter(differs).map(
                    |((account, posted), (_, required)): ((LedgerAccount, i64), _)| {
                        format!(
                            "{} has {}, its state requires {}",
                            account.as_str(),
                            cedis(posted),
                            cedis(required)
                        )
                    },
                );
                (Some(id), differences.collect::<Vec<_>>().join("; "))
            }
            LedgerFault::Orphans { entries } => {
                (None, format!("{entries} entries of transactions that do not exist"))
            }
            LedgerFault::DaySums { day } => (
                None,
                format!(
                    "the sums that are kept of {day} are not those of its entries; \
                     tua transaction recount deletes all kept sums, and they are summed up again"
                ),
            ),
        };
        Self { transaction_id: id.map(ToString::to_string), fault }
    }
}
