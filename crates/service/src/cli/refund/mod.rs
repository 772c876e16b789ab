//! `tua refund`: refunds of charges (docs/reference/refunds.md).

mod create;
mod row;

use super::{
    arguments::parse_mode,
    context::Common,
    decision::{self, AcceptedIds},
    output,
    refund_lookup::find_refund,
    use_cases::UseCases,
};
use crate::cli::fault::Fault;
use clap::Subcommand;
use row::RefundRow;
use tua_domain::{AccountId, Mode, Scope, Transaction, TransactionId};
use tua_use_cases::RefundLists;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Begin a refund of a charge; the running service sends it
    Create(create::Create),
    /// List refunds, newest first: of a charge, or of an account and mode
    List {
        /// The id of the charge
        #[arg(long, value_name = "ID", conflicts_with_all = ["account", "mode"])]
        transaction: Option<String>,
        /// The id of the account
        #[arg(
            long,
            env = "TUA_ACCOUNT",
            required_unless_present = "transaction",
            requires = "mode"
        )]
        account: Option<String>,
        /// The mode: test or live
        #[arg(
            long,
            env = "TUA_MODE",
            value_parser = parse_mode,
            required_unless_present = "transaction"
        )]
        mode: Option<Mode>,
        /// The largest number of refunds
        #[arg(
            long,
            default_value_t = 50,
            value_parser = clap::value_parser!(u32).range(1..=10_000)
        )]
        limit: u32,
    },
    /// Show a refund and its status
    Show {
        /// The refund's id, as listed
        id: String,
    },
    /// Approve a refund that waits for an approval: how and through whom is chosen, and the service
    /// sends it
    Approve(decision::Approve),
    /// Refuse a refund that waits for an approval: it ends, and no money moves
    Refuse(decision::Refuse),
    /// Cancel a refund that is not handed over to its operator: it ends, and no money moves
    Cancel(decision::Cancel),
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        match self {
            Self::Create(new) => new.run(&common).await,
            Self::List { transaction, account, mode, limit } => {
                let lists = UseCases::open(&common).await?.refund_lists;
                let refunds = match (transaction, account.zip(mode)) {
                    (Some(charge), _) => {
                        of_charge(&lists, &TransactionId::new(charge), limit).await?
                    }
                    (None, Some((account, mode))) => {
                        let scope = Scope { account: AccountId::new(account), mode };
                        lists.newest(&scope, limit).await?
                    }
                    (None, None) => {
                        return Err(
                            "--account and --mode, or --transaction: one of them is required"
                                .into(),
                        );
                    }
                };
                print_list(&common, &refunds)
            }
            Self::Show { id } => {
                let lists = UseCases::open(&common).await?.refund_lists;
                let refund = find_refund(&lists, &TransactionId::new(id)).await?;
                let row = RefundRow::new(&refund);
                output::print(&common, &row, &row.line())
            }
            Self::Approve(approve) => approve.run(&common, AcceptedIds::Refund).await,
            Self::Refuse(refuse) => refuse.run(&common, AcceptedIds::Refund).await,
            Self::Cancel(cancel) => cancel.run(&common, AcceptedIds::Refund).await,
        }
    }
}

/// The newest refunds of a charge.
async fn of_charge(
    lists: &RefundLists,
    charge: &TransactionId,
    limit: u32,
) -> Result<Vec<Transaction>, Fault> {
    let found = lists.newest_of(charge, limit).await?;
    found.ok_or_else(|| Fault::not_found(format!("transaction {charge}: there is none")))
}

fn print_list(common: &Common, refunds: &[Transaction]) -> Result<(), Fault> {
    let rows: Vec<RefundRow<'_>> = refunds.iter().map(RefundRow::new).collect();
    output::print_list(common, &rows, RefundRow::line, "There is no refund.")
}
