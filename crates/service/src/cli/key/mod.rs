//! `tua key`: manages secret keys.

mod lifetime;
mod row;

use super::{
    arguments::{parse_mode, parse_name, parse_overlap, require_account},
    context::{Common, audit_context, open_existing},
    output,
};
use clap::Subcommand;
use jiff::SignedDuration;
use lifetime::Lifetime;
use row::KeyRow;
use serde::Serialize;
use tua_domain::{
    AccountId, AllowedAddresses, Generation, KeyId, KeyScopes, Mode, Scope, SecretKey,
    ports::{Clock, OpenSessions, Store},
};
use tua_operators::last_start;
use tua_system::clock::SystemClock;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create a secret key and show it once
    Create {
        /// The account of the key
        #[arg(long, env = "TUA_ACCOUNT")]
        account: String,
        /// The mode: test or live
        #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
        mode: Mode,
        /// The generation of the key: v1 or v2
        #[arg(long, value_parser = parse_generation, default_value = "v2")]
        generation: Generation,
        /// A name for people: which program uses the key
        #[arg(long, value_parser = parse_name)]
        name: Option<String>,
        /// What the key may do: collect, payout, refund, read, separated by commas [default: all]
        #[arg(long = "scope", value_name = "SCOPE,…")]
        scopes: Option<KeyScopes>,
        /// The addresses and networks from which the key may be used, separated by commas [default:
        /// every address]
        #[arg(long = "allow-ip", value_name = "CIDR,…")]
        allowed_addresses: Option<AllowedAddresses>,
        /// After which time the key expires: 90d, 12h, never
        #[arg(long, value_name = "TIME", default_value = "never")]
        expires_in: Lifetime,
    },
    /// List keys, without their secrets
    List {
        /// Only the keys of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
    },
    /// Create a successor of a key, and let the old key expire
    Rotate {
        /// The key's id, as listed
        id: String,
        /// How long both keys are valid: 24h, 90m, or 0 to revoke the old key at once
        #[arg(long, value_name = "TIME", default_value = "24h", value_parser = parse_overlap)]
        overlap: SignedDuration,
        /// After which time the new key expires: 90d, 12h, never. Required if the old key expires
        /// [default: never]
        #[arg(long, value_name = "TIME")]
        expires_in: Option<Lifetime>,
    },
    /// Revoke a key at once, and close the open checkouts that it created
    Revoke {
        /// The key's id, as listed
        id: String,
        /// Leave the open checkouts of the key open
        #[arg(long)]
        keep_sessions: bool,
    },
}

#[derive(Serialize)]
struct Rotated<'a> {
    #[serde(flatten)]
    new: KeyRow<'a>,
    old: KeyRow<'a>,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), String> {
        let store = open_existing(&common).await?;
        let store = store.as_ref();
        match self {
            Self::Create {
                account,
                mode,
                generation,
                name,
                scopes,
                allowed_addresses,
                expires_in,
            } => {
                let scope = Scope { account: AccountId::new(account), mode };
                let now = SystemClock.now();
                let (key, secret) = SecretKey::generate(scope, generation, now);
                let key = SecretKey {
                    name,
                    scopes: allowed_scopes(scopes, generation)?,
                    allowed_addresses,
                    expires_at: expires_in.end(now),
                    ..key
                };
                create(store, &common, key, &secret).await
            }
            Self::List { account } => list(store, &common, account).await,
            Self::Rotate { id, overlap, expires_in } => {
                rotate(store, &common, KeyId::new(id), overlap, expires_in).await
            }
            Self::Revoke { id, keep_sessions } => {
                let sessions = if keep_sessions { OpenSessions::Keep } else { OpenSessions::Close };
                revoke(store, &common, id, sessions).await
            }
        }
    }
}

