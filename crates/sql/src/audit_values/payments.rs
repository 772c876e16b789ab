//! What the audit log shows of payments, checkout sessions and payment links.

use super::change::{change, time};
use serde_json::{Value, json};
use tua_contract::{Amount, State};
use tua_domain::{
    Checkout, Kind, Transaction, TransactionOrder,
    audit::{Action, AuditChange},
    link::{Link, LinkChange},
};

fn status(transaction: &Transaction) -> Value {
    let failure = match transaction.state {
        State::Failed(code) => Value::from(code.as_str()),
        State::Pending(_) | State::Successful => Value::Null,
    };
    json!({
        "accountId": transaction.order.scope.account.as_str(),
        "status": transaction.state.status().as_str(),
        "failure": failure,
    })
}

/// A payout or refund that waited for an approval, and that was approved or refused.
pub fn payout_decided(action: Action, before: &Transaction, after: &Transaction) -> AuditChange {
    change(action, after.order.id.as_str(), Some(status(before)), Some(status(after)))
}

/// A payment that was sought at the operator with the payer's id, and found.
pub fn payment_found(before: &Transaction, after: &Transaction) -> AuditChange {
    let found = json!({
        "status": after.state.status().as_str(),
        "operator": after.operator.as_ref().map(|pin| pin.name.as_str()),
    });
    change(Action::PaymentFound, after.order.id.as_str(), Some(status(before)), Some(found))
}

/// A charge, refund or payout that a person asks for, without notes, which a person wrote and
/// which may name somebody.
pub fn payment_requested(new: &TransactionOrder) -> AuditChange {
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
            let action = match new.transfer.kind {
                Kind::Charge => Action::ChargeRequested,
                Kind::Payout => Action::PayoutRequested,
            };
            (action, after)
        }
    };
    change(action, new.id.as_str(), None, Some(after))
}

fn checkout(checkout: &Checkout) -> Value {
    json!({
        "accountId": checkout.scope.account.as_str(),
        "mode": checkout.scope.mode.as_str(),
        "expiresAt": checkout.expires_at.to_string(),
        "closedAt": time(checkout.closed_at),
    })
}

/// A checkout session that was closed before its time.
pub fn checkout_closed(before: &Checkout, after: &Checkout) -> AuditChange {
    change(Action::CheckoutClosed, after.id.as_str(), Some(checkout(before)), Some(checkout(after)))
}

/// A checkout session that was made to expire.
pub fn checkout_expired(before: &Checkout, after: &Checkout) -> AuditChange {
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

/// A payment link that was created.
pub fn payment_link_created(new: &Link) -> AuditChange {
    change(Action::LinkCreated, new.id.as_str(), None, Some(payment_link(new)))
}

/// A payment link that was closed or opened again.
pub fn payment_link_changed(what: LinkChange, before: &Link, after: &Link) -> AuditChange {
    let action = match what {
        LinkChange::Close => Action::LinkClosed,
        LinkChange::Reopen => Action::LinkReopened,
    };
    change(action, after.id.as_str(), Some(payment_link(before)), Some(payment_link(after)))
}

/// Without the note, which a person wrote and which may name a payer.
pub fn review_settled(before: &Transaction, after: &Transaction) -> AuditChange {
    change(
        Action::ReviewSettled,
        after.order.id.as_str(),
        Some(status(before)),
        Some(status(after)),
    )
}
