//! `tua account`: manages accounts.

use super::{
    Common, account_resume, account_row::AccountRow, account_set, audit_context, open,
    open_existing, output,
};
use clap::Subcommand;
use serde::Serialize;
use tua_domain::{
    Account, AccountId, Generation, Mode, Scope, SecretKey,
    audit::AuditContext,
    ports::{AccountChange, Clock, Store},
};
use tua_system::clock::SystemClock;

/// The longest name of an account, a key or a person, in characters.
const MAX_NAME_CHARS: usize = 80;

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
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        let now = SystemClock.now();
        let (id, change) = match self {
            Self::Create { name } => return create_and_print(&common, &name).await,
            Self::List => return list(open_existing(&common).await?.as_ref(), &common).await,
            Self::Set(set) => return set.run(&common).await,
            Self::Suspend { id } => (id, AccountChange::Suspend(now)),
            Self::Resume(resume) => return resume.run(&common).await,
            Self::Rename { id, name } => (
                id,
                AccountChange::Rename(parse_name(&name).map_err(|fault| format!("name: {fault}"))?),
            ),
        };
        change_account(open_existing(&common).await?.as_ref(), &common, AccountId::new(id), change)
            .await
    }
}

async fn create_and_print(common: &Common, name: &str) -> Result<(), String> {
    let store = open(common).await?;
    let by = audit_context(common, store.as_ref()).await?;
    let made = create(store.as_ref(), name, &by).await?;
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

async fn list(store: &dyn Store, common: &Common) -> Result<(), String> {
    let accounts = store.accounts().await.map_err(|error| error.to_string())?;
    let listed: Vec<AccountRow<'_>> = accounts.iter().map(AccountRow::new).collect();
    output::print_list(common, &listed, AccountRow::line, "There are no accounts.")
}

async fn change_account(
    store: &dyn Store,
    common: &Common,
    id: AccountId,
    change: AccountChange,
) -> Result<(), String> {
    let changed = store
        .change_account(&id, change, &audit_context(common, store).await?)
        .await
        .map_err(|error| error.to_string())?;
    let account = changed.ok_or_else(|| format!("account: there is no account {id}"))?;
    let listed = AccountRow::new(&account);
    output::print(common, &listed, &listed.line())
}

/// Fails if an account is named and does not exist.
pub(super) async fn exists(store: &dyn Store, account: Option<&AccountId>) -> Result<(), String> {
    let Some(account) = account else { return Ok(()) };
    match store.account(account).await.map_err(|error| error.to_string())? {
        Some(_) => Ok(()),
        None => Err(format!("account: there is no account {account}")),
    }
}

/// Reads the name of an account, a key or a person.
pub(super) fn parse_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    if name.is_empty()
        || name.chars().count() > MAX_NAME_CHARS
        || name.chars().any(char::is_control)
    {
        return Err(format!("must be 1 to {MAX_NAME_CHARS} characters without control characters"));
    }
    Ok(name.to_owned())
}

/// A new account, and the only copy of its test keys.
#[derive(Debug)]
pub struct NewAccount {
    /// The id of the account.
    pub account: AccountId,
    /// The v1 test key.
    pub test_v1: String,
    /// The v2 test key.
    pub test_v2: String,
}

/// Creates an account with its two test keys.
///
/// # Errors
/// One line: the name is empty, too long or contains control characters, or the store failed.
pub async fn create(
    store: &dyn Store,
    name: &str,
    by: &AuditContext,
) -> Result<NewAccount, String> {
    let name = parse_name(name).map_err(|fault| format!("name: {fault}"))?;
    let now = by.at;
    let account = Account::new(name, now);
    let scope = Scope { account: account.id.clone(), mode: Mode::Test };
    let (v1, test_v1) = SecretKey::generate(scope.clone(), Generation::V1, now);
    let (v2, test_v2) = SecretKey::generate(scope, Generation::V2, now);
    let id = account.id.clone();
    store.create_account(account, vec![v1, v2], by).await.map_err(|error| error.to_string())?;
    Ok(NewAccount { account: id, test_v1, test_v2 })
}
