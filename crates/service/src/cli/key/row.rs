//! A key as the command line shows it.

use crate::cli::output;
use serde::Serialize;
use tua_domain::SecretKey;

/// A key, with its secret only when it has just been created.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct KeyRow<'a> {
    key_id: &'a str,
    account_id: &'a str,
    mode: &'static str,
    name: Option<&'a str>,
    generation: &'static str,
    scopes: Vec<&'static str>,
    /// Null for every address.
    allowed_addresses: Option<Vec<String>>,
    prefix: &'static str,
    last_four: &'a str,
    created_at: String,
    /// Accurate to the minute.
    last_used_at: Option<String>,
    pub(super) expires_at: Option<String>,
    revoked_at: Option<String>,
    /// Only when the key has just been created.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    /// Only of a key that has just been created, and whose payments cannot be served.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'static str>,
}

impl<'a> KeyRow<'a> {
    pub(super) fn new(key: &'a SecretKey) -> Self {
        Self {
            key_id: key.id.as_str(),
            account_id: key.scope.account.as_str(),
            mode: key.scope.mode.as_str(),
            name: key.name.as_deref(),
            scopes: key.scopes.iter().map(tua_domain::KeyScope::as_str).collect(),
            allowed_addresses: key
                .allowed_addresses
                .as_ref()
                .map(|allowed| allowed.iter().collect()),
            generation: key.generation.as_str(),
            prefix: SecretKey::prefix(key.scope.mode, key.generation),
            last_four: &key.last_four,
            created_at: output::time(key.created_at),
            last_used_at: key.last_used_at.map(output::time),
            expires_at: key.expires_at.map(output::time),
            revoked_at: key.revoked_at.map(output::time),
            key: None,
            warning: None,
        }
    }

    /// The row of a key that has just been created, with its secret.
    pub(super) fn with_secret(key: &'a SecretKey, secret: &'a str) -> Self {
        Self { key: Some(secret), ..Self::new(key) }
    }

    /// The same row with what the person must know about the new key.
    pub(super) const fn with_warning(mut self, warning: Option<&'static str>) -> Self {
        self.warning = warning;
        self
    }

    pub(super) fn line(&self) -> String {
        let used = self
            .last_used_at
            .as_ref()
            .map_or_else(|| "never used".to_owned(), |at| format!("used {at}"));
        let ends = [("expires", &self.expires_at), ("revoked", &self.revoked_at)];
        let ends = ends
            .map(|(word, at)| at.as_ref().map_or_else(String::new, |at| format!("  {word} {at}")));
        let name = self.name.map_or_else(String::new, |name| format!("  {name}"));
        let from = self
            .allowed_addresses
            .as_ref()
            .map_or_else(String::new, |all| format!("  from {}", all.join(",")));
        format!(
            "{}  {}…{}  {}{name}  {}{from}  made {}  {used}{}",
            self.key_id,
            self.prefix,
            self.last_four,
            self.account_id,
            self.scopes.join(","),
            self.created_at,
            ends.concat()
        )
    }
}
