//! How a merchant's pages look to payers: an accent colour and a logo.

mod accent;
mod logo;

pub use accent::{Accent, NotAColour, Theme};
pub use logo::{LOGO_MAX_BYTES, LOGO_MAX_SIDE, Logo, LogoFault, LogoName};

/// What pages of an account carry. Without a value they have the service's own colours, and no
/// image.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Branding {
    /// The colour of buttons and marks.
    pub accent: Option<Accent>,
    /// The name of the image.
    pub logo: Option<LogoName>,
}

/// A change of the branding. The outer `None` leaves a value as it is, the inner one removes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BrandingChange {
    /// The colour of buttons and marks; `Some(None)` returns to the service's own.
    pub accent: Option<Option<Accent>>,
    /// The new image with its bytes; `Some(None)` removes the present one.
    pub logo: Option<Option<Logo>>,
}

impl BrandingChange {
    /// The branding after the change.
    #[must_use]
    pub fn apply(&self, before: &Branding) -> Branding {
        let logo = self.logo.as_ref().map(|logo| logo.as_ref().map(|logo| logo.name.clone()));
        Branding {
            accent: self.accent.unwrap_or(before.accent),
            logo: logo.unwrap_or_else(|| before.logo.clone()),
        }
    }
}
