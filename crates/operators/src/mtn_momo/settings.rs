//! The settings of `connector = "mtn-momo"` (docs/operators/mtn-momo.md#settings).

use crate::{environment::Environment, settings::SettingsReader};
use secrecy::SecretString;
use tua_domain::credential_field::{CredentialField, CredentialKind as K, FieldNeed as N};

/// The same settings as fields of the form in the dashboard. `target-environment`
/// is left out: production in Ghana has one.
pub const FIELDS: &[CredentialField] = &[
    CredentialField { key: "platform", kind: K::Choice(&["legacy", "2026"]), need: N::Optional },
    CredentialField { key: "collection.user", kind: K::Text, need: N::WithItsTable },
    CredentialField { key: "collection.key", kind: K::Secret, need: N::WithItsTable },
    CredentialField { key: "collection.subscription-key", kind: K::Secret, need: N::WithItsTable },
    CredentialField { key: "disbursement.user", kind: K::Text, need: N::WithItsTable },
    CredentialField { key: "disbursement.key", kind: K::Secret, need: N::WithItsTable },
    CredentialField {
        key: "disbursement.subscription-key",
        kind: K::Secret,
        need: N::WithItsTable,
    },
];

/// The settings of MTN MoMo.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where production's API is, unless the settings name a base URL.
    pub platform: Platform,
    /// The value of `X-Target-Environment`.
    pub target_environment: String,
    /// The credentials for charges; `None` where the merchant has no Collections product.
    pub collection: Option<Credentials>,
    /// The credentials for payouts and refunds; `None` where the merchant has no Disbursements
    /// product.
    pub disbursement: Option<Credentials>,
}

/// The credentials of one product.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The API user; on the platform of 2026, the User ID.
    pub user: String,
    /// The API key; on the platform of 2026, the Credential Token.
    pub key: SecretString,
    /// The subscription key of the product.
    pub subscription_key: SecretString,
}

/// MTN's production platforms. A pair of credentials, and a transaction, belong to one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Platform {
    /// The first one, which leaves service country by country. When Ghana's does is not known, so
    /// it is the default: the credentials that merchants have today are its credentials, and with
    /// others the token request is refused, which `tua operator check` reports before any payment.
    Legacy,
    /// The one that replaces it.
    Year2026,
}

impl Settings {
    /// Reads them. `None` where they have faults, which the reader then has.
    pub fn read(environment: Environment, reader: &mut SettingsReader) -> Option<Self> {
        let platform = reader.optional_choice(
            "platform",
            &[("legacy", Platform::Legacy), ("2026", Platform::Year2026)],
            Platform::Legacy,
        );
        let target_environment = reader.text("target-environment").unwrap_or_else(|| {
            let default = match environment {
                Environment::Production => "mtnghana",
                Environment::Sandbox => "sandbox",
            };
            default.to_owned()
        });
        let collection = read_credentials(reader, "collection");
        let disbursement = read_credentials(reader, "disbursement");
        match (collection, disbursement) {
            (Ok(None), Ok(None)) => {
                reader.fault("collection", "is required, or disbursement, or both");
                None
            }
            (Ok(collection), Ok(disbursement)) => {
                Some(Self { platform: platform?, target_environment, collection, disbursement })
            }
            (Err(Faulty), _) | (_, Err(Faulty)) => None,
        }
    }
}

/// A table has faults, which its reader has.
struct Faulty;

fn read_credentials(
    reader: &mut SettingsReader,
    product: &str,
) -> Result<Option<Credentials>, Faulty> {
    if !reader.has(product) {
        return Ok(None);
    }
    let mut table = reader.table(product).ok_or(Faulty)?;
    let user = table.required_text("user");
    let key = table.secret("key");
    let subscription_key = table.secret("subscription-key");
    reader.close(table);
    match (user, key, subscription_key) {
        (Some(user), Some(key), Some(subscription_key)) => {
            Ok(Some(Credentials { user, key, subscription_key }))
        }
        _ => Err(Faulty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connector::ConnectorSettings;

    fn read(environment: Environment, text: &str) -> (Option<Settings>, Vec<String>) {
        let mut reader = SettingsReader::new("operators.mtn".to_owned(), text.parse().unwrap());
        let settings = Settings::read(environment, &mut reader);
        (settings, reader.finish())
    }

    const COLLECTION: &str =
        "collection = { user = \"u=\", key = \"hunter2\", subscription-key = \"s3cret\" }\n";

    #[test]
    fn one_product_is_enough_and_the_rest_has_defaults() {
        let (settings, faults) = read(Environment::Production, COLLECTION);
        let settings = settings.unwrap();
        assert_eq!(
            (settings.platform, settings.target_environment.as_str()),
            (Platform::Legacy, "mtnghana")
        );
        assert!(
            settings.collection.is_some() && settings.disbursement.is_none() && faults.is_empty()
        );
        assert_eq!(
            settings.default_base_url(Environment::Production),
            "https://proxy.momoapi.mtn.com"
        );
        assert_eq!(
            settings.default_base_url(Environment::Sandbox),
            "https://sandbox.momodeveloper.mtn.com"
        );
        assert!(
            !format!("{settings:?}").contains("hunter2")
                && !format!("{settings:?}").contains("s3cret")
        );
        let (settings, _) =
            read(Environment::Production, &format!("platform = \"2026\"\n{COLLECTION}"));
        assert_eq!(
            settings.unwrap().default_base_url(Environment::Production),
            "https://momoapi.momo.africa"
        );
        let (settings, _) = read(Environment::Sandbox, COLLECTION);
        assert_eq!(settings.unwrap().target_environment, "sandbox");
    }

    #[test]
    fn every_fault_is_reported() {
        for (text, faults) in [
            ("", vec!["operators.mtn.collection: is required, or disbursement, or both"]),
            (
                "collection = { user = \"u\" }\nplatform = \"old\"",
                vec![
                    "operators.mtn.platform: \"old\" is not one of legacy, 2026",
                    "operators.mtn.collection.key: is required",
                    "operators.mtn.collection.subscription-key: is required",
                ],
            ),
            (
                "disbursement = 1",
                vec!["operators.mtn.disbursement: must be a table such as { user = \"…\" }"],
            ),
        ] {
            let (settings, found) = read(Environment::Production, text);
            assert!(settings.is_none() && found == faults, "{text}: {found:#?}");
        }
    }
}
