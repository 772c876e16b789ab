//! Connects operators with credentials that people typed in the dashboard. The connectors read them
//! with the same readers as the settings file.

use super::{
    connection::{CALL_TIMEOUT, ConnectionParts, ConnectionSettings},
    connector::{ConnectorSettings, Target},
    connectors::{self, ConnectorKind},
    environment::Environment,
    settings::SettingsReader,
};
use std::{collections::BTreeMap, fmt, sync::Arc};
use toml::{Table, Value};
use tua_domain::{
    ConnectedOperatorId,
    connected_operator::ConnectedOperator,
    credential_field::{ConnectorForm, CredentialFault, CredentialField, CredentialKind},
    ports::{Operator, OperatorConnector},
};
use url::Url;

/// The longest value of a field, in bytes.
const MAX_VALUE_BYTES: usize = 8192;

/// What the faults of the readers begin with.
const READER_NAME: &str = "credentials";

/// The value of a switch that is on, as a browser sends it.
const FLAG_ON: &str = "yes";

/// The address of callbacks of an operator with this name.
type CallbackUrl = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Connects operators with credentials that people typed.
#[derive(Clone)]
pub struct DashboardConnector {
    /// What the connections share.
    pub parts: ConnectionParts,
    /// The emulator that is called in place of every operator, for rehearsals and tests.
    pub emulator: Option<Url>,
    /// Where the callbacks of an operator arrive.
    pub callback_url: CallbackUrl,
}

impl fmt::Debug for DashboardConnector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let emulator = self.emulator.as_ref().map(Url::as_str);
        f.debug_struct("DashboardConnector").field("emulator", &emulator).finish_non_exhaustive()
    }
}

impl OperatorConnector for DashboardConnector {
    fn forms(&self) -> &'static [ConnectorForm] {
        connectors::FORMS
    }

    fn read(
        &self,
        form: &ConnectorForm,
        values: &BTreeMap<String, String>,
    ) -> Result<String, Vec<CredentialFault>> {
        let mut faults: Vec<CredentialFault> =
            form.fields.iter().filter_map(|field| character_fault(field, values)).collect();
        let table = table(form, values);
        if let Err(read) = read_table(form.connector, table.clone()) {
            faults.extend(read);
        }
        let text = serde_json::to_string(&table);
        match text {
            Ok(text) if faults.is_empty() => Ok(text),
            _ => Err(faults),
        }
    }

    fn connect(
        &self,
        entry: &ConnectedOperator,
        credentials: &str,
    ) -> Result<Arc<dyn Operator>, String> {
        let connector = read_text(&entry.connector, credentials)?;
        let base_url = match &self.emulator {
            Some(emulator) => {
                let emulator = emulator.as_str().trim_end_matches('/');
                format!("{emulator}/{}", entry.connector)
            }
            None => connector.default_base_url(Environment::Production).to_owned(),
        };
        let base_url =
            Url::parse(&base_url).map_err(|error| format!("its address {base_url}: {error}"))?;
        connector.connect(Target {
            environment: Environment::Production,
            connection: ConnectionSettings {
                operator: entry.name.to_string(),
                base_url,
                outbound_proxy: None,
                reads_per_second: connector.reads_per_second(),
                call_timeout: CALL_TIMEOUT,
            },
            has_own_base_url: self.emulator.is_some(),
            parts: self.parts.clone(),
            callback_url: self.callback_url(&entry.id),
        })
    }

    fn shown_values(&self, form: &ConnectorForm, credentials: &str) -> BTreeMap<String, String> {
        let table: Table = serde_json::from_str(credentials).unwrap_or_default();
        let shown = form.fields.iter().filter(|field| !field.kind.is_secret());
        let values = shown.filter_map(|field| {
            let value = match field.key.split_once('.') {
                None => table.get(field.key),
                Some((inner, key)) => table.get(inner).and_then(|inner| inner.get(key)),
            };
            let text = match value? {
                Value::String(text) => text.clone(),
                Value::Boolean(true) => FLAG_ON.to_owned(),
                _ => return None,
            };
            Some((field.key.to_owned(), text))
        });
        values.collect()
    }

    fn is_same_merchant(&self, connector: &str, one: &str, other: &str) -> bool {
        let (Ok(one), Ok(other)) = (read_text(connector, one), read_text(connector, other)) else {
            return true;
        };
        let others = other.merchant_identity();
        let is_other = |(key, value): &(&str, &str)| {
            others.iter().any(|(other_key, other)| other_key == key && other != value)
        };
        let base_url = |settings: &Arc<dyn ConnectorSettings>| {
            settings.default_base_url(Environment::Production).to_owned()
        };
        base_url(&one) == base_url(&other) && !one.merchant_identity().iter().any(is_other)
    }

    fn callback_url(&self, id: &ConnectedOperatorId) -> String {
        (self.callback_url)(id.as_str())
    }
}

