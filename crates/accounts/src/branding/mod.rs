//! How a merchant's pages look to payers: an accent colour and a logo.

mod accent;
mod logo;

pub use accent::{Accent, NotAColour, Theme};
pub use logo::{LOGO_MAX_BYTES, LOGO_MAX_SIDE, Logo, LogoFault, LogoName};

use crate::change::Change;

/// What pages of an account carry. Without a value they have the service's own colours, and no
/// image.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Branding {
    /// The colour of buttons and marks.
    pub accent: Option<Accent>,
    /// The name of the image.
    pub logo: Option<LogoName>,
}

/// A change of the branding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BrandingChange {
    /// The colour of buttons and marks; [`Change::Clear`] returns to the service's own.
    pub accent: Change<Accent>,
    /// The image with its bytes.
    pub logo: Change<Logo>,
}

impl BrandingChange {
    /// The branding after the change.
    #[must_use]
    pub fn apply(&self, before: &Branding) -> Branding {
        let logo = match &self.logo {
            Change::Keep => before.logo.clone(),
            Change::Clear => None,
            Change::Set(logo) => Some(logo.name.clone()),
        };
        Branding { accent: self.accent.apply(before.accent), logo }
    }
}
