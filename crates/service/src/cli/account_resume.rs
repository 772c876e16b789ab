//! `tua account resume` (docs/reference/lifecycle.md#suspended-accounts).

use super::{
    account_row::AccountRow,
    context::{Common, open_existing_with_orders},
    fault::Fault,
    operator_connections::connect_and_refresh,
    output,
    use_cases::UseCases,
};
use crate::shared_use_cases::operator_gateway;
use clap::Args;
use serde::Serialize;
use std::{path::PathBuf, sync::Arc};
use tua_config::{Config, RawSettings};
use tua_domain::{
    AccountId, TransactionId,
    change_notifier::ChangeNotifier,
    ports::{Clock, Store},
};
use tua_metrics::Metrics;
use tua_operators::sandbox::orders::SandboxOrders;
use tua_store::database::Opened;
use tua_system::clock::SystemClock;
use tua_use_cases::account_resumption::{
    AccountQueries, AccountResumption, ResumeError, StatusQuerySummary, Unanswered,
};

/// How many payments an error names.
const MAX_NAMED: usize = 5;

#[derive(Args, Debug)]
pub(super) struct Resume {
    /// The account's id, as listed
    id: String,
    /// The settings file of the service, with the operators that are asked
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Resume although an operator did not respond about payments; first look for them at the
    /// operator
    #[arg(long)]
    despite_unanswered: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resumed<'a> {
    #[serde(flatten)]
    account: AccountRow<'a>,
    /// How many payments operators were asked about.
    asked: usize,
    /// How many of these changed.
    changed: usize,
    /// Those that looked unsent, and that an operator has.
    found: Vec<&'a str>,
    /// Those about which no operator responded.
    unanswered: Vec<&'a str>,
    /// How many payouts wait for an approval.
    payouts_to_approve: usize,
}

impl Resume {
    pub(super) async fn run(self, common: &Common) -> Result<(), Fault> {
        let config = Config::resolve(
            RawSettings::default(),
            common.database.clone(),
            self.config.as_deref(),
        );
        let config = config.map_err(|faults| faults.join("; "))?;
        let Opened { store, orders } = open_existing_with_orders(config.database.clone()).await?;
        let use_cases = UseCases::new(store.clone());
        let by = use_cases.audit_context(common).await?;
        let id = AccountId::new(self.id);
        let account = use_cases.accounts.existing(&id).await?;
        let asked = match account.suspended_at {
            None => StatusQuerySummary::default(),
            Some(_) => account_queries(&config, &store, orders).await?.query(&id, &by).await?,
        };
        let resumption = AccountResumption { accounts: store.clone(), approvals: store };
        let unanswered =
            if self.despite_unanswered { Unanswered::Accept } else { Unanswered::Refuse };
        let resumed = resumption.resume(&id, &asked, unanswered, &by).await;
        let resumed = resumed.map_err(|error| match error {
            ResumeError::Unanswered => stays_suspended(&id, &asked.unanswered).into(),
            ResumeError::Unknown(_) => Fault::not_found(format!("account: {error}")),
            ResumeError::Store(error) => error.into(),
        })?;
        let waiting = resumed.payouts_to_approve;
        let account = AccountRow::new(&resumed.account);
        let text = format!("{}\n{}{}", account.line(), asked_lines(&asked), waiting_line(waiting));
        let resumed = Resumed {
            account,
            asked: asked.asked,
            changed: asked.changed,
            found: asked.found.iter().map(TransactionId::as_str).collect(),
            unanswered: asked.unanswered.iter().map(TransactionId::as_str).collect(),
            payouts_to_approve: waiting,
        };
        output::print(common, &resumed, &text)
    }
}

/// Asks the operators of the settings, and the sandbox.
async fn account_queries(
    config: &Config,
    store: &Arc<dyn Store>,
    orders: Arc<dyn SandboxOrders>,
) -> Result<AccountQueries, Fault> {
    let keys = config.open_key_ring(store.as_ref()).await?;
    let operators = connect_and_refresh(config, store.clone(), orders, &keys).await?;
    let gateway = operator_gateway(
        store,
        operators,
        Arc::new(SystemClock),
        // Nobody waits in this process; the nodes of the service read the database.
        Arc::new(ChangeNotifier::new().0),
        Arc::new(Metrics::new(SystemClock.now())),
    );
    Ok(AccountQueries {
        gateway: Arc::new(gateway),
        transactions: store.clone(),
        reports: store.clone(),
        pinned_payments: store.clone(),
    })
}

fn stays_suspended(id: &AccountId, unanswered: &[TransactionId]) -> String {
    let listed: Vec<&str> = unanswered.iter().take(MAX_NAMED).map(TransactionId::as_str).collect();
    let more = match unanswered.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "account {id}: it stays suspended, because an operator did not respond, so that it is not \
         known whether it has {}{more}. Check --config and `tua operator check`, and run the \
         command again; or look for their operator references at the operator, and add \
         --despite-unanswered",
        listed.join(", ")
    )
}

fn asked_lines(asked: &StatusQuerySummary) -> String {
    let mut text = format!(
        "Operators were asked about {} that are not final; {} changed.",
        count(asked.asked, "payment"),
        asked.changed
    );
    if !asked.found.is_empty() {
        text.push_str(&format!(
            " {} that looked unsent had been sent.",
            count(asked.found.len(), "payment")
        ));
    }
    text.push_str(
        "\nAfter a restored backup, import the operators' statements since the backup (tua \
         statement import): payments that were begun after it are not in this database, and \
         payouts that were sent after it look unsent.",
    );
    text
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// What follows for payouts when an account is resumed.
fn waiting_line(waiting: usize) -> String {
    if waiting == 0 {
        return "\nNo payout waits for an approval.".to_owned();
    }
    let noun = if waiting == 1 { "payout waits" } else { "payouts wait" };
    format!(
        "\n{waiting} {noun} for an approval: tua payout list. Before you approve one, look for its \
         operator reference in the operator's statement."
    )
}
