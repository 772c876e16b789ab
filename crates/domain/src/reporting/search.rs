//! The text of a search box.

use crate::TransactionId;
use tua_contract::{Amount, Phone, plain_text::visible};

/// The longest text that can be in a searched column, in bytes: an e-mail address (RFC 5321).
const MAX_BYTES: usize = 254;

/// The longest text that is searched for the words in it, in bytes: a long SMS.
const MAX_PASTED_BYTES: usize = 1_000;

/// How many words of a text are looked for.
const MAX_WORDS: usize = 20;

/// The shortest part of a text or of a number that is looked for, in characters.
const MIN_PART_CHARS: usize = 3;

/// Among how many of the newest transactions of the period a page looks for parts of texts: no
/// index has them.
pub const MAX_PART_ROWS: u32 = 10_000;

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
    /// The payer's or recipient's e-mail address, in lower case; capitals do not matter.
    Email(String),
    /// The amount of the transaction, exactly.
    Amount(Amount),
    /// What the payer paid, where that is not the amount.
    PayerPays(Amount),
    /// A part of a reference, a note, an answer or a phone number, in lower case; capitals do not
    /// matter.
    Part(String),
}

/// A search text, with all its meanings. A transaction matches if it matches one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    text: String,
    terms: Vec<SearchTerm>,
    is_of_newest: bool,
}

impl Search {
    /// Reads a search text; `None` if it is empty. Every other text is valid: one that cannot be in
    /// any column finds nothing. Invisible characters, which a copied text may have, are left out,
    /// but a reference with them is found too.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let typed = text.trim();
        let visible = visible(typed);
        let text = &*visible;
        if text.is_empty() {
            return None;
        }
        let is_possible = typed.len() <= MAX_BYTES && !text.chars().any(char::is_control);
        let mut terms = if is_possible { terms(text) } else { Vec::new() };
        if typed.len() <= MAX_PASTED_BYTES && !typed.contains('\0') {
            for term in words(text).flat_map(exact_terms) {
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
        }
        if is_possible && text != typed {
            terms.push(SearchTerm::Reference(typed.to_owned()));
        }
        Some(Self { text: text.to_owned(), terms, is_of_newest: false })
    }

    /// The search for everything of one phone number.
    #[must_use]
    pub fn of_phone(phone: Phone) -> Self {
        let text = phone.as_str().to_owned();
        Self { text, terms: vec![SearchTerm::Phone(phone)], is_of_newest: false }
    }

    /// The search of a page: it looks for an amount among the newest
    /// [`MAX_COUNT`](super::totals::MAX_COUNT) transactions of the period only, and for parts of
    /// texts among the newest [`MAX_PART_ROWS`], because no index has them.
    #[must_use]
    pub fn of_newest(self) -> Self {
        Self { is_of_newest: true, ..self }
    }

    /// Whether it looks for an amount among the newest transactions only.
    #[must_use]
    pub fn finds_newest_amounts(&self) -> bool {
        self.is_of_newest && self.terms.iter().any(|term| matches!(term, SearchTerm::Amount(_)))
    }

    /// Whether it looks for parts of texts among the newest transactions only.
    #[must_use]
    pub fn finds_newest_parts(&self) -> bool {
        self.is_of_newest && self.terms.iter().any(|term| matches!(term, SearchTerm::Part(_)))
    }

    /// The text, without surrounding white space and without invisible characters.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The phone number that the text is, if it can be one.
    #[must_use]
    pub fn phone(&self) -> Option<&Phone> {
        self.terms.iter().find_map(|term| match term {
            SearchTerm::Phone(phone) => Some(phone),
            _ => None,
        })
    }

    /// The meanings of the text.
    #[must_use]
    pub fn terms(&self) -> &[SearchTerm] {
        &self.terms
    }
}

