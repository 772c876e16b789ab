//! Money and times, formatted by the browser.

use crate::browser;
use crate::locale::Format;

/// The browser's own formats for one language.
#[derive(Debug)]
pub(crate) struct BrowserFormat {
    /// A BCP 47 tag, such as `en-GH`.
    language: String,
}

impl BrowserFormat {
    pub(crate) fn new(language: &str) -> Self {
        Self { language: language.to_owned() }
    }
}

impl Format for BrowserFormat {
    fn money(&self, amount: &str, currency: &str) -> String {
        browser::money(&self.language, amount, currency)
            .unwrap_or_else(|_| [currency, " ", amount].concat())
    }

    fn moment(&self, iso: &str) -> String {
        browser::moment(&self.language, iso).unwrap_or_else(|_| iso.to_owned())
    }
}
