//! The settings of `connector = "pawapay"` (docs/operators/pawapay.md#settings).

use super::signatures::SigningKey;
use crate::settings::SettingsReader;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use tua_domain::credential_field::{CredentialField, CredentialKind as K, FieldNeed as N};

/// The same settings as fields of the form in the dashboard. The signing key and its id belong
/// together.
pub const FIELDS: &[CredentialField] = &[
    CredentialField { key: "api-token", kind: K::Secret, need: N::Required },
    CredentialField { key: "signed-callbacks", kind: K::Flag, need: N::Required },
    CredentialField { key: "signing-key-id", kind: K::Text, need: N::WithItsTable },
    CredentialField { key: "signing-key", kind: K::SecretLines, need: N::WithItsTable },
];

/// The settings of pawaPay.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The API token, the bearer token of every call.
    pub api_token: SecretString,
    /// Signs what moves money; `None` where the account at pawaPay takes unsigned requests.
    pub signing_key: Option<Arc<SigningKey>>,
    /// Whether the account at pawaPay signs its callbacks. Then unsigned ones are refused.
    pub signed_callbacks: bool,
}

impl Settings {
    /// Reads them. `None` where they have faults, which the reader then has.
    pub fn read(reader: &mut SettingsReader) -> Option<Self> {
        let api_token = reader.secret("api-token");
        let signing_key = read_signing_key(reader);
        let signed_callbacks = reader.required_flag("signed-callbacks");
        Some(Self {
            api_token: api_token?,
            signing_key: signing_key.ok()?,
            signed_callbacks: signed_callbacks?,
        })
    }
}

/// The settings of the signing key have faults, which their reader has.
struct Faulty;

fn read_signing_key(reader: &mut SettingsReader) -> Result<Option<Arc<SigningKey>>, Faulty> {
    match (reader.has("signing-key"), reader.has("signing-key-id")) {
        (false, false) => return Ok(None),
        (true, true) => {}
        (true, false) => reader.fault("signing-key-id", "is required with signing-key"),
        (false, true) => reader.fault("signing-key", "is required with signing-key-id"),
    }
    let key = reader.optional_secret("signing-key");
    let id = reader.text("signing-key-id");
    let (Some(key), Some(id)) = (key, id) else { return Err(Faulty) };
    match SigningKey::new(key.expose_secret(), &id) {
        Ok(key) => Ok(Some(Arc::new(key))),
        Err(fault) => {
            reader.fault("signing-key", fault);
            Err(Faulty)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pawapay::signatures::tests::KEY;

    fn read(text: &str) -> (Option<Settings>, Vec<String>) {
        let mut reader = SettingsReader::new("operators.pawapay".to_owned(), text.parse().unwrap());
        let settings = Settings::read(&mut reader);
        (settings, reader.finish())
    }

    #[test]
    fn the_signing_key_is_optional_and_no_secret_is_shown() {
        let (settings, faults) = read("api-token = \"hunter2\"\nsigned-callbacks = false");
        assert!(settings.unwrap().signing_key.is_none() && faults.is_empty());
        let text = format!(
            "api-token = \"hunter2\"\nsigned-callbacks = true\nsigning-key-id = \"K:1\"\n\
             signing-key = '''{KEY}'''"
        );
        let (settings, faults) = read(&text);
        assert!(faults.is_empty(), "{faults:#?}");
        let debug = format!("{:?}", settings.unwrap());
        assert!(
            debug.contains("K:1") && !debug.contains("hunter2") && !debug.contains("MIGH"),
            "{debug}"
        );
    }

    #[test]
    fn every_fault_is_reported() {
        for (text, faults) in [
            ("", vec!["api-token: is required", "signed-callbacks: is required"]),
            (
                "api-token = \"t\"\nsigned-callbacks = \"yes\"",
                vec!["signed-callbacks: must be true or false"],
            ),
            (
                "api-token = \"t\"\nsigned-callbacks = true\nsigning-key = \"k\"",
                vec!["signing-key-id: is required with signing-key"],
            ),
            (
                "api-token = \"t\"\nsigned-callbacks = true\nsigning-key-id = \"k\"",
                vec!["signing-key: is required with signing-key-id"],
            ),
            (
                "api-token = \"t\"\nsigned-callbacks = true\nsigning-key-id = \"k\"\n\
                 signing-key = \"hunter2\"",
                vec!["signing-key: must be a private key for ECDSA on the curve P-256, in PEM"],
            ),
        ] {
            let (settings, found) = read(text);
            let faults: Vec<_> =
                faults.iter().map(|fault| format!("operators.pawapay.{fault}")).collect();
            assert!(settings.is_none() && found == faults, "{text}: {found:#?}");
        }
    }
}
