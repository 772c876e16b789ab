//! Asks a payer for money, on the page of the dashboard and at the till: the form, and the page
//! that follows the charge to its outcome.

use super::{
    ask_form::AskForm,
    charge_view,
    error::{DashboardError, redirect},
    fields::Fields,
    first_steps,
    money_form::{self, Faults, FieldFault},
    payment::PathValues,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{http::StatusCode, response::Response};
use jiff::SignedDuration;
use minijinja::{Value, context};
use tua_domain::{
    Kind, Mode, Transaction, TransactionId,
    idempotency::{IdempotencyKey, RepeatError},
    instruction::Instruction,
    people::Permission,
    ports::BeginError,
};

/// How many charges of the day the page lists.
const LISTED: u32 = 10;

/// For how long the page of a charge is loaded again by itself where there is no script. Each time
/// it transfers a whole page, so it must not go on for ever.
const REFRESHED_FOR: SignedDuration = SignedDuration::from_mins(3);

/// The page on which a person asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AskPage {
    /// A page of the dashboard, with the navigation.
    Dashboard,
    /// The till, without the navigation.
    Till,
}

/// What became of a form.
#[derive(Debug)]
pub(super) enum Asked {
    /// The payer is asked.
    Begun(TransactionId),
    /// Nothing was begun. The form is shown again.
    Refused(AskForm, Faults),
}

impl AskPage {
    /// The path of the page, below account and mode.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Dashboard => "/ask",
            Self::Till => "/till",
        }
    }

    const fn form_template(self) -> &'static str {
        match self {
            Self::Dashboard => "ask.html",
            Self::Till => "till.html",
        }
    }

    const fn charge_template(self) -> &'static str {
        match self {
            Self::Dashboard => "ask_charge.html",
            Self::Till => "till_charge.html",
        }
    }

    /// The page with the form and the newest charges of the day. `more` is what only this page
    /// shows.
    pub(super) async fn show(
        self,
        state: &DashboardState,
        visitor: &Visitor,
        form: &AskForm,
        faults: &Faults,
        more: Value,
    ) -> Result<Response, DashboardError> {
        let charges = state.day_charges.newest(&visitor.scope, LISTED).await?;
        let now = state.clock.now();
        let rows = charges.iter().map(|charge| charge_view::charge(charge, now));
        let values = context! {
            address => visitor.href(self.path()),
            networks => money_form::networks(state, visitor, Kind::Charge),
            prefixes => money_form::prefixes(),
            fields => faults.fields(form.typed()),
            fault => faults.of_form(),
            has_faults => !faults.is_empty(),
            key => form.key().or_new(),
            pending => form.pending().map(TransactionId::as_str),
            rows => rows.collect::<Vec<_>>(),
            ..more
        };
        let status =
            if faults.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
        Ok(visitor.page_with(status, self.form_template(), values))
    }

    /// `GET …/{id}`: what became of a charge.
    pub(super) async fn follow(
        self,
        state: &DashboardState,
        visitor: &Visitor,
        path: &PathValues,
    ) -> Result<Response, DashboardError> {
        let charge = find(state, visitor, path).await?;
        Ok(self.charge_page(state, visitor, &charge, None))
    }

    /// `POST …/{id}/code`: passes the code on that the payer has told.
    pub(super) async fn submit_code(
        self,
        state: &DashboardState,
        visitor: &Visitor,
        path: &PathValues,
        fields: &Fields,
    ) -> Result<Response, DashboardError> {
        let charge = find(state, visitor, path).await?;
        let (charge, fault) =
            charge_view::submit_code(state, visitor, charge, fields.get("code")).await?;
        Ok(match fault {
            Some(fault) => self.charge_page(state, visitor, &charge, Some(fault.value())),
            None => redirect(&visitor.href(&format!("{}/{}", self.path(), charge.order.id))),
        })
    }

    fn charge_page(
        self,
        state: &DashboardState,
        visitor: &Visitor,
        charge: &Transaction,
        code_fault: Option<Value>,
    ) -> Response {
        let now = state.clock.now();
        let expects_code = charge.state.expects_code();
        // What somebody is typing would be lost.
        let refreshes = !charge.state.is_final()
            && !expects_code
            && now.duration_since(charge.created_at) < REFRESHED_FOR;
        let status =
            if code_fault.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        let values = context! {
            address => visitor.href(self.path()),
            charge => charge_view::charge(charge, now),
            notes => charge_view::visible_notes(charge, visitor),
            simulated_phone => simulated_phone(state, visitor),
            expects_code,
            code_fault,
            refreshes,
        };
        visitor.page_with(status, self.charge_template(), values)
    }
}

