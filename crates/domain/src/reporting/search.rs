//! The text of a search box.

use crate::{TransactionId, bidi::is_bidi};
use tua_contract::{Amount, Phone};

/// The longest text that can be in a searched column, in bytes: an e-mail address (RFC 5321).
const MAX_BYTES: usize = 254;

/// One meaning of a search text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchTerm {
    /// The transaction's id, or our reference at the operator.
    Id(TransactionId),
    /// The merchant's reference, exactly.
    Reference(String),
    /// The operator's id of the transaction, exactly.
    OperatorId(String),
    /// The payer's or recipient's number.
    Phone(Phone),
    /// The payer's or recipient's e-mail address, exactly.
    Email(String),
    /// The amount of the transaction, exactly.
    Amount(Amount),
    /// What the payer paid, where that is not the amount.
    PayerPays(Amount),
}

/// A search text, with all its meanings. A transaction matches if it matches one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    text: String,
    terms: Vec<SearchTerm>,
    finds_newest_amounts: bool,
}

impl Search {
    /// Reads a search text; `None` if it is empty. Every other text is valid: one that cannot be in
    /// any column finds nothing. Marks of the direction of text, which a copied text may have, are
    /// left out, but a reference with them is found too.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let typed = text.trim();
        let visible: String = typed.chars().filter(|c| !is_bidi(*c)).collect();
        let text = visible.trim();
        if text.is_empty() {
            return None;
        }
        let is_possible = typed.len() <= MAX_BYTES && !text.chars().any(char::is_control);
        let mut terms = if is_possible { terms(text) } else { Vec::new() };
        if is_possible && text != typed {
            terms.push(SearchTerm::Reference(typed.to_owned()));
        }
        Some(Self { text: text.to_owned(), terms, finds_newest_amounts: false })
    }

    /// The search that looks for an amount among the newest [`MAX_COUNT`](super::totals::MAX_COUNT)
    /// transactions of the period only, as a page needs it: no index has the amounts.
    #[must_use]
    pub fn of_newest_amounts(self) -> Self {
        Self { finds_newest_amounts: true, ..self }
    }

    /// Whether it looks for an amount among the newest transactions only.
    #[must_use]
    pub fn finds_newest_amounts(&self) -> bool {
        self.finds_newest_amounts
            && self.terms.iter().any(|term| matches!(term, SearchTerm::Amount(_)))
    }

    /// The text, without surrounding white space and without marks of the direction of text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The meanings of the text.
    #[must_use]
    pub fn terms(&self) -> &[SearchTerm] {
        &self.terms
    }
}

fn terms(text: &str) -> Vec<SearchTerm> {
    let id = text.starts_with("txn_").then(|| TransactionId::new(text));
    // People paste references from files that are written in capitals.
    let id = id.or_else(|| TransactionId::of_written_reference(&text.to_lowercase()));
    let mut terms: Vec<SearchTerm> = id.map(SearchTerm::Id).into_iter().collect();
    terms.push(SearchTerm::Reference(text.to_owned()));
    terms.push(SearchTerm::OperatorId(text.to_owned()));
    terms.extend(Phone::parse_typed(text).ok().map(SearchTerm::Phone));
    if text.contains('@') {
        let lowercase = text.to_lowercase();
        let other = (lowercase != text).then_some(lowercase);
        terms.extend([text.to_owned()].into_iter().chain(other).map(SearchTerm::Email));
    }
    if let Ok(amount) = Amount::parse_typed(text) {
        terms.extend([SearchTerm::Amount(amount), SearchTerm::PayerPays(amount)]);
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<SearchTerm> {
        let terms = Search::parse(text).unwrap().terms().to_vec();
        let is_exact = |term: &SearchTerm| {
            matches!(term, SearchTerm::Reference(_) | SearchTerm::OperatorId(_))
        };
        terms.into_iter().filter(|term| !is_exact(term)).collect()
    }

    #[test]
    fn a_number_is_found_in_every_spelling() {
        let phone = SearchTerm::Phone(Phone::parse("0241234567").unwrap());
        for text in
            ["0241234567", "+233241234567", " 024 123 4567 ", "233 24 123 4567", "00233241234567"]
        {
            assert!(found(text).contains(&phone), "{text}");
        }
    }

    #[test]
    fn every_other_meaning_is_recognised() {
        let id = TransactionId::mint();
        assert_eq!(found(id.as_str()), [SearchTerm::Id(id.clone())]);
        assert_eq!(found(&id.operator_reference()), [SearchTerm::Id(id)]);
        let amount = Amount::from_pesewas(123_450).unwrap();
        let amount = [SearchTerm::Amount(amount), SearchTerm::PayerPays(amount)];
        for text in [
            "1234.50",
            "GHS 1,234.50",
            "GH₵1234.5",
            "GH¢1234.50",
            "1234.50 cedis",
            "1234,50",
            "١٢٣٤٫٥٠",
            "１２３４．５０",
        ] {
            assert_eq!(found(text), amount, "{text}");
        }
        let emails =
            ["Ama@Example.com", "ama@example.com"].map(|text| SearchTerm::Email(text.to_owned()));
        assert_eq!(found("Ama@Example.com"), emails);
        assert_eq!(found("order-7"), []);
        assert_eq!(found("\u{2066}GHS 1,234.50\u{2069}"), amount);
        for text in [" \t", "\u{202b} \u{200f}"] {
            assert_eq!(Search::parse(text), None);
        }
        let marked = Search::parse("\u{200f}order-7").unwrap();
        let reference = |text: &str| SearchTerm::Reference(text.to_owned());
        assert_eq!(marked.text(), "order-7");
        assert!(
            marked.terms().contains(&reference("order-7"))
                && marked.terms().contains(&reference("\u{200f}order-7"))
        );
        assert_eq!(Search::parse("a\0b").unwrap().terms(), []);
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_parser(text in "\\PC{0,300}") {
            let _ = Search::parse(&text);
        }
    }
}
