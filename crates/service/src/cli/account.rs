//! `tua account`: manages accounts.

use super::{Common, open, output};
use crate::{
    clock::SystemClock,
    domain::{
        Account, AccountId, Generation, Mode, Scope, SecretKey,
        ports::{Clock, Store},
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
        let Self::Create { name } = self;
        let made = create(open(&common).await?.as_ref(), &name).await?;
        let created =
            Created { account_id: made.account.as_str(), keys: TestKeys { v1: &made.test_v1, v2: &made.test_v2 } };
        let text = format!(
            "account  {}\ntest v1  {}\ntest v2  {}\nThe keys are shown this once; keep them on your server.",
            made.account, made.test_v1, made.test_v2
        );
        output::print(&common, &created, &text)
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
pub async fn create(store: &dyn Store, name: &str) -> Result<NewAccount, String> {
    let name = parse_name(name).map_err(|fault| format!("name: {fault}"))?;
    let now = SystemClock.now();
    let account = Account { id: AccountId::mint(), name, created_at: now };
    let scope = Scope { account: account.id.clone(), mode: Mode::Test };
    let (v1, test_v1) = SecretKey::generate(scope.clone(), Generation::V1, now);
    let (v2, test_v2) = SecretKey::generate(scope, Generation::V2, now);
    let id = account.id.clone();
    store.create_account(account, vec![v1, v2]).await.map_err(|error| error.to_string())?;
    Ok(NewAccount { account: id, test_v1, test_v2 })
}