/// The typed values as the table of settings that the connector reads. What is not typed is left
/// out, and so is a table without any value.
fn table(form: &ConnectorForm, values: &BTreeMap<String, String>) -> Table {
    let mut table = Table::new();
    for field in form.fields {
        let typed = values.get(field.key).map_or("", |value| value.trim());
        let value = match field.kind {
            CredentialKind::Flag => Value::Boolean(typed == FLAG_ON),
            _ if typed.is_empty() => continue,
            CredentialKind::SecretLines => Value::String(typed.replace("\r\n", "\n")),
            _ => Value::String(typed.to_owned()),
        };
        match field.key.split_once('.') {
            None => drop(table.insert(field.key.to_owned(), value)),
            Some((inner, key)) => {
                let inner = table.entry(inner).or_insert_with(|| Value::Table(Table::new()));
                if let Value::Table(inner) = inner {
                    inner.insert(key.to_owned(), value);
                }
            }
        }
    }
    table
}

fn character_fault(
    field: &CredentialField,
    values: &BTreeMap<String, String>,
) -> Option<CredentialFault> {
    let value = values.get(field.key)?.trim();
    let may_have_lines = field.kind == CredentialKind::SecretLines;
    let is_allowed = |c: char| !c.is_control() || may_have_lines && matches!(c, '\r' | '\n');
    let fault = if value.len() > MAX_VALUE_BYTES {
        "is too long"
    } else if !value.chars().all(is_allowed) {
        "has a character that does not belong there, such as a line break"
    } else {
        return None;
    };
    Some(CredentialFault { key: field.key.to_owned(), fault: fault.to_owned() })
}

/// Reads credentials from the text that was encrypted.
fn read_text(connector: &str, credentials: &str) -> Result<Arc<dyn ConnectorSettings>, String> {
    // The error of the parser would repeat a part of the text.
    let table: Table = serde_json::from_str(credentials)
        .map_err(|_| "its credentials are not readable".to_owned())?;
    read_table(connector, table).map_err(|faults| {
        let faults = faults.iter().map(|one| format!("{}: {}", one.key, one.fault));
        faults.collect::<Vec<_>>().join("; ")
    })
}

/// Reads the settings of a connector as those of its production system.
fn read_table(
    connector: &str,
    table: Table,
) -> Result<Arc<dyn ConnectorSettings>, Vec<CredentialFault>> {
    let fault =
        |key: &str, fault: &str| CredentialFault { key: key.to_owned(), fault: fault.to_owned() };
    let kind: Option<&ConnectorKind> = connectors::ALL.iter().find(|kind| kind.name == connector);
    let Some(kind) = kind else {
        return Err(vec![fault("", "this version has no such connector")]);
    };
    let mut reader = SettingsReader::new(READER_NAME.to_owned(), table);
    let settings = (kind.read)(Environment::Production, &mut reader);
    let faults = reader.finish();
    match settings {
        Some(settings) if faults.is_empty() => Ok(settings),
        _ => Err(faults
            .iter()
            .map(|sentence| {
                let (key, text) = sentence.split_once(": ").unwrap_or(("", sentence));
                let prefix = format!("{READER_NAME}.");
                fault(key.strip_prefix(&prefix).unwrap_or(key), text)
            })
            .collect()),
    }
}

#[cfg(test)]
mod tests;
