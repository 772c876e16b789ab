//! The form in which a person decides about a flagged payment.

use super::{confirmation::Confirmation, fields::Fields, formats, views};
use minijinja::{Value, context};
use tua_contract::{Amount, FailureCode};
use tua_domain::{
    Transaction,
    review::{DecisionNote, ReviewVerdict},
};

/// What the person filled in.
#[derive(Debug, Default)]
pub(super) struct ReviewForm {
    outcome: String,
    note: String,
    received: String,
    failure: String,
}

impl ReviewForm {
    pub(super) fn of(fields: &Fields) -> Self {
        let get = |name| fields.get(name).to_owned();
        Self {
            outcome: get("outcome"),
            note: get("note"),
            received: get("received"),
            failure: get("failure"),
        }
    }

    /// The verdict and the note; or the key of the text that says what is wrong.
    pub(super) fn read(&self) -> Result<(ReviewVerdict, DecisionNote), &'static str> {
        let note = self.note.parse::<DecisionNote>().map_err(|_| "fault-note")?;
        let received = match self.received.trim() {
            "" => None,
            sum => Some(Amount::parse_typed(sum).map_err(|_| "fault-received")?),
        };
        let failure = FailureCode::parse(&self.failure).unwrap_or(FailureCode::Unspecified);
        let verdict = match (self.outcome.as_str(), received) {
            ("successful", None) => ReviewVerdict::Successful,
            ("successful", Some(sum)) => ReviewVerdict::SuccessfulFor(sum),
            ("failed", None) => ReviewVerdict::Failed(failure),
            ("failed", Some(sum)) => ReviewVerdict::FailedDespite(failure, sum),
            _ => return Err("fault-outcome"),
        };
        Ok((verdict, note))
    }

    /// The question before the decision, with its sum; or the key of the text that says what is
    /// wrong.
    pub(super) fn confirmation(&self, payment: &Transaction) -> Result<Confirmation, &'static str> {
        let verdict = self.read()?.0;
        let is_sum_missing = self.received.trim().is_empty() && payment.mismatch.is_some();
        if is_sum_missing && !payment.state.is_final() {
            return Err("fault-sum-missing");
        }
        let (key, sum) = match verdict {
            ReviewVerdict::Successful => ("confirm-settle-successful", None),
            ReviewVerdict::SuccessfulFor(sum) => ("confirm-settle-successful", Some(sum)),
            ReviewVerdict::Failed(_) => ("confirm-settle-failed", None),
            ReviewVerdict::FailedDespite(_, sum) => ("confirm-settle-failed", Some(sum)),
        };
        let transfer = &payment.order.transfer;
        let back = format!("/payments/{}", payment.order.id);
        let who = formats::phone(transfer.phone.as_str());
        Ok(Confirmation {
            amount: Some(views::cedis(sum.unwrap_or(transfer.amount).pesewas())),
            fields: vec![
                ("outcome", self.outcome.clone()),
                ("note", self.note.clone()),
                ("received", self.received.clone()),
                ("failure", self.failure.clone()),
            ],
            ..Confirmation::of(key, who, format!("{back}/settle"), &back)
        })
    }

    /// The form as the page shows it. Until a sum is typed, it has the one that the operator
    /// reported.
    pub(super) fn show(&self, payment: &Transaction) -> Value {
        let reported = payment.mismatch.and_then(|mismatch| mismatch.received);
        let received = if self.received.trim().is_empty() {
            reported.map_or_else(String::new, |sum| sum.to_string())
        } else {
            self.received.clone()
        };
        context! { outcome => &self.outcome, note => &self.note, received, failure => &self.failure }
    }
}
