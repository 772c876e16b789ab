//! Money and times as the browser writes them.

use crate::browser;
use crate::locale::Format;

/// The browser's own formatting, in one language.
#[derive(Debug)]
pub(crate) struct Browser {
    language: String,
}

impl Browser {
    /// `language` is a BCP 47 tag, such as `en-GH`.
    pub(crate) fn new(language: &str) -> Self {
        Self { language: language.to_owned() }
    }
}

impl Format for Browser {
    fn money(&self, amount: &str, currency: &str) -> String {
        browser::money(&self.language, amount, currency).unwrap_or_else(|_| [currency, " ", amount].concat())
    }

    fn moment(&self, iso: &str) -> String {
        browser::moment(&self.language, iso).unwrap_or_else(|_| iso.to_owned())
    }
}
