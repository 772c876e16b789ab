//! `tua refund`: refunds of charges (docs/reference/refunds.md).

mod create;
mod row;

use super::{
    arguments::{parse_mode, require_account},
    context::{Common, open_existing},
    decision::{self, AcceptedIds},
    output,
    refund_lookup::{find_refund, find_transaction},
};
use clap::Subcommand;
use row::RefundRow;
use tua_domain::{
    AccountId, Mode, Scope, TransactionId,
    listing::{Filter, Page, RefundFilter},
    ports::Store,
};

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
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        match self {
            Self::Create(new) => new.run(&common).await,
            Self::List { transaction, account, mode, limit } => {
                let store = open_existing(&common).await?;
                let wanted = match (transaction, account.zip(mode)) {
                    (Some(charge), _) => {
                        of_charge(store.as_ref(), TransactionId::new(charge)).await?
                    }
                    (None, Some((account, mode))) => {
                        of_account(store.as_ref(), AccountId::new(account), mode).await?
                    }
                    (None, None) => {
                        return Err(
                            "--account and --mode, or --transaction: one of them is required"
                                .to_owned(),
                        );
                    }
                };
                list(store.as_ref(), &common, wanted, limit).await
            }
            Self::Show { id } => {
                let store = open_existing(&common).await?;
                let refund = find_refund(store.as_ref(), &TransactionId::new(id)).await?;
                let row = RefundRow::new(&refund);
                output::print(&common, &row, &row.line())
            }
            Self::Approve(approve) => approve.run(&common, AcceptedIds::Refund).await,
            Self::Refuse(refuse) => refuse.run(&common, AcceptedIds::Refund).await,
            Self::Cancel(cancel) => cancel.run(&common, AcceptedIds::Refund).await,
        }
    }
}

async fn of_charge(
    store: &dyn Store,
    charge: TransactionId,
) -> Result<(Scope, RefundFilter), String> {
    let found = find_transaction(store, &charge).await?;
    let found = found.ok_or_else(|| format!("transaction {charge}: there is none"))?;
    Ok((found.order.scope.clone(), RefundFilter::Of(charge)))
}

async fn of_account(
    store: &dyn Store,
    account: AccountId,
    mode: Mode,
) -> Result<(Scope, RefundFilter), String> {
    require_account(store, Some(&account)).await?;
    Ok((Scope { account, mode }, RefundFilter::All))
}

async fn list(
    store: &dyn Store,
    common: &Common,
    (scope, refunds): (Scope, RefundFilter),
    limit: u32,
) -> Result<(), String> {
    let filter = Filter { refunds, ..Filter::default() };
    let found = store.transactions(&scope, filter, Page { limit, after: None }).await;
    let found = found.map_err(|error| error.to_string())?;
    let rows: Vec<RefundRow<'_>> = found.iter().map(RefundRow::new).collect();
    output::print_list(common, &rows, RefundRow::line, "There is no refund.")
}
