//! The step before something that cannot be undone: it says what would happen, with sum and person,
//! and does it only when the person confirms.

use super::{fields::Fields, visitor::Visitor};
use axum::{http::StatusCode, response::Response};
use minijinja::{Value, context};

/// The field that a confirmed form has.
pub(super) const FIELD: &str = "confirmed";

/// The value of the field where no sum is confirmed.
const YES: &str = "yes";

/// What a person is asked to confirm.
#[derive(Clone, Debug)]
pub(super) struct Confirmation {
    /// The key of the question, and with `-verb` that of the button.
    pub(super) key: &'static str,
    /// The sum of the texts; `None` where no money moves.
    pub(super) amount: Option<Value>,
    /// How many payouts the texts are about.
    pub(super) count: usize,
    /// The person or thing of the texts.
    pub(super) who: String,
    /// The key of a text within the texts, such as that of a role; empty for none.
    pub(super) what: String,
    /// The limits that would change, each with its values before and after.
    pub(super) limits: Vec<Value>,
    /// The payment that is refunded, as lists show it; `None` for other questions.
    pub(super) payment: Option<Value>,
    /// The figures of a day that is closed, and what does not agree; `None` for other questions.
    pub(super) day: Option<Value>,
    /// What is confirmed: the sum in pesewas, or nothing special.
    pub(super) confirmed: String,
    /// The other fields of the form.
    pub(super) fields: Vec<(&'static str, String)>,
    /// The note that the person writes with it; `None` where none is asked for.
    pub(super) note: Option<AskedNote>,
    /// Where the form is sent, below the account and mode of the page.
    pub(super) action: String,
    /// The page to go back to, below the account and mode.
    pub(super) back: String,
}

/// The note that a person writes with a confirmation.
#[derive(Clone, Debug)]
pub(super) struct AskedNote {
    /// What was typed.
    pub(super) value: String,
    /// The key of the text that says what is wrong; empty for nothing.
    pub(super) fault: &'static str,
}

impl Confirmation {
    /// The question about one thing, without money.
    pub(super) fn of(key: &'static str, who: String, action: String, back: &str) -> Self {
        Self {
            key,
            amount: None,
            count: 1,
            who,
            what: String::new(),
            limits: Vec::new(),
            payment: None,
            day: None,
            confirmed: YES.to_owned(),
            fields: Vec::new(),
            note: None,
            action,
            back: back.to_owned(),
        }
    }

    /// All fields of the form, with the one that says what is confirmed.
    pub(super) fn all_fields(&self) -> Vec<(String, String)> {
        let confirmed = (FIELD, self.confirmed.clone());
        let fields = self.fields.iter().cloned().chain([confirmed]);
        fields.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The keys of question and button, with the values of both.
    pub(super) fn texts(&self) -> Value {
        context! {
            question => self.key,
            verb => format!("{}-verb", self.key),
            amount => self.amount.clone().unwrap_or_else(|| Value::from("")),
            who => &self.who,
            count => self.count,
            what => &self.what,
        }
    }

    /// The same question, after a note that was refused.
    pub(super) fn with_note_fault(self, fault: &'static str) -> Self {
        Self { note: self.note.map(|note| AskedNote { fault, ..note }), ..self }
    }

    /// The page with the question.
    pub(super) fn page(&self, visitor: &Visitor) -> Response {
        let note = self.note.as_ref();
        let is_refused = note.is_some_and(|note| !note.fault.is_empty());
        let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        let values = context! {
            limits => &self.limits,
            payment => &self.payment,
            day => &self.day,
            note => note.map(|note| context! { value => &note.value, fault => note.fault }),
            action => visitor.href(&self.action),
            back => visitor.href(&self.back),
            fields => self.all_fields(),
            ..self.texts()
        };
        visitor.page_with(status, "confirm.html", values)
    }
}

/// Whether the person has confirmed what needs no sum.
pub(super) fn is_confirmed(fields: &Fields) -> bool {
    fields.get(FIELD) == YES
}

/// The sum that the person has confirmed, in pesewas.
pub(super) fn confirmed_pesewas(fields: &Fields) -> Option<i64> {
    fields.get(FIELD).parse().ok()
}
