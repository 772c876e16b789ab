//! The list of connectors. A new connector adds a line to [`ALL`], and its form to [`FORMS`].

use super::{
    connector::ConnectorSettings, environment::Environment, hubtel, mtn_momo, pawapay, paystack,
    settings::SettingsReader,
};
use std::sync::Arc;
use tua_domain::credential_field::ConnectorForm;

/// The connectors that settings can name.
pub const ALL: &[ConnectorKind] = &[
    ConnectorKind {
        name: "mtn-momo",
        read: |environment, reader| read(mtn_momo::settings::Settings::read(environment, reader)),
    },
    ConnectorKind {
        name: "hubtel",
        read: |environment, reader| read(hubtel::settings::Settings::read(reader, environment)),
    },
    ConnectorKind {
        name: "pawapay",
        read: |_, reader| read(pawapay::settings::Settings::read(reader)),
    },
    ConnectorKind {
        name: "paystack",
        read: |environment, reader| read(paystack::settings::Settings::read(reader, environment)),
    },
];

/// The forms in which people type the credentials of these connectors in the dashboard.
pub const FORMS: &[ConnectorForm] = &[
    ConnectorForm { connector: "mtn-momo", title: "MTN MoMo", fields: mtn_momo::settings::FIELDS },
    ConnectorForm { connector: "hubtel", title: "Hubtel", fields: hubtel::settings::FIELDS },
    ConnectorForm { connector: "paystack", title: "Paystack", fields: paystack::settings::FIELDS },
    ConnectorForm { connector: "pawapay", title: "pawaPay", fields: pawapay::settings::FIELDS },
];

fn read(settings: Option<impl ConnectorSettings>) -> Option<Arc<dyn ConnectorSettings>> {
    settings.map(|settings| Arc::new(settings) as Arc<dyn ConnectorSettings>)
}

/// A connector, as the settings name it.
#[derive(Clone, Copy, Debug)]
pub struct ConnectorKind {
    /// The name in the settings: `connector = "…"`.
    pub name: &'static str,
    /// Reads the connector's own settings. `None` where they have faults, which the reader then
    /// has.
    pub read: fn(Environment, &mut SettingsReader) -> Option<Arc<dyn ConnectorSettings>>,
}
