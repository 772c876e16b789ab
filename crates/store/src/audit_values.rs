//! What the audit log shows of each kind of row: ids and values, never payers' data or secrets.

use jiff::{Timestamp, civil::Date};
use serde_json::{Value, json};
use tua_contract::{Amount, State, Status};
use tua_domain::{
    Account, AccountId, Checkout, EndpointId, KeyId, NewTransaction, Scope, SecretKey, SessionId,
    Transaction, UserId,
    audit::{Action, AuditChange},
    branding::LogoName,
    limit_lift::LimitLift,
    link::{Link, LinkChange},
    payout_batch::PayoutBatch,
    payout_controls::{Ceiling, PayoutControls},
    people::{EnrolmentLink, Role, User},
    ports::{AccountChange, Erased},
    statement::{Statement, closing::ClosedDay},
    webhook::{Delivery, Endpoint},
};
use url::Url;

fn change(
    action: Action,
    subject: &str,
    before: Option<Value>,
    after: Option<Value>,
) -> AuditChange {
    let text = |value: Option<Value>| value.map(|value| value.to_string());
    AuditChange { action, subject: subject.to_owned(), before: text(before), after: text(after) }
}

fn time(at: Option<Timestamp>) -> Value {
    at.map_or(Value::Null, |at| at.to_string().into())
}

fn key(key: &SecretKey) -> Value {
    json!({
        "accountId": key.scope.account.as_str(),
        "mode": key.scope.mode.as_str(),
        "generation": key.generation.as_str(),
        "name": key.name,
        "scopes": key.scopes.to_string(),
        "allowedAddresses": key.allowed_addresses.as_ref().map(ToString::to_string),
        "lastFour": key.last_four,
        "expiresAt": time(key.expires_at),
        "revokedAt": time(key.revoked_at),
    })
}

/// Without the query of the URL, in which merchants put passwords.
fn endpoint(endpoint: &Endpoint) -> Value {
    let url = Url::parse(&endpoint.url).map(|mut url| {
        url.set_query(None);
        url.to_string()
    });
    json!({
        "accountId": endpoint.scope.account.as_str(),
        "mode": endpoint.scope.mode.as_str(),
        "url": url.unwrap_or_default(),
        "oldSecretUntil": time(endpoint.old_secret.as_ref().map(|(_, until)| *until)),
        "disabledAt": time(endpoint.disabled_at),
    })
}

fn status(transaction: &Transaction) -> Value {
    let failure = match transaction.state {
        State::Failed(code) => Value::from(code.as_str()),
        State::Pending(_) | State::Successful => Value::Null,
    };
    json!({
        "accountId": transaction.begun.scope.account.as_str(),
        "status": transaction.state.status().as_str(),
        "failure": failure,
    })
}

pub(super) fn payout_limits_changed(
    scope: &Scope,
    before: PayoutControls,
    after: PayoutControls,
) -> AuditChange {
    let subject = format!("{} {}", scope.account.as_str(), scope.mode.as_str());
    change(
        Action::PayoutLimitsChanged,
        &subject,
        Some(payout_limits(before)),
        Some(payout_limits(after)),
    )
}

/// A request to lift limits, or its refusal: from the limits as they are to those that were asked
/// for.
pub(super) fn limit_lift(
    action: Action,
    scope: &Scope,
    before: PayoutControls,
    lift: &LimitLift,
) -> AuditChange {
    let subject = format!("{} {}", scope.account.as_str(), scope.mode.as_str());
    let mut after = payout_limits(lift.change.apply(before));
    after["askedBy"] = lift.asked_by.as_str().into();
    change(action, &subject, Some(payout_limits(before)), Some(after))
}

/// Limits that were lifted with the approval of a second person.
pub(super) fn limit_lift_approved(
    scope: &Scope,
    before: PayoutControls,
    lift: &LimitLift,
) -> AuditChange {
    limit_lift(Action::PayoutLimitsChanged, scope, before, lift)
}

fn payout_limits(controls: PayoutControls) -> Value {
    let cedis = |ceiling: Option<Ceiling>| ceiling.map(|ceiling| ceiling.to_string());
    json!({
        "payoutLimit": cedis(controls.limit),
        "payoutDailyLimit": cedis(controls.daily_limit),
        "payoutApprovalAbove": cedis(controls.approval_above),
        "refundApprovalAbove": cedis(controls.refund_approval_above),
    })
}

