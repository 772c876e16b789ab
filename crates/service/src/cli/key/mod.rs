//! `tua key`: manages secret keys.

mod lifetime;
mod row;

use super::{
    arguments::{parse_mode, parse_overlap, require_account},
    context::Common,
    output,
    use_cases::UseCases,
};
use crate::cli::fault::Fault;
use clap::Subcommand;
use jiff::SignedDuration;
use lifetime::Lifetime;
use row::KeyRow;
use serde::Serialize;
use tua_domain::{
    AccountId, AllowedAddresses, Generation, KeyId, KeyScopes, Mode, Scope,
    line::parse_name,
    ports::{Clock, OpenSessions},
};
use tua_system::clock::SystemClock;
use tua_use_cases::{KeyService, NewKey, RotateKeyError, SuccessorExpiry};

/// The warning for a live key whose payments nobody serves.
const NO_LIVE_OPERATOR: &str = "no operator serves live charges of this account yet, so its live \
    payments get 503 (docs/going-live.md)";

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
        /// What the key may do: collect, payout, refund, read, webhooks, separated by commas
        /// [default: all]
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
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        let use_cases = UseCases::open(&common).await?;
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
                let new = NewKey {
                    scope: Scope { account: AccountId::new(account), mode },
                    generation,
                    name,
                    scopes: allowed_scopes(scopes, generation)?,
                    allowed_addresses,
                    expires_in: expires_in.duration(),
                };
                create(&use_cases, &common, new).await
            }
            Self::List { account } => list(&use_cases, &common, account).await,
            Self::Rotate { id, overlap, expires_in } => {
                rotate(&use_cases, &common, KeyId::new(id), overlap, expires_in).await
            }
            Self::Revoke { id, keep_sessions } => {
                let sessions = if keep_sessions { OpenSessions::Keep } else { OpenSessions::Close };
                revoke(&use_cases, &common, id, sessions).await
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

async fn create(use_cases: &UseCases, common: &Common, new: NewKey) -> Result<(), Fault> {
    let keys = &use_cases.api_keys;
    require_account(&use_cases.accounts, &new.scope.account).await?;
    let now = SystemClock.now();
    let service = keys.check_new(&new.scope, now).await.map_err(|error| error.to_string())?;
    let warning = (service == KeyService::NoLiveOperator).then_some(NO_LIVE_OPERATOR);
    if let Some(warning) = warning {
        tracing::warn!(account = %new.scope.account, "{warning}");
    }
    let by = use_cases.audit_context(common).await?;
    let created = keys.create(new, &by).await?;
    let text = format!(
        "key id  {}\nkey     {}\nThe key is shown this once; keep it on your server.",
        created.key.id, created.secret
    );
    let row = KeyRow::with_secret(&created.key, &created.secret).with_warning(warning);
    output::print(common, &row, &text)
}

async fn list(use_cases: &UseCases, common: &Common, account: Option<String>) -> Result<(), Fault> {
    let account = account.map(AccountId::new);
    let keys = use_cases.api_keys.list(account.as_ref()).await;
    let keys = keys?;
    let rows: Vec<KeyRow<'_>> = keys.iter().map(KeyRow::new).collect();
    output::print_list(common, &rows, KeyRow::line, "There are no keys.")
}

async fn rotate(
    use_cases: &UseCases,
    common: &Common,
    id: KeyId,
    overlap: SignedDuration,
    expires_in: Option<Lifetime>,
) -> Result<(), Fault> {
    let by = use_cases.audit_context(common).await?;
    let expiry = match expires_in {
        None => SuccessorExpiry::Unspecified,
        Some(lifetime) => {
            lifetime.duration().map_or(SuccessorExpiry::Never, SuccessorExpiry::After)
        }
    };
    let rotated = use_cases.api_keys.rotate(&id, overlap, expiry, &by).await;
    let rotated = rotated.map_err(|error| not_rotated(&id, error))?;
    let secret = &rotated.new.secret;
    let view = Rotated {
        new: KeyRow::with_secret(&rotated.new.key, secret),
        old: KeyRow::new(&rotated.old),
    };
    let until = view.old.expires_at.as_deref().unwrap_or_default();
    let text = format!(
        "key id  {}\nkey     {secret}\nThe key is shown this once; keep it on your server. {id} \
         expires at {until}.",
        rotated.new.key.id
    );
    output::print(common, &view, &text)
}

fn no_key(id: &KeyId) -> Fault {
    Fault::not_found(format!("key: there is no key {id}"))
}

fn not_rotated(id: &KeyId, error: RotateKeyError) -> Fault {
    match error {
        RotateKeyError::Unknown => no_key(id),
        RotateKeyError::ExpiryRequired(at) => format!(
            "key: {id} expires at {at}; set the end of its successor with --expires-in TIME or \
             never"
        )
        .into(),
        RotateKeyError::NotValid => {
            format!("key: {id} opens nothing any more; make a new one with `tua key create`").into()
        }
        RotateKeyError::Store(error) => error.into(),
    }
}

async fn revoke(
    use_cases: &UseCases,
    common: &Common,
    id: String,
    sessions: OpenSessions,
) -> Result<(), Fault> {
    let id = KeyId::new(id);
    let by = use_cases.audit_context(common).await?;
    let key = use_cases.api_keys.revoke(None, &id, sessions, &by).await;
    let key = key?;
    let key = key.ok_or_else(|| no_key(&id))?;
    output::print(common, &KeyRow::new(&key), &format!("{id} opens nothing any more."))
}

fn parse_generation(text: &str) -> Result<Generation, String> {
    Generation::parse(text).ok_or_else(|| "it must be v1 or v2".to_owned())
}