/// The address of the phone on which test payments are approved; `None` in live mode, and where it
/// is not served.
fn simulated_phone(state: &DashboardState, visitor: &Visitor) -> Option<String> {
    let language = visitor.person.language;
    let is_test = visitor.scope.mode == Mode::Test;
    is_test.then(|| first_steps::simulated_phone(state, language)).flatten()
}

/// Asks the payer. The same form asks once, however often it is sent.
pub(super) async fn begin(
    state: &DashboardState,
    visitor: &Visitor,
    form: AskForm,
) -> Result<Asked, DashboardError> {
    let (instruction, key) = match form.read() {
        Ok(request) => request,
        Err(faults) => return Ok(Asked::Refused(form, faults)),
    };
    if let Some(pending) = pending_like(state, visitor, &form, &instruction, &key).await? {
        let fault = Faults::of("", FieldFault::key("ask-pending"));
        return Ok(Asked::Refused(form.beside(pending.order.id.clone()), fault));
    }
    let by = visitor.audit(state);
    match state.payments.begin_for_person(&visitor.scope, instruction, key, &by).await {
        Ok(begun) => Ok(Asked::Begun(begun.value.order.id.clone())),
        Err(error @ BeginError::Repeat(RepeatError::KeyReused)) => {
            Ok(Asked::Refused(form.with_new_key(), Faults::of_begin(error)?))
        }
        Err(error) => Ok(Asked::Refused(form, Faults::of_begin(error)?)),
    }
}

/// A pending charge that the form would ask for once more: a customer who approves both pays twice.
/// `None` where the person has seen exactly this one, or where the form is sent again.
async fn pending_like(
    state: &DashboardState,
    visitor: &Visitor,
    form: &AskForm,
    instruction: &Instruction,
    key: &IdempotencyKey,
) -> Result<Option<Transaction>, DashboardError> {
    let scope = &visitor.scope;
    let pending = state.day_charges.pending_like(scope, &instruction.transfer).await?;
    let pending = pending.filter(|pending| !form.has_shown(&pending.order.id));
    if pending.is_some() && state.payments.was_sent(scope, instruction, key).await? {
        return Ok(None);
    }
    Ok(pending)
}

/// The form, filled in as for the charge with this id, if the person may see it.
pub(super) async fn form_like(
    state: &DashboardState,
    visitor: &Visitor,
    charge: &str,
) -> Result<AskForm, DashboardError> {
    if charge.is_empty() {
        return Ok(AskForm::default());
    }
    let found = find_visible_charge(state, visitor, &TransactionId::new(charge)).await?;
    let language = visitor.person.language;
    let form = found.map(|charge| AskForm::like(&charge, language)).unwrap_or_default();
    // The note is for people who read payments.
    Ok(if visitor.may(Permission::ReadPayments) { form } else { form.without_note() })
}

/// The charge of the path.
async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
) -> Result<Transaction, DashboardError> {
    let id = TransactionId::new(path.get("id").ok_or(DashboardError::NotFound)?);
    find_visible_charge(state, visitor, &id).await?.ok_or(DashboardError::NotFound)
}

/// A charge of the account and mode: of any day for people who read payments, and of the current
/// day for everybody else.
async fn find_visible_charge(
    state: &DashboardState,
    visitor: &Visitor,
    id: &TransactionId,
) -> Result<Option<Transaction>, DashboardError> {
    if !visitor.may(Permission::ReadPayments) {
        return Ok(state.day_charges.find(&visitor.scope, id).await?);
    }
    let found = state.transaction_records.find_in(&visitor.scope, id).await?;
    Ok(found.filter(|one| one.order.transfer.kind == Kind::Charge))
}
