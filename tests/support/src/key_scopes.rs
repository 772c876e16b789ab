//! Secret keys with scopes (docs/reference/credentials.md#scopes).

use crate::{ApiClient, TestApp};
use tua_domain::{AccountId, Generation, Mode, Scope, SecretKey};

/// Adds a v2 test key to an account, changed before it is stored.
pub async fn key_with(
    app: &TestApp,
    account: &AccountId,
    change: impl FnOnce(&mut SecretKey),
) -> ApiClient {
    let scope = Scope { account: account.clone(), mode: Mode::Test };
    let (mut key, text) = SecretKey::generate(scope, Generation::V2, app.running().clock.now());
    change(&mut key);
    app.running().store.add_key(key, &app.audit()).await.unwrap();
    app.actor(&text)
}

/// Adds a v2 test key with these scopes, as text such as `collect,read`, to an account.
pub async fn key_of(app: &TestApp, account: &AccountId, scopes: &str) -> ApiClient {
    key_with(app, account, |key| key.scopes = scopes.parse().unwrap()).await
}
