//! The account of the demo: its merchant, the secret key of its shop, and its owner.

use crate::shared_use_cases::members;
use secrecy::{ExposeSecret, SecretString};
use std::{
    fmt::Display,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};
use tua_dashboard::DEMO_EMAIL;
use tua_domain::{
    AccountId, Generation, KeyScope, KeyScopes, Mode, Scope, SecretKey,
    audit::{AuditContext, Source},
    key_ring::KeyRing,
    people::{Role, RoleChanger},
    ports::{Clock, Store},
    secret::SecretDigest,
};
use tua_system::{actor, private_file};
use tua_use_cases::{Accounts, ApiKeys, CreatedKey, Members, NewKey};

/// The name of the demo's merchant.
const NAME: &str = "Adom Stores";

/// Creates the account of the demo and what belongs to it.
pub(super) struct Merchant {
    accounts: Accounts,
    api_keys: ApiKeys,
    members: Members,
    keys: KeyRing,
    clock: Arc<dyn Clock>,
}

/// The file in which the shop keeps its secret key, as a merchant would.
pub(super) struct KeyFile {
    pub(super) path: PathBuf,
    pub(super) mode: Mode,
}

impl Merchant {
    pub(super) fn new(store: &Arc<dyn Store>, keys: KeyRing, clock: Arc<dyn Clock>) -> Self {
        Self {
            accounts: Accounts { accounts: store.clone() },
            api_keys: ApiKeys {
                accounts: store.clone(),
                audit_log: store.clone(),
                connected_operators: store.clone(),
            },
            members: members(store),
            keys,
            clock,
        }
    }

    /// Who makes the changes of the demo, at the time of the clock.
    pub(super) fn audit_context(&self) -> AuditContext {
        actor::audit_context(Source::CommandLine, None, &self.keys, self.clock.now())
    }

    /// The companion's secret key, from its private file. It may open sessions, and cannot pay out.
    /// Created again, with a new account, if the key in the file is no longer valid.
    pub(super) async fn companion_key(&self, file: &KeyFile) -> Result<SecretString, String> {
        if let Ok(text) = fs::read_to_string(&file.path) {
            let secret = SecretString::from(text.trim());
            if self.find(&secret).await?.is_some() {
                return Ok(secret);
            }
        }
        let made = self.accounts.create(NAME.to_owned(), &self.audit_context()).await;
        let scope = Scope { account: made.map_err(line)?.account, mode: file.mode };
        let created = self.create_key(scope, "companion", &[KeyScope::Collect]).await?;
        replace(&file.path, &created.secret)
            .map_err(|error| format!("key file {}: {error}", file.path.display()))?;
        Ok(SecretString::from(created.secret))
    }

    /// Creates a key of the second generation with these scopes.
    pub(super) async fn create_key(
        &self,
        scope: Scope,
        name: &str,
        scopes: &[KeyScope],
    ) -> Result<CreatedKey, String> {
        let new = NewKey {
            scope,
            generation: Generation::V2,
            name: Some(name.to_owned()),
            scopes: KeyScopes::new(scopes).unwrap_or_else(|| KeyScopes::all_of(Generation::V2)),
            allowed_addresses: None,
            expires_in: None,
        };
        self.api_keys.create(new, &self.audit_context()).await.map_err(line)
    }

    /// The valid key with this text; `None` if there is none.
    pub(super) async fn find(&self, secret: &SecretString) -> Result<Option<SecretKey>, String> {
        let digest = SecretDigest::of(secret.expose_secret());
        self.api_keys.find(digest, self.clock.now()).await.map_err(line)
    }

    /// Makes the visitor of the dashboard an owner of the account.
    pub(super) async fn add_owner(&self, account: &AccountId) -> Result<(), String> {
        let email = DEMO_EMAIL.parse()?;
        let changer = RoleChanger::CommandLine;
        let by = self.audit_context();
        self.members.set_role(&email, account, Role::Owner, &changer, &by).await.map_err(line)
    }
}

/// An error as the one line that a command prints.
pub(super) fn line(error: impl Display) -> String {
    error.to_string()
}

fn replace(path: &Path, key: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => private_file::write_new(path, key),
    }
}
