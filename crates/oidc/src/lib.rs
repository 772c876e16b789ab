//! The sign-in provider of the dashboard (OpenID Connect Core 1.0): its settings, its discovery,
//! and the sign-in with an authorization code. The dashboard decides what an authenticated person
//! may do.

mod claims;
mod discovery;
mod error;
mod http_client;
mod provider;
pub mod settings;

pub use error::OidcError;
pub use provider::{AuthorizationRequest, CallbackQuery, Prompt, Provider};
pub use settings::OidcSettings;
