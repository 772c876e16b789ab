//! `tua account`: manages accounts.

use super::{Common, account_set, audit_context, open, open_existing, output};
use crate::{
    clock::SystemClock,
    domain::{
        Account, AccountId, Generation, Mode, Scope, SecretKey,
        audit::AuditContext,
        ports::{AccountChange, Clock, Store},
    },
};
use clap::Subcommand;
use serde::Serialize;

/// The longest name of an account, a key or a person, in characters.
const MAX_NAME_CHARS: usize = 80;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create an account with two test keys and show them once
    Create {
        /// The merchant's name, as payers see it
        #[arg(long, env = "TUA_NAME")]
        name: String,
    },
    /// List accounts, oldest first
    List,
    /// Refuse every new payment and checkout of an account; what is pending goes on
    Suspend {
        /// The account's id, as listed
        id: String,
    },
    /// Allow the payments of a suspended account again
    Resume {
        /// The account's id, as listed
        id: String,
    },
    /// Change an account's name, as payers see it
    Rename {
        /// The account's id, as listed
        id: String,
        /// The new name
        #[arg(long, env = "TUA_NAME")]
        name: String,
    },
    /// Set the colour, the logo and the limits of payouts of an account, and show them
    Set(account_set::Set),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    account_id: &'a str,
    name: &'a str,
    created_at: String,
    suspended_at: Option<String>,
    /// Only when it has just been resumed: how many of its payouts wait for an approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    payouts_to_approve: Option<usize>,
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
            Self::Resume { id } => (id, AccountChange::Resume),
            Self::Rename { id, name } => {
                (id, AccountChange::Rename(parse_name(&name).map_err(|fault| format!("name: {fault}"))?))
            }
        };
        change_account(open_existing(&common).await?.as_ref(), &common, AccountId::new(id), change).await
    }
}

async fn create_and_print(common: &Common, name: &str) -> Result<(), String> {
    let store = open(common).await?;
    let by = audit_context(common, store.as_ref()).await?;
    let made = create(store.as_ref(), name, &by).await?;
    let created =
        Created { account_id: made.account.as_str(), keys: TestKeys { v1: &made.test_v1, v2: &made.test_v2 } };
    let text = format!(
        "account  {}\ntest v1  {}\ntest v2  {}\nThe keys are shown this once; keep them on your server.",
        made.account, made.test_v1, made.test_v2
    );
    output::print(common, &created, &text)
}

async fn list(store: &dyn Store, common: &Common) -> Result<(), String> {
    let accounts = store.accounts().await.map_err(|error| error.to_string())?;
    let listed: Vec<Listed<'_>> = accounts.iter().map(Listed::new).collect();
    output::print_list(common, &listed, Listed::line, "There are no accounts.")
}

async fn change_account(
    store: &dyn Store,
    common: &Common,
    id: AccountId,
    change: AccountChange,
) -> Result<(), String> {
    let is_resumed = change == AccountChange::Resume;
    let changed = store
        .change_account(&id, change, &audit_context(common, store).await?)
        .await
        .map_err(|error| error.to_string())?;
    let account = changed.ok_or_else(|| format!("account: there is no account {id}"))?;
    let mut listed = Listed::new(&account);
    let mut text = listed.line();
    if is_resumed {
        let waiting = store.unapproved(Some(&account.id)).await.map_err(|error| error.to_string())?.len();
        listed.payouts_to_approve = Some(waiting);
        text.push_str(&waiting_line(waiting));
    }
    output::print(common, &listed, &text)
}

/// What follows for payouts when an account is resumed.
fn waiting_line(waiting: usize) -> String {
    if waiting == 0 {
        return "\nNo payout waits for an approval.".to_owned();
    }
    let noun = if waiting == 1 { "payout waits" } else { "payouts wait" };
    format!(
        "\n{waiting} {noun} for an approval: tua payout list. Before you approve one, look for its operator reference \
         in the operator's statement, or ask the operator for its status. After a restored backup, a payout that was \
         sent looks unsent."
    )
}

impl<'a> Listed<'a> {
    fn new(account: &'a Account) -> Self {
        Self {
            account_id: account.id.as_str(),
            name: &account.name,
            created_at: account.created_at.to_string(),
            suspended_at: account.suspended_at.map(|at| at.to_string()),
            payouts_to_approve: None,
        }
    }

    fn line(&self) -> String {
        let suspended = self.suspended_at.as_ref().map_or_else(String::new, |at| format!("  suspended {at}"));
        format!("{}  made {}  {}{suspended}", self.account_id, self.created_at, self.name)
    }
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
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
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
pub async fn create(store: &dyn Store, name: &str, by: &AuditContext) -> Result<NewAccount, String> {
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
