//! The webhook endpoint of the examples.

use super::examples::{Examples, created_at, json};
use jiff::SignedDuration;
use tua_api::resources::{WebhookEndpointView, WebhookEndpointWithSecretView};
use tua_domain::{
    AccountId, EndpointId, Mode, Scope, encrypted_secret::EncryptedSecret, webhook::Endpoint,
};

/// The secret of the examples.
pub(crate) const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// An enabled endpoint.
pub(crate) fn endpoint() -> Endpoint {
    Endpoint {
        id: EndpointId::new("whe_019aa5f0c2007d3e8a1b4c5d6e7f8098"),
        scope: Scope {
            account: AccountId::new("acc_019aa5f0c2007d3e8a1b4c5d6e7f8093"),
            mode: Mode::Test,
        },
        url: "https://shop.example/webhooks".to_owned(),
        secret: EncryptedSecret::from_bytes(Vec::new()),
        old_secret: None,
        created_at: created_at(),
        disabled_at: None,
        removed_at: None,
    }
}

/// An endpoint that was disabled.
pub(crate) fn disabled() -> Endpoint {
    Endpoint { disabled_at: Some(created_at()), ..endpoint() }
}

/// An endpoint as responses show it.
pub(crate) fn view(endpoint: &Endpoint) -> WebhookEndpointView<'_> {
    WebhookEndpointView::new(endpoint, created_at())
}

/// An endpoint that was just added.
pub(crate) fn added() -> Examples {
    let endpoint = endpoint();
    let added = WebhookEndpointWithSecretView { endpoint: view(&endpoint), secret: Some(SECRET) };
    vec![("added", json(&added))]
}

/// An endpoint with a new secret, while the previous one also signs.
pub(crate) fn rotated() -> Examples {
    let until = created_at() + SignedDuration::from_hours(24);
    let previous = EncryptedSecret::from_bytes(Vec::new());
    let endpoint = Endpoint { old_secret: Some((previous, until)), ..endpoint() };
    let rotated = WebhookEndpointWithSecretView { endpoint: view(&endpoint), secret: Some(SECRET) };
    vec![("rotated", json(&rotated))]
}

/// An enabled endpoint, and a disabled one.
pub(crate) fn each() -> Examples {
    vec![("enabled", json(&view(&endpoint()))), ("disabled", json(&view(&disabled())))]
}
