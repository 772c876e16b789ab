//! Hubtel's own settings (docs/operators/hubtel.md).

use crate::{environment::Environment, settings::SettingsReader};
use secrecy::SecretString;
use tua_domain::credential_field::{CredentialField, CredentialKind as K, FieldNeed as N};

/// The same settings as fields of the form in the dashboard.
pub const FIELDS: &[CredentialField] = &[
    CredentialField { key: "api-id", kind: K::Text, need: N::Required },
    CredentialField { key: "api-key", kind: K::Secret, need: N::Required },
    CredentialField { key: "pos-sales-id", kind: K::Text, need: N::Required },
    CredentialField { key: "prepaid-deposit-id", kind: K::Text, need: N::Optional },
];

/// The settings of a Hubtel account.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The id of the API key.
    pub api_id: String,
    /// The API key itself, the password of HTTP basic authentication.
    pub api_key: SecretString,
    /// The number of the account that receives money.
    pub pos_sales_id: String,
    /// The number of the prepaid account that money is sent from; without it there are no payouts.
    pub prepaid_deposit_id: Option<String>,
}

impl Settings {
    /// Reads the settings; faults are collected in the reader. `None` where there is one.
    pub fn read(reader: &mut SettingsReader, environment: Environment) -> Option<Self> {
        let api_id = reader.required_text("api-id");
        let api_key = reader.secret("api-key");
        let pos_sales_id = reader.required_text("pos-sales-id");
        let prepaid_deposit_id = reader.text("prepaid-deposit-id");
        let mut is_right = true;
        if environment == Environment::Sandbox {
            let fault = "Hubtel has no sandbox: every call moves real money; use \"production\", \
                or rehearse with `tua emulate`";
            reader.fault("environment", fault);
            is_right = false;
        }
        let ids = [("pos-sales-id", &pos_sales_id), ("prepaid-deposit-id", &prepaid_deposit_id)];
        for (key, id) in ids {
            // They are segments of paths.
            if id.as_ref().is_some_and(|id| !id.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
                reader.fault(key, "must have letters and digits only");
                is_right = false;
            }
        }
        if api_id.as_ref().is_some_and(|id| id.contains(':')) {
            reader.fault("api-id", "must not contain a colon");
            is_right = false;
        }
        Some(Self {
            api_id: api_id?,
            api_key: api_key?,
            pos_sales_id: pos_sales_id?,
            prepaid_deposit_id,
        })
        .filter(|_| is_right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, environment: Environment) -> (Option<Settings>, Vec<String>) {
        let mut reader = SettingsReader::new("operators.hubtel".to_owned(), text.parse().unwrap());
        let settings = Settings::read(&mut reader, environment);
        (settings, reader.finish())
    }

    #[test]
    fn there_is_no_sandbox_and_every_fault_is_reported() {
        let right = "api-id = \"a\"\napi-key = \"hunter2\"\npos-sales-id = \"11684\"";
        let (settings, faults) = read(right, Environment::Production);
        assert!(
            settings.is_some() && faults.is_empty() && !format!("{settings:?}").contains("hunter2")
        );
        let (settings, faults) = read(right, Environment::Sandbox);
        assert!(
            settings.is_none() && faults.len() == 1 && faults[0].contains("no sandbox"),
            "{faults:?}"
        );
        let wrong = "api-id = \"a:b\"\npos-sales-id = \"1/2\"\nprepaid-deposit-id = \"..\"";
        let (settings, faults) = read(wrong, Environment::Sandbox);
        assert!(settings.is_none() && faults.len() == 5, "{faults:?}");
    }
}