/// The lines of a batch by their status, and its sum.
fn batch(batch: &PayoutBatch) -> Value {
    let count =
        |status: Status| batch.lines.iter().filter(|line| line.state.status() == status).count();
    let waiting = batch.lines.iter().filter(|line| line.state.is_unapproved()).count();
    json!({
        "accountId": batch.scope.account.as_str(),
        "mode": batch.scope.mode.as_str(),
        "totalPesewas": batch.total_pesewas(),
        "waiting": waiting,
        "pending": count(Status::Pending) - waiting,
        "successful": count(Status::Successful),
        "failed": count(Status::Failed),
    })
}

pub(super) fn batch_begun(new: &PayoutBatch) -> AuditChange {
    change(Action::PayoutBatchBegun, new.id.as_str(), None, Some(batch(new)))
}

pub(super) fn batch_decided(
    action: Action,
    before: &PayoutBatch,
    after: &PayoutBatch,
) -> AuditChange {
    change(action, after.id.as_str(), Some(batch(before)), Some(batch(after)))
}

pub(super) fn payout_decided(
    action: Action,
    before: &Transaction,
    after: &Transaction,
) -> AuditChange {
    change(action, after.begun.id.as_str(), Some(status(before)), Some(status(after)))
}

pub(super) fn payment_found(before: &Transaction, after: &Transaction) -> AuditChange {
    let found = json!({
        "status": after.state.status().as_str(),
        "operator": after.operator.as_ref().map(|pin| pin.name.as_str()),
    });
    change(Action::PaymentFound, after.begun.id.as_str(), Some(status(before)), Some(found))
}

/// A refund or payout that a person asks for, without notes, which a person wrote and which may
/// name somebody.
pub(super) fn payment_requested(new: &NewTransaction) -> AuditChange {
    let account = new.scope.account.as_str();
    let amount = new.transfer.amount.to_string();
    let (action, after) = match &new.refund {
        Some(of) => {
            let after =
                json!({ "accountId": account, "charge": of.charge.as_str(), "amount": amount });
            (Action::RefundRequested, after)
        }
        None => {
            let after =
                json!({ "accountId": account, "mode": new.scope.mode.as_str(), "amount": amount });
            (Action::PayoutRequested, after)
        }
    };
    change(action, new.id.as_str(), None, Some(after))
}

pub(super) fn server_key_rotated(next: u32) -> AuditChange {
    let before = json!({ "version": next - 1 });
    let after = json!({ "version": next });
    change(Action::ServerKeyRotated, "server key", Some(before), Some(after))
}

pub(super) fn database_restored(suspended_accounts: u64) -> AuditChange {
    let after = json!({ "suspendedAccounts": suspended_accounts });
    change(Action::DatabaseRestored, "database", None, Some(after))
}

/// Without whose data it was.
pub(super) fn person_erased(erased: Erased) -> AuditChange {
    let Erased { transactions, checkouts, links, orders, counters } = erased;
    let after = json!({
        "transactions": transactions,
        "checkouts": checkouts,
        "links": links,
        "orders": orders,
        "counters": counters,
    });
    change(Action::PrivacyErased, "person", None, Some(after))
}

/// The address of a member of the staff is not a payer's data.
pub(super) fn role_set(
    user: &User,
    account: &AccountId,
    before: Option<Role>,
    after: Role,
) -> AuditChange {
    let values = |role: Role| {
        json!({
            "email": user.email.as_str(),
            "accountId": account.as_str(),
            "role": role.as_str(),
        })
    };
    change(Action::RoleSet, user.id.as_str(), before.map(values), Some(values(after)))
}

pub(super) fn role_removed(user: &User, account: &AccountId, before: Role) -> AuditChange {
    let before = json!({
        "email": user.email.as_str(),
        "accountId": account.as_str(),
        "role": before.as_str(),
    });
    change(Action::RoleRemoved, user.id.as_str(), Some(before), None)
}

pub(super) fn link_created(link: &EnrolmentLink) -> AuditChange {
    let subject = link.user.as_ref().map_or("first set-up", UserId::as_str);
    change(
        Action::EnrolmentLinkCreated,
        subject,
        None,
        Some(json!({ "expiresAt": link.expires_at.to_string() })),
    )
}