/// The scopes of a new key.
fn allowed_scopes(scopes: Option<KeyScopes>, generation: Generation) -> Result<KeyScopes, String> {
    let all_scopes = KeyScopes::all_of(generation);
    match scopes {
        Some(scopes) if !all_scopes.is_superset(scopes) => {
            Err(format!("scope: a {} key has the scopes {all_scopes} at most", generation.as_str()))
        }
        scopes => Ok(scopes.unwrap_or(all_scopes)),
    }
}

async fn create(
    store: &dyn Store,
    common: &Common,
    key: SecretKey,
    secret: &str,
) -> Result<(), String> {
    require_account(store, Some(&key.scope.account)).await?;
    if key.scope.mode == Mode::Live {
        let now = SystemClock.now();
        if !last_start::check_live_key(store, &key.scope.account, now).await? {
            tracing::warn!(
                "no operator serves live charges yet, so live payments get 503 (docs/going-live.md)"
            );
        }
    }
    let by = audit_context(common, store).await?;
    store.add_key(key.clone(), &by).await.map_err(|error| error.to_string())?;
    let text = format!(
        "key id  {}\nkey     {secret}\nThe key is shown this once; keep it on your server.",
        key.id
    );
    output::print(common, &KeyRow::with_secret(&key, secret), &text)
}

async fn list(store: &dyn Store, common: &Common, account: Option<String>) -> Result<(), String> {
    let account = account.map(AccountId::new);
    require_account(store, account.as_ref()).await?;
    let keys = store.keys(account.as_ref()).await.map_err(|error| error.to_string())?;
    let rows: Vec<KeyRow<'_>> = keys.iter().map(KeyRow::new).collect();
    output::print_list(common, &rows, KeyRow::line, "There are no keys.")
}

async fn rotate(
    store: &dyn Store,
    common: &Common,
    id: KeyId,
    overlap: SignedDuration,
    expires_in: Option<Lifetime>,
) -> Result<(), String> {
    let by = audit_context(common, store).await?;
    let now = by.at;
    let keys = store.keys(None).await.map_err(|error| error.to_string())?;
    let old = keys
        .into_iter()
        .find(|key| key.id == id)
        .ok_or_else(|| format!("key: there is no key {id}"))?;
    let (new, secret) = old.successor(now);
    let lifetime = match (expires_in, old.expires_at) {
        (None, Some(at)) if old.is_valid(now) => {
            return Err(format!(
                "key: {id} expires at {at}; set the end of its successor with --expires-in TIME or \
                 never"
            ));
        }
        (lifetime, _) => lifetime.unwrap_or(Lifetime::FOR_EVER),
    };
    let new = SecretKey { expires_at: lifetime.end(now), ..new };
    let rotated = store
        .rotate_key(&id, new.clone(), now + overlap, &by)
        .await
        .map_err(|error| error.to_string())?;
    let old = rotated.ok_or_else(|| {
        format!("key: {id} opens nothing any more; make a new one with `tua key create`")
    })?;
    let rotated = Rotated { new: KeyRow::with_secret(&new, &secret), old: KeyRow::new(&old) };
    let until = rotated.old.expires_at.as_deref().unwrap_or_default();
    let text = format!(
        "key id  {}\nkey     {secret}\nThe key is shown this once; keep it on your server. {id} \
         expires at {until}.",
        new.id
    );
    output::print(common, &rotated, &text)
}

async fn revoke(
    store: &dyn Store,
    common: &Common,
    id: String,
    sessions: OpenSessions,
) -> Result<(), String> {
    let id = KeyId::new(id);
    let by = audit_context(common, store).await?;
    let key = store.revoke_key(&id, sessions, &by).await.map_err(|error| error.to_string())?;
    let key = key.ok_or_else(|| format!("key: there is no key {id}"))?;
    output::print(common, &KeyRow::new(&key), &format!("{id} opens nothing any more."))
}

fn parse_generation(text: &str) -> Result<Generation, String> {
    Generation::parse(text).ok_or_else(|| "it must be v1 or v2".to_owned())
}
