//! Sums of money as pages write them in each language.

use super::{language::Language, texts::grouped};
use minijinja::{
    Value,
    value::{Object, ObjectRepr},
};
use std::{fmt, sync::Arc};
use tua_contract::Amount;

/// A sum in pesewas. The template writes it in the language of the page.
#[derive(Debug)]
pub(super) struct Cedis(i64);

impl Cedis {
    /// The sum of a payment.
    pub(super) const fn of(amount: Amount) -> Self {
        Self(amount.pesewas())
    }

    /// A sum in pesewas, which may be below nought.
    pub(super) const fn of_pesewas(pesewas: i64) -> Self {
        Self(pesewas)
    }

    /// The value of a template.
    pub(super) fn value(pesewas: i64) -> Value {
        Value::from_object(Self(pesewas))
    }

    /// The sum in cedis with two decimals: `1,234.50`, or `1\u{202f}234,50` in French.
    pub(super) fn text(&self, language: Language) -> String {
        format!("{}{}", if self.0 < 0 { "-" } else { "" }, self.unsigned(language))
    }

    /// The sum with the sign of the cedi, as sentences have it: `GH₵1,234.50`.
    pub(super) fn signed(&self, language: Language) -> String {
        format!("{}GH₵{}", if self.0 < 0 { "−" } else { "" }, self.unsigned(language))
    }

    /// The whole cedis, as the scale of a plot has them: `1,234`.
    pub(super) fn whole(&self, language: Language) -> String {
        grouped(&(self.0.unsigned_abs() / 100).to_string(), language)
    }

    fn unsigned(&self, language: Language) -> String {
        let mark = match language {
            Language::English => '.',
            Language::French => ',',
        };
        format!("{}{mark}{:02}", self.whole(language), self.0.unsigned_abs() % 100)
    }
}

impl Object for Cedis {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_and_decimals_are_divided_as_the_language_does() {
        for (pesewas, english, french) in [
            (0, "0.00", "0,00"),
            (5, "0.05", "0,05"),
            (123_450, "1,234.50", "1\u{202f}234,50"),
            (-100_000_000, "-1,000,000.00", "-1\u{202f}000\u{202f}000,00"),
        ] {
            let cedis = Cedis(pesewas);
            assert_eq!(cedis.text(Language::English), english);
            assert_eq!(cedis.text(Language::French), french);
            assert_eq!(Cedis::value(pesewas).to_string(), english);
        }
        assert_eq!(Cedis(150_000).whole(Language::English), "1,500");
        assert_eq!(Cedis(123_450).signed(Language::English), "GH₵1,234.50");
        assert_eq!(Cedis(-5).signed(Language::English), "−GH₵0.05");
        assert_eq!(Cedis(-5).signed(Language::French), "−GH₵0,05");
    }
}