/// An entry about a person's own credentials, which are never in it.
pub(super) fn user_changed(action: Action, user: &User) -> AuditChange {
    change(action, user.id.as_str(), None, Some(json!({ "email": user.email.as_str() })))
}

/// The session's id gives no access.
pub(super) fn session_ended(user: &User, id: &SessionId) -> AuditChange {
    let before = json!({ "email": user.email.as_str(), "sessionId": id.as_str() });
    change(Action::SessionEnded, user.id.as_str(), Some(before), None)
}

/// Without the provider's identifier of the person.
pub(super) fn identity_changed(action: Action, user: &User, issuer: &str) -> AuditChange {
    change(
        action,
        user.id.as_str(),
        None,
        Some(json!({ "email": user.email.as_str(), "issuer": issuer })),
    )
}

fn account(account: &Account) -> Value {
    json!({
        "name": account.name,
        "accent": account.branding.accent.map(|accent| accent.to_string()),
        "logo": account.branding.logo.as_ref().map(LogoName::as_str),
        "sendsReceipts": account.sends_receipts,
        "suspendedAt": time(account.suspended_at),
    })
}

pub(super) fn account_created(new: &Account) -> AuditChange {
    change(Action::AccountCreated, new.id.as_str(), None, Some(account(new)))
}

pub(super) fn account_changed(
    what: &AccountChange,
    before: &Account,
    after: &Account,
) -> AuditChange {
    let action = match what {
        AccountChange::Suspend(_) => Action::AccountSuspended,
        AccountChange::Resume => Action::AccountResumed,
        AccountChange::Rename(_) => Action::AccountRenamed,
        AccountChange::SendReceipts(_) => Action::AccountReceiptsSet,
        AccountChange::Brand(_) => Action::AccountBranded,
    };
    change(action, after.id.as_str(), Some(account(before)), Some(account(after)))
}

pub(super) fn key_created(new: &SecretKey) -> AuditChange {
    change(Action::KeyCreated, new.id.as_str(), None, Some(key(new)))
}

pub(super) fn key_rotated(before: &SecretKey, after: &SecretKey, successor: &KeyId) -> AuditChange {
    let mut values = key(after);
    values["successor"] = successor.as_str().into();
    change(Action::KeyRotated, after.id.as_str(), Some(key(before)), Some(values))
}

/// What ended because its key was revoked.
#[derive(Default)]
pub(super) struct EndedWithKey {
    /// Sessions that were closed, but not those of the links.
    pub(super) checkouts: usize,
    /// Payment links that were closed.
    pub(super) links: usize,
    /// Payouts and refunds that were refused.
    pub(super) payouts: usize,
    /// Payouts and refunds that were not handed over, and wait for an approval now.
    pub(super) held: usize,
    /// Charges that were not handed over, and have ended.
    pub(super) charges: usize,
}

impl EndedWithKey {
    pub(super) fn is_nothing(&self) -> bool {
        self.checkouts + self.links + self.payouts + self.held + self.charges == 0
    }
}

pub(super) fn key_revoked(
    before: &SecretKey,
    after: &SecretKey,
    ended: &EndedWithKey,
) -> AuditChange {
    let mut values = key(after);
    values["closedCheckouts"] = ended.checkouts.into();
    values["closedLinks"] = ended.links.into();
    values["refusedPayouts"] = ended.payouts.into();
    values["heldPayouts"] = ended.held.into();
    values["endedCharges"] = ended.charges.into();
    change(Action::KeyRevoked, after.id.as_str(), Some(key(before)), Some(values))
}

pub(super) fn endpoint_added(new: &Endpoint) -> AuditChange {
    change(Action::WebhookAdded, new.id.as_str(), None, Some(endpoint(new)))
}

pub(super) fn endpoint_changed(action: Action, before: &Endpoint, after: &Endpoint) -> AuditChange {
    change(action, after.id.as_str(), Some(endpoint(before)), Some(endpoint(after)))
}

pub(super) fn endpoint_removed(id: &EndpointId, before: &Endpoint) -> AuditChange {
    change(Action::WebhookRemoved, id.as_str(), Some(endpoint(before)), None)
}

