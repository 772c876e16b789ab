//! Webhook endpoints as responses show them.

use super::format::{optional_rfc3339, rfc3339};
use crate::values;
use jiff::Timestamp;
use serde::Serialize;
use std::fmt;
use tua_domain::webhook::Endpoint;
use utoipa::ToSchema;

/// A webhook endpoint, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookEndpoint)]
pub struct WebhookEndpointView<'a> {
    #[schema(examples("whe_019aa5f0c2007d3e8a1b4c5d6e7f8098"))]
    endpoint_id: &'a str,
    /// The address that events are sent to.
    #[schema(examples("https://shop.example/webhooks"))]
    url: &'a str,
    #[schema(value_type = values::LiveOrTest)]
    mode: &'static str,
    #[schema(value_type = values::EndpointStatus)]
    status: &'static str,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    created_at: Timestamp,
    /// When it was disabled. Null while it is enabled.
    #[serde(serialize_with = "optional_rfc3339")]
    #[schema(required, value_type = Option<values::Time>)]
    disabled_at: Option<Timestamp>,
    /// Until when the previous secret signs too. Null where only one secret signs.
    #[serde(serialize_with = "optional_rfc3339")]
    #[schema(required, value_type = Option<values::Time>)]
    old_secret_until: Option<Timestamp>,
}

/// A webhook endpoint with its new secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookEndpointWithSecret)]
pub struct WebhookEndpointWithSecretView<'a> {
    /// The endpoint as it is now.
    #[serde(flatten)]
    pub endpoint: WebhookEndpointView<'a>,
    /// The secret that signs the events. It is in this one response. Null in the response to a
    /// repeated request.
    #[schema(required, examples("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))]
    pub secret: Option<&'a str>,
}

// Hides the secret.
impl fmt::Debug for WebhookEndpointWithSecretView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut view = f.debug_struct("WebhookEndpointWithSecretView");
        view.field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

/// A webhook endpoint that was enabled.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EnabledWebhookEndpoint)]
pub struct EnabledWebhookEndpointView<'a> {
    /// The endpoint as it is now.
    #[serde(flatten)]
    pub endpoint: WebhookEndpointView<'a>,
    /// How many events were recorded while it was disabled. With `resend` they are sent now.
    #[schema(examples(12))]
    pub recorded_events: u64,
}

impl<'a> WebhookEndpointView<'a> {
    /// An endpoint as it is at this time.
    pub fn new(endpoint: &'a Endpoint, now: Timestamp) -> Self {
        let status = match (endpoint.removed_at, endpoint.disabled_at) {
            (Some(_), _) => "REMOVED",
            (None, Some(_)) => "DISABLED",
            (None, None) => "ENABLED",
        };
        let old_secret_until = endpoint.old_secret.as_ref().map(|(_, until)| *until);
        Self {
            endpoint_id: endpoint.id.as_str(),
            url: &endpoint.url,
            mode: endpoint.scope.mode.as_str(),
            status,
            created_at: endpoint.created_at,
            disabled_at: endpoint.disabled_at,
            old_secret_until: old_secret_until.filter(|until| *until > now),
        }
    }
}
