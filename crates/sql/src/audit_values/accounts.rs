//! What the audit log shows of accounts, and of their webhook endpoints.

use super::change::{change, time};
use serde_json::{Value, json};
use tua_domain::{
    Account, AccountId, EndpointId, Mode,
    audit::{Action, AuditChange},
    branding::LogoName,
    ports::AccountChange,
    sandbox_clock::{BecameDue, ClockAdvance},
    webhook::{Delivery, Endpoint},
};
use url::Url;

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

fn account(account: &Account) -> Value {
    json!({
        "name": account.name,
        "accent": account.branding.accent.map(|accent| accent.to_string()),
        "logo": account.branding.logo.as_ref().map(LogoName::as_str),
        "sendsReceipts": account.sends_receipts,
        "suspendedAt": time(account.suspended_at),
    })
}

pub(crate) fn account_created(new: &Account) -> AuditChange {
    change(Action::AccountCreated, new.id.as_str(), None, Some(account(new)))
}

/// An account that was changed, suspended or resumed.
pub fn account_changed(what: &AccountChange, before: &Account, after: &Account) -> AuditChange {
    let action = match what {
        AccountChange::Suspend(_) => Action::AccountSuspended,
        AccountChange::Resume => Action::AccountResumed,
        AccountChange::Rename(_) => Action::AccountRenamed,
        AccountChange::SendReceipts(_) => Action::AccountReceiptsSet,
        AccountChange::Brand(_) => Action::AccountBranded,
    };
    change(action, after.id.as_str(), Some(account(before)), Some(account(after)))
}

/// By how much the sandbox clock was advanced, and how many rows are due since.
pub(crate) fn sandbox_clock_advanced(
    account: &AccountId,
    by: ClockAdvance,
    due: BecameDue,
) -> AuditChange {
    let BecameDue { links, checkouts, approvals, payments, delayed, deliveries } = due;
    let after = json!({
        "accountId": account.as_str(),
        "mode": Mode::Test.as_str(),
        "seconds": by.seconds(),
        "links": links,
        "checkouts": checkouts,
        "approvals": approvals,
        "payments": payments,
        "delayed": delayed,
        "deliveries": deliveries,
    });
    change(Action::SandboxClockAdvanced, account.as_str(), None, Some(after))
}

/// A webhook endpoint that was added.
pub fn endpoint_added(new: &Endpoint) -> AuditChange {
    change(Action::WebhookAdded, new.id.as_str(), None, Some(endpoint(new)))
}

pub(crate) fn endpoint_changed(action: Action, before: &Endpoint, after: &Endpoint) -> AuditChange {
    change(action, after.id.as_str(), Some(endpoint(before)), Some(endpoint(after)))
}

pub(crate) fn endpoint_removed(id: &EndpointId, before: &Endpoint) -> AuditChange {
    change(Action::WebhookRemoved, id.as_str(), Some(endpoint(before)), None)
}

/// A webhook delivery that a person has asked to be sent again.
pub fn delivery_replayed(account: &AccountId, before: &Delivery, after: &Delivery) -> AuditChange {
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
