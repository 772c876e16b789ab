//! `tua key`.

use super::{Common, open_existing, output};
use crate::{
    clock::{Clock, SystemClock},
    domain::{AccountId, Generation, KeyId, Mode, Scope, SecretKey},
    store::Store,
};
use clap::Subcommand;
use serde::Serialize;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Make a secret key, which is shown once
    Create {
        /// The account that it belongs to
        #[arg(long, env = "TUA_ACCOUNT")]
        account: String,
        /// test or live
        #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
        mode: Mode,
        /// v1 or v2
        #[arg(long, env = "TUA_GENERATION", value_parser = parse_generation)]
        generation: Generation,
    },
    /// List keys, by what can be told of them
    List {
        /// Only the keys of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
    },
    /// Revoke a key at once
    Revoke {
        /// The key's id, as listed
        id: String,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    key_id: &'a str,
    account_id: &'a str,
    mode: &'static str,
    generation: &'static str,
    prefix: &'static str,
    last_four: &'a str,
    created_at: String,
    revoked_at: Option<String>,
    /// Only when it has just been made.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
}

impl Verb {
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        let store = open_existing(&common)?;
        match self {
            Self::Create { account, mode, generation } => create(&store, &common, account, mode, generation).await,
            Self::List { account } => list(&store, &common, account).await,
            Self::Revoke { id } => revoke(&store, &common, id).await,
        }
    }
}

async fn create(
    store: &dyn Store,
    common: &Common,
    account: String,
    mode: Mode,
    generation: Generation,
) -> Result<(), String> {
    let account = AccountId::new(account);
    if store.account(&account).await.map_err(|error| error.to_string())?.is_none() {
        return Err(format!("account: there is no account {account}"));
    }
    let (key, text) = SecretKey::generate(Scope { account, mode }, generation, SystemClock.now());
    store.add_key(key.clone()).await.map_err(|error| error.to_string())?;
    let people = format!("key id  {}\nkey     {text}\nThe key is shown this once; keep it on your server.", key.id);
    output::print(common, &Listed { key: Some(&text), ..Listed::new(&key) }, &people)
}

async fn list(store: &dyn Store, common: &Common, account: Option<String>) -> Result<(), String> {
    let account = account.map(AccountId::new);
    let keys = store.keys(account.as_ref()).await.map_err(|error| error.to_string())?;
    let listed: Vec<Listed<'_>> = keys.iter().map(Listed::new).collect();
    let lines = listed.iter().map(|key| {
        let standing = key.revoked_at.as_ref().map_or_else(String::new, |at| format!("  revoked {at}"));
        format!(
            "{}  {}…{}  {}  made {}{standing}",
            key.key_id, key.prefix, key.last_four, key.account_id, key.created_at
        )
    });
    let people = lines.collect::<Vec<_>>().join("\n");
    output::print(common, &listed, if people.is_empty() { "There are no keys." } else { &people })
}

async fn revoke(store: &dyn Store, common: &Common, id: String) -> Result<(), String> {
    let id = KeyId::new(id);
    let key = store.revoke_key(&id, SystemClock.now()).await.map_err(|error| error.to_string())?;
    let key = key.ok_or_else(|| format!("key: there is no key {id}"))?;
    output::print(common, &Listed::new(&key), &format!("{id} opens nothing any more."))
}

impl<'a> Listed<'a> {
    fn new(key: &'a SecretKey) -> Self {
        Self {
            key_id: key.id.as_str(),
            account_id: key.scope.account.as_str(),
            mode: key.scope.mode.as_str(),
            generation: key.generation.as_str(),
            prefix: SecretKey::prefix(key.scope.mode, key.generation),
            last_four: &key.last_four,
            created_at: key.created_at.to_string(),
            revoked_at: key.revoked_at.map(|at| at.to_string()),
            key: None,
        }
    }
}

pub(super) fn parse_mode(text: &str) -> Result<Mode, String> {
    Mode::parse(text).ok_or_else(|| "it must be test or live".to_owned())
}

fn parse_generation(text: &str) -> Result<Generation, String> {
    Generation::parse(text).ok_or_else(|| "it must be v1 or v2".to_owned())
}
