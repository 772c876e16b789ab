//! How a merchant's pages look, as the API shows it.

use serde::Serialize;
use tua_domain::branding::{Branding, LogoName};
use utoipa::ToSchema;

/// The folder of logos and of the style sheets with accent colours.
pub const BRANDING: &str = "/branding";

/// How the merchant's pages look. A value is null if the merchant has not set it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Branding)]
pub struct BrandingView {
    /// The accent colour, as `#rrggbb` in lower case.
    #[schema(required, examples("#0a6a50"), pattern = "^#[0-9a-f]{6}$")]
    accent: Option<String>,
    /// The logo: a PNG of at most 256 × 256 pixels. The address changes with the picture.
    #[schema(required, format = "uri")]
    logo_url: Option<String>,
}

impl BrandingView {
    /// The branding, with the logo on the service's own address.
    pub fn new(branding: &Branding, public_url: &str) -> Self {
        let path = branding.logo.as_ref().map(logo_path);
        Self {
            accent: branding.accent.map(|accent| accent.to_string()),
            logo_url: path.map(|path| format!("{public_url}{path}")),
        }
    }
}

/// The path of a logo.
pub fn logo_path(name: &LogoName) -> String {
    format!("{BRANDING}/{}.png", name.as_str())
}
