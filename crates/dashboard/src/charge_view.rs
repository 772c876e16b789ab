//! A charge as the people who asked for it see it, and the code that its payer tells them.

use super::{
    error::DashboardError, money_form::FieldFault, state::DashboardState, views, visitor::Visitor,
};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use minijinja::{Value, context};
use tua_contract::{Code, State as PaymentState, Status};
use tua_domain::{
    Transaction,
    people::Permission,
    ports::CodeAttemptError,
    transfer::{Note, NoteAudience},
    verdict::CodeVerdict,
};
use tua_use_cases::{CodeChecked, CodeSubmitter};

/// For how long after its last change a paid charge is announced.
const ANNOUNCED_FOR: SignedDuration = SignedDuration::from_mins(2);

/// What a page shows of a charge. Only one that the operator has confirmed just now is announced.
/// Only one that surely moved no money is asked for again.
pub(super) fn charge(charge: &Transaction, now: Timestamp) -> Value {
    let pesewas = charge.order.transfer.amount.pesewas();
    let is_paid = charge.state == PaymentState::Successful;
    let has_failed = matches!(charge.state, PaymentState::Failed(_));
    let is_contradicted = charge.open_conflict().is_some()
        || charge.open_dispute().is_some()
        || charge.decision() == Some(Status::Successful);
    context! {
        can_ask_again => has_failed && !is_contradicted,
        has_receipt => charge.has_receipt(),
        number => super::money_form::grouped(&charge.order.transfer.phone),
        at => charge.created_at.to_zoned(TimeZone::UTC).strftime("%H:%M").to_string(),
        is_fresh => is_paid && now.duration_since(charge.updated_at) < ANNOUNCED_FOR,
        say => if pesewas % 100 == 0 { "ask-say" } else { "ask-say-pesewas" },
        cedis => pesewas / 100,
        pesewas => pesewas % 100,
        ..views::transaction(charge)
    }
}

/// The notes of a charge that the person may see. Private ones are for people who read payments.
pub(super) fn visible_notes(charge: &Transaction, visitor: &Visitor) -> Vec<Value> {
    let reads_payments = visitor.may(Permission::ReadPayments);
    let notes = charge.order.notes().into_iter();
    let is_visible = |note: &Note<'_>| reads_payments || note.audience == NoteAudience::Payer;
    notes.filter(is_visible).map(|note| views::note(&charge.order, &note)).collect()
}

/// Passes a code on to the operator. Returns the charge as it then stands, and why the code did
/// not lead on.
pub(super) async fn submit_code(
    state: &DashboardState,
    visitor: &Visitor,
    charge: Transaction,
    typed: &str,
) -> Result<(Transaction, Option<FieldFault>), DashboardError> {
    let Ok(code) = Code::parse_typed(typed) else {
        return Ok((charge, Some(FieldFault::key("ask-code-shape"))));
    };
    let submitter = CodeSubmitter::Person(visitor.scope.clone());
    let id = charge.order.id.clone();
    let fault = match state.codes.submit_form(submitter, id, code).await {
        Ok(CodeChecked { transaction, verdict }) => {
            let fault = verdict_fault(&transaction, verdict);
            return Ok((transaction, fault));
        }
        Err(CodeAttemptError::Exceeded(exceeded)) => {
            FieldFault::limited("ask-code-often", exceeded)
        }
        Err(CodeAttemptError::NotExpected | CodeAttemptError::Repeat(_)) => {
            FieldFault::key("ask-code-late")
        }
        Err(CodeAttemptError::NotFound) => return Err(DashboardError::NotFound),
        Err(CodeAttemptError::Store(error)) => return Err(error.into()),
    };
    Ok((charge, Some(fault)))
}

/// Why the payer's code did not lead on, while the charge still waits for one.
fn verdict_fault(charge: &Transaction, verdict: CodeVerdict) -> Option<FieldFault> {
    if !charge.state.expects_code() {
        return None;
    }
    match verdict {
        CodeVerdict::Wrong => {
            let left = charge.code_attempts_left().unwrap_or_default();
            Some(FieldFault::with("ask-code-wrong", left))
        }
        CodeVerdict::Unknown => Some(FieldFault::key("ask-code-unknown")),
        CodeVerdict::Accepted | CodeVerdict::Exhausted => None,
    }
}
