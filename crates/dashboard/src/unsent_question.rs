//! What a form that was kept would do, in words: for money the verb, the sum and the person.

use super::{
    confirmation::Confirmation,
    decisions::{Verb, about_batch, about_payout},
    error::DashboardError,
    fields::Fields,
    refund_form::RefundForm,
    review_form::ReviewForm,
    state::DashboardState,
    visitor::SignedIn,
};
use tua_domain::{
    AccountId, BatchId, Mode, Scope, Transaction, TransactionId,
    people::{Permission, Role},
};

/// What a kept form would do.
pub(super) enum Question {
    /// Money moves, or stays.
    Money(Box<Confirmation>),
    /// The key of the text of the form's button.
    Other(&'static str),
}

/// Reads what a form at this path would do; `None` where the payment or the batch that it is about
/// permits it no more.
pub(super) async fn question(
    state: &DashboardState,
    person: &SignedIn,
    path: &str,
    fields: &Fields,
) -> Result<Option<Question>, DashboardError> {
    let Some((scope, role, rest)) = place(person, path) else {
        return Ok(Some(Question::Other("kept-send")));
    };
    let note = fields.get("note");
    let confirmation = match rest[..] {
        ["payments", id, "refund"] if role.may(Permission::RefundPayments) => {
            let charge = find(state, &scope, id).await?;
            charge.and_then(|charge| RefundForm::of(fields).confirmation(&charge).ok())
        }
        ["payments", id, "settle"] if role.may(Permission::SettlePayments) => {
            let payment = find(state, &scope, id).await?;
            payment.and_then(|payment| ReviewForm::of(fields).confirmation(&payment).ok())
        }
        ["payments", id, verb @ "cancel"] | ["payouts", id, verb @ ("approve" | "refuse")]
            if role.may(Permission::DecidePayouts) =>
        {
            let payout = find(state, &scope, id).await?;
            Verb::parse(verb).zip(payout).map(|(verb, payout)| about_payout(verb, &payout, note))
        }
        ["payouts", "batches", id, verb @ ("approve" | "refuse" | "cancel")]
            if role.may(Permission::DecidePayouts) =>
        {
            let batch = state.batches.of_scope(&scope, &BatchId::new(id)).await?;
            Verb::parse(verb).zip(batch).map(|(verb, batch)| about_batch(verb, &batch, note))
        }
        ["ask" | "till"] if !fields.get("second").is_empty() => {
            return Ok(Some(Question::Other("ask-second")));
        }
        _ => return Ok(Some(Question::Other(button_of(&rest)))),
    };
    Ok(confirmation.map(|confirmation| Question::Money(Box::new(confirmation))))
}

/// The account and mode of a path, the person's role there, and the rest of the path.
fn place<'a>(person: &SignedIn, path: &'a str) -> Option<(Scope, Role, Vec<&'a str>)> {
    let mut segments = path.strip_prefix("/dashboard/accounts/")?.split('/');
    let account = AccountId::new(segments.next()?);
    let mode = segments.next().and_then(Mode::parse)?;
    let (_, role) = person.accounts.iter().find(|(one, _)| one.id == account)?;
    Some((Scope { account, mode }, *role, segments.collect()))
}

async fn find(
    state: &DashboardState,
    scope: &Scope,
    id: &str,
) -> Result<Option<Transaction>, DashboardError> {
    Ok(state.transaction_records.find_in(scope, &TransactionId::new(id)).await?)
}

/// The path to which a kept form is sent. A payout to one person is checked and asked about again:
/// the question has the registered name, the fee and whether it repeats another payout.
pub(super) fn action(path: &str) -> &str {
    path.strip_suffix("/confirm").filter(|path| path.ends_with("/payouts/new")).unwrap_or(path)
}

/// The key of the text of the button that sends a form without a question of its own.
fn button_of(rest: &[&str]) -> &'static str {
    match rest {
        ["payouts", "new", ..] => "pay-check",
        ["ask" | "till"] => "ask-button",
        ["people", "invite"] => "people-invite",
        ["people", _, "role"] => "people-change",
        ["people", _, "remove"] => "people-remove",
        ["people", _, "sign-out"] => "people-sign-out",
        ["people", _, "reset"] => "people-reset",
        ["keys", "create"] => "keys-create",
        ["keys", _, "revoke"] => "keys-revoke",
        ["webhooks"] => "webhooks-add",
        ["webhooks", _, "rotate"] => "webhooks-rotate",
        ["webhooks", _, "remove"] => "webhooks-remove",
        ["webhooks", _, "enable"] => "webhooks-enable",
        ["statements", "days", _, _, "close"] => "day-close-kept",
        ["links"] => "link-create",
        ["links", _, "close"] => "link-close",
        ["alerts", _, "remove"] => "channel-remove",
        ["settings" | "alerts", ..] => "settings-save",
        _ => "kept-send",
    }
}