fn terms(text: &str) -> Vec<SearchTerm> {
    let mut terms = exact_terms(text);
    terms.extend(Phone::parse_typed(text).ok().map(SearchTerm::Phone));
    if text.contains('@') {
        // lower() of SQLite leaves letters other than ASCII as they are, and that of PostgreSQL
        // follows the locale of the database.
        let lowercase = text.to_ascii_lowercase();
        let other = Some(text.to_lowercase()).filter(|other| *other != lowercase);
        terms.extend([lowercase].into_iter().chain(other).map(SearchTerm::Email));
    }
    if let Ok(amount) = Amount::parse_typed(text) {
        terms.extend([SearchTerm::Amount(amount), SearchTerm::PayerPays(amount)]);
    }
    let is_whole = terms.iter().any(|term| {
        matches!(term, SearchTerm::Id(_) | SearchTerm::Phone(_) | SearchTerm::Email(_))
    });
    if !is_whole && text.chars().count() >= MIN_PART_CHARS {
        terms.push(SearchTerm::Part(text.to_lowercase()));
    }
    terms
}

/// The meanings of a text that an index finds: an id, or a reference in the capitals of the text,
/// in capitals alone or without any.
fn exact_terms(text: &str) -> Vec<SearchTerm> {
    let id = text.starts_with("txn_").then(|| TransactionId::new(text));
    // People paste references from files that are written in capitals.
    let id = id.or_else(|| TransactionId::of_written_reference(&text.to_lowercase()));
    let mut terms: Vec<SearchTerm> = id.map(SearchTerm::Id).into_iter().collect();
    let mut spellings = vec![text.to_owned()];
    for other in [text.to_uppercase(), text.to_lowercase()] {
        if !spellings.contains(&other) {
            spellings.push(other);
        }
    }
    terms.extend(spellings.iter().cloned().map(SearchTerm::Reference));
    terms.extend(spellings.into_iter().map(SearchTerm::OperatorId));
    terms
}

/// The words of a text that may be ids or references: those with a digit, without the marks around
/// them. An SMS that is pasted whole has the operator's id in it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')'));
    let words = words.map(move |word| word.trim_matches(is_mark));
    let is_id =
        |word: &&str| (5..=64).contains(&word.len()) && word.chars().any(|c| c.is_ascii_digit());
    words.filter(is_id).take(MAX_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<SearchTerm> {
        let terms = Search::parse(text).unwrap().terms().to_vec();
        let is_exact = |term: &SearchTerm| {
            matches!(
                term,
                SearchTerm::Reference(_) | SearchTerm::OperatorId(_) | SearchTerm::Part(_)
            )
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
        let emails = |texts: &[&str]| -> Vec<_> {
            texts.iter().map(|text| SearchTerm::Email((*text).to_owned())).collect()
        };
        assert_eq!(found("Ama@Example.com"), emails(&["ama@example.com"]));
        assert_eq!(found("\u{feff}a\u{ad}ma@example.com\u{200b}"), emails(&["ama@example.com"]));
        assert_eq!(found("ÄMA@example.com"), emails(&["Äma@example.com", "äma@example.com"]));
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

    #[test]
    fn the_id_is_found_in_an_sms_and_behind_marks() {
        let sms = "Payment received for GHS 24.50 from AMA MENSAH. Current Balance: GHS 80.00. \
                   Reference: rent. Transaction ID: 40561234567. TRANSACTION FEE: 0.00. Thank you \
                   for using MTN MobileMoney. Dial *170# to check your balance, and keep your PIN \
                   to yourself. MTN never asks for it.";
        let id = SearchTerm::OperatorId("40561234567".to_owned());
        assert!(sms.len() > MAX_BYTES);
        for text in [sms, "40561234567.", "(40561234567)", "ID: 40561234567,"] {
            assert!(Search::parse(text).unwrap().terms().contains(&id), "{text}");
        }
        let terms = Search::parse("inv-3908").unwrap().terms().to_vec();
        assert!(terms.contains(&SearchTerm::Reference("INV-3908".to_owned())));
        assert!(terms.contains(&SearchTerm::Part("inv-3908".to_owned())));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_parser(text in "\\PC{0,300}") {
            let _ = Search::parse(&text);
        }
    }
}
