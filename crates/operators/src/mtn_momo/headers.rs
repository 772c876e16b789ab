//! The names of MTN's own headers.

use reqwest::header::HeaderName;

/// The subscription key of a product.
pub(super) const SUBSCRIPTION_KEY: HeaderName =
    HeaderName::from_static("ocp-apim-subscription-key");
/// The country's system that executes an order.
pub(super) const TARGET_ENVIRONMENT: HeaderName = HeaderName::from_static("x-target-environment");
/// Our reference of an order.
pub(super) const REFERENCE_ID: HeaderName = HeaderName::from_static("x-reference-id");
/// Where the callback about an order goes.
pub(super) const CALLBACK_URL: HeaderName = HeaderName::from_static("x-callback-url");
