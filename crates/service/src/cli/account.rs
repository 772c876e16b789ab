//! `tua account`: manages accounts.

use super::{
    account_resume,
    account_row::AccountRow,
    account_set,
    context::{Common, open},
    fault::Fault,
    output,
    use_cases::UseCases,
};
use clap::Subcommand;
use serde::Serialize;
use tua_domain::{
    AccountId,
    line::parse_name,
    ports::{AccountChange, Clock},
};
use tua_system::clock::SystemClock;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create an account with two test keys and show them once
    Create {
        /// The merchant's name, as payers see it
        #[arg(long)]
        name: String,
    },
    /// List accounts, oldest first
    List,
    /// Refuse every new payment and checkout of an account; what is pending goes on
    Suspend {
        /// The account's id, as listed
        id: String,
    },
    /// Ask operators about the pending payments of a suspended account, and allow new ones again
    Resume(account_resume::Resume),
    /// Change an account's name, as payers see it
    Rename {
        /// The account's id, as listed
        id: String,
        /// The new name, as payers see it
        #[arg(long)]
        name: String,
    },
    /// Set the colour, the logo and the limits of payouts of an account, and show them
    Set(account_set::Set),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Created<'a> {
    account_id: &'a str,
    keys: TestKeys<'a>,
}

#[derive(Serialize)]
struct TestKeys<'a> {
    #[serde(rename = "testV1")]
    v1: &'a str,
    #[serde(rename = "testV2")]
    v2: &'a str,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        let now = SystemClock.now();
        let (id, change) = match self {
            Self::Create { name } => return create_and_print(&common, &name).await,
            Self::List => return list(&common).await,
            Self::Set(set) => return set.run(&common).await,
            Self::Suspend { id } => (id, AccountChange::Suspend(now)),
            Self::Resume(resume) => return resume.run(&common).await,
            Self::Rename { id, name } => (
                id,
                AccountChange::Rename(parse_name(&name).map_err(|fault| format!("name: {fault}"))?),
            ),
        };
        change_account(&common, AccountId::new(id), change).await
    }
}

async fn create_and_print(common: &Common, name: &str) -> Result<(), Fault> {
    let use_cases = UseCases::new(open(common).await?);
    let by = use_cases.audit_context(common).await?;
    let name = parse_name(name).map_err(|fault| format!("name: {fault}"))?;
    let made = use_cases.accounts.create(name, &by).await?;
    let created = Created {
        account_id: made.account.as_str(),
        keys: TestKeys { v1: &made.test_v1, v2: &made.test_v2 },
    };
    let text = format!(
        "account  {}\ntest v1  {}\ntest v2  {}\nThe keys are shown this once; keep them on your \
         server.",
        made.account, made.test_v1, made.test_v2
    );
    output::print(common, &created, &text)
}

async fn list(common: &Common) -> Result<(), Fault> {
    let use_cases = UseCases::open(common).await?;
    let accounts = use_cases.accounts.list().await?;
    let listed: Vec<AccountRow<'_>> = accounts.iter().map(AccountRow::new).collect();
    output::print_list(common, &listed, AccountRow::line, "There are no accounts.")
}

async fn change_account(
    common: &Common,
    id: AccountId,
    change: AccountChange,
) -> Result<(), Fault> {
    let use_cases = UseCases::open(common).await?;
    let by = use_cases.audit_context(common).await?;
    let changed = use_cases.accounts.change(&id, change, &by).await;
    let changed = changed?;
    let account =
        changed.ok_or_else(|| Fault::not_found(format!("account: there is no account {id}")))?;
    let listed = AccountRow::new(&account);
    output::print(common, &listed, &listed.line())
}