fn checkout(checkout: &Checkout) -> Value {
    json!({
        "accountId": checkout.scope.account.as_str(),
        "mode": checkout.scope.mode.as_str(),
        "expiresAt": checkout.expires_at.to_string(),
        "closedAt": time(checkout.closed_at),
    })
}

pub(super) fn checkout_closed(before: &Checkout, after: &Checkout) -> AuditChange {
    change(Action::CheckoutClosed, after.id.as_str(), Some(checkout(before)), Some(checkout(after)))
}

pub(super) fn checkout_expired(before: &Checkout, after: &Checkout) -> AuditChange {
    change(
        Action::CheckoutExpired,
        after.id.as_str(),
        Some(checkout(before)),
        Some(checkout(after)),
    )
}

/// Without its texts and its code: a title may name a payer, and the code is for those who are to
/// pay.
fn payment_link(link: &Link) -> Value {
    let (min, max) = link.terms.amount.limits();
    let cedis = |amount: Option<Amount>| amount.map(|amount| amount.to_string());
    json!({
        "accountId": link.scope.account.as_str(),
        "mode": link.scope.mode.as_str(),
        "amount": cedis(link.terms.amount.fixed()),
        "minAmount": cedis(min),
        "maxAmount": cedis(max),
        "uses": link.terms.uses.as_str(),
        "expiresAt": time(link.terms.expires_at),
        "closedAt": time(link.closed_at),
    })
}

pub(super) fn payment_link_created(new: &Link) -> AuditChange {
    change(Action::LinkCreated, new.id.as_str(), None, Some(payment_link(new)))
}

pub(super) fn payment_link_changed(what: LinkChange, before: &Link, after: &Link) -> AuditChange {
    let action = match what {
        LinkChange::Close => Action::LinkClosed,
        LinkChange::Reopen => Action::LinkReopened,
    };
    change(action, after.id.as_str(), Some(payment_link(before)), Some(payment_link(after)))
}

pub(super) fn delivery_replayed(
    account: &AccountId,
    before: &Delivery,
    after: &Delivery,
) -> AuditChange {
    let values = |delivery: &Delivery| {
        json!({
            "accountId": account.as_str(),
            "endpointId": delivery.endpoint.as_str(),
            "status": delivery.status.as_str(),
            "attempts": delivery.attempts,
        })
    };
    change(Action::DeliveryReplayed, after.id.as_str(), Some(values(before)), Some(values(after)))
}

/// Without the note, which a person wrote and which may name a payer.
pub(super) fn review_settled(before: &Transaction, after: &Transaction) -> AuditChange {
    change(
        Action::ReviewSettled,
        after.begun.id.as_str(),
        Some(status(before)),
        Some(status(after)),
    )
}

pub(super) fn day_closed(closed: &ClosedDay) -> AuditChange {
    let digest = hex::encode(closed.figures.digest);
    let after = json!({
        "operator": closed.operator.name.as_str(),
        "day": closed.day.to_string(),
        "entries": closed.figures.entries,
        "lines": closed.figures.lines,
        "exceptions": closed.exceptions,
        "sha256": digest,
    });
    change(
        Action::DayClosed,
        &format!("{} {}", closed.operator.name, closed.day),
        None,
        Some(after),
    )
}

pub(super) fn statement_abandoned(statement: &Statement) -> AuditChange {
    let before = json!({
        "operator": statement.operator.name.as_str(),
        "sha256": hex::encode(statement.digest),
    });
    change(Action::StatementAbandoned, statement.id.as_str(), Some(before), None)
}

pub(super) fn statement_days_changed(statement: &Statement, days: (Date, Date)) -> AuditChange {
    let values =
        |(from, to): (Date, Date)| json!({ "from": from.to_string(), "to": to.to_string() });
    let before = statement.covers.map(values);
    change(Action::StatementDaysChanged, statement.id.as_str(), before, Some(values(days)))
}

pub(super) fn statement_imported(statement: &Statement, lines: u64) -> AuditChange {
    let digest = hex::encode(statement.digest);
    let after =
        json!({ "operator": statement.operator.name.as_str(), "lines": lines, "sha256": digest });
    change(Action::StatementImported, statement.id.as_str(), None, Some(after))
}
