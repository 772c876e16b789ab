//! Paystack's own settings (docs/operators/paystack.md).

use crate::{environment::Environment, settings::SettingsReader};
use secrecy::{ExposeSecret, SecretString};
use tua_domain::{
    bare_address::is_bare_address,
    credential_field::{CredentialField, CredentialKind as K, FieldNeed as N},
};

/// The same settings as fields of the form in the dashboard.
pub const FIELDS: &[CredentialField] = &[
    CredentialField { key: "secret-key", kind: K::Secret, need: N::Required },
    CredentialField { key: "email-fallback", kind: K::Text, need: N::Required },
];

/// The settings of a Paystack account.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The secret key. It authenticates calls, and signs the callbacks.
    pub secret_key: SecretString,
    /// The e-mail address that stands for payers without one: Paystack requires one for every
    /// charge.
    pub email_fallback: String,
}

impl Settings {
    /// Reads the settings; faults are collected in the reader. `None` where there is one.
    pub fn read(reader: &mut SettingsReader, environment: Environment) -> Option<Self> {
        let secret_key = reader.secret("secret-key");
        let email_fallback = reader.required_text("email-fallback");
        let key_fault =
            secret_key.as_ref().and_then(|key| key_fault(key.expose_secret(), environment));
        if let Some(fault) = key_fault {
            reader.fault("secret-key", fault);
        }
        let is_email = email_fallback.as_ref().is_none_or(|email| is_bare_address(email));
        if !is_email {
            reader.fault("email-fallback", "is not an e-mail address");
        }
        Some(Self { secret_key: secret_key?, email_fallback: email_fallback? })
            .filter(|_| key_fault.is_none() && is_email)
    }
}

/// Paystack's word for the mode of the keys of an environment.
pub(super) const fn domain(environment: Environment) -> &'static str {
    match environment {
        Environment::Production => "live",
        Environment::Sandbox => "test",
    }
}

/// What is wrong with a key, without repeating it.
fn key_fault(key: &str, environment: Environment) -> Option<&'static str> {
    match environment {
        _ if key.starts_with("pk_") => Some("is a public key; the secret key begins with sk_"),
        Environment::Production if key.starts_with("sk_test_") => {
            Some("is a test key; environment = \"production\" needs one that begins with sk_live_")
        }
        Environment::Sandbox if key.starts_with("sk_live_") => Some(
            "is a live key, which moves real money; environment = \"sandbox\" needs one that \
             begins with sk_test_",
        ),
        Environment::Production if key.starts_with("sk_live_") => None,
        Environment::Sandbox if key.starts_with("sk_test_") => None,
        _ => Some("is not a secret key of Paystack, which begins with sk_live_ or sk_test_"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, environment: Environment) -> (Option<Settings>, Vec<String>) {
        let mut reader =
            SettingsReader::new("operators.paystack".to_owned(), text.parse().unwrap());
        let settings = Settings::read(&mut reader, environment);
        (settings, reader.finish())
    }

    #[test]
    fn the_key_must_fit_the_environment() {
        for (key, environment, is_right) in [
            ("sk_live_1", Environment::Production, true),
            ("sk_test_1", Environment::Sandbox, true),
            ("sk_test_1", Environment::Production, false),
            ("sk_live_1", Environment::Sandbox, false),
            ("pk_live_1", Environment::Production, false),
            ("hunter2", Environment::Production, false),
        ] {
            let text = format!("secret-key = {key:?}\nemail-fallback = \"pay@shop.example\"");
            let (settings, faults) = read(&text, environment);
            assert_eq!(
                (settings.is_some(), faults.is_empty()),
                (is_right, is_right),
                "{key}: {faults:?}"
            );
            assert!(!format!("{settings:?}{faults:?}").contains(key));
        }
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let (settings, faults) =
            read("email-fallback = \"nobody\"\nsecret = \"x\"", Environment::Production);
        assert!(settings.is_none());
        assert_eq!(faults.len(), 3, "{faults:?}");
    }
}
