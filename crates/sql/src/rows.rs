//! Rows of either engine as values of the domain.

mod accounts;
mod books;
mod channels;
mod closed_days;
mod connected_operators;
mod identities;
mod ledger;
mod links;
mod mail;
mod mail_servers;
mod passkeys;
mod payout_batches;
mod people;
mod reports;
mod statements;
mod transactions;

use super::{
    columns::{
        self as read, Columns, maybe_number, maybe_text, maybe_time, maybe_word, number, text,
        time, word,
    },
    event_json, lift_json,
};
use jiff::Timestamp;
use tua_domain::{
    Checkout, CheckoutId, DeliveryId, EndpointId, Event, KeyId, LinkId, TransactionId,
    audit::{AuditEntry, AuditHead},
    checkout::{ChargeWindow, CheckoutTerms},
    encrypted_secret::EncryptedSecret,
    exchange::Exchange,
    idempotency::{Fingerprint, IdempotencyRecord, ResponseSnapshot},
    key_ring::RegisteredKey,
    limit_lift::LimitLift,
    payout_controls::PayoutControls,
    ports::Order,
    routing::{OperatorFingerprint, OperatorName, PinnedOperator},
    verdict::CodeVerdict,
    webhook::{
        Delivery, Endpoint, EventType,
        delivery::{DeliveryStatus, LastAttempt, Subject},
    },
};
use tua_operators::sandbox::orders::{Decision, Received};

pub use accounts::{account, branding, callers_key, key};
pub(super) use books::{ledger_day_sum, opening_balance, posted_day};
pub(super) use channels::{channel, channel_columns};
pub(super) use closed_days::{closed_day, ledger_entry};
pub(super) use connected_operators::connected_operator;
pub(super) use identities::identity;
pub(super) use ledger::{ledger_balance, ledger_day, posted_transaction, postings};
pub use links::{link, link_totals};
pub(super) use mail::{alert, mail};
pub(super) use mail_servers::mail_server;
pub(super) use passkeys::{passkey, passkey_challenge};
pub(super) use payout_batches::{batch_summary, payout_batch, write_warnings};
pub(super) use people::{
    credentials, enrolment_link, is_enrolled, member_access, membership, session, user,
    user_columns,
};
pub(super) use reports::{
    day_fees, day_total, failure_count, filter_total, first_steps, waiting_times,
};
pub(super) use statements::{matched_line, statement, statement_summary};
use transactions::transfer;
pub use transactions::{
    due, failure_claim, flagged, pending, send_history, settled_code, transaction,
    transaction_columns,
};

/// A session with its merchant's name and branding.
pub fn checkout<R: Columns>(row: &R) -> Result<Checkout, R::Error> {
    Ok(Checkout {
        id: CheckoutId::new(text(row, "id")?),
        scope: read::scope(row)?,
        merchant: text(row, "merchant")?,
        branding: branding(row)?,
        seed: read::bytes(row, "seed")?,
        reference: text(row, "reference")?,
        terms: CheckoutTerms {
            amount: read::amount(row)?,
            email: maybe_text(row, "email")?,
            metadata: maybe_text(row, "metadata")?,
            answer: maybe_text(row, "answer")?,
            return_url: maybe_text(row, "return_url")?,
        },
        created_at: time(row, "created_at")?,
        expires_at: time(row, "expires_at")?,
        closed_at: maybe_time(row, "closed_at")?,
        created_by: maybe_text(row, "created_by")?.map(KeyId::new),
        link: maybe_text(row, "link_id")?.map(LinkId::new),
        sandbox_ahead: accounts::sandbox_ahead(row)?,
    })
}

/// Until when a session takes charges.
pub fn charge_window<R: Columns>(row: &R) -> Result<ChargeWindow, R::Error> {
    Ok(ChargeWindow {
        expires_at: time(row, "expires_at")?,
        closed_at: maybe_time(row, "closed_at")?,
        is_decided: maybe_time(row, "expiry_due")?.is_none(),
    })
}

/// Reads a row of the limits of payouts.
pub fn payout_controls<R: Columns>(row: &R) -> Result<PayoutControls, R::Error> {
    Ok(PayoutControls {
        limit: read::maybe_ceiling(row, "payout_limit")?,
        daily_limit: read::maybe_ceiling(row, "payout_daily_limit")?,
        approval_above: read::maybe_ceiling(row, "payout_approval_above")?,
        refund_approval_above: read::maybe_ceiling(row, "refund_approval_above")?,
    })
}

/// The change of limits that waits for a second person, if one does.
pub(super) fn limit_lift<R: Columns>(row: &R) -> Result<Option<LimitLift>, R::Error> {
    let change = read::maybe_word(row, "lift", lift_json::read)?;
    let asked_by = maybe_text(row, "lift_by")?;
    let asked_at = maybe_time(row, "lift_at")?;
    let whole = change.zip(asked_by).zip(asked_at);
    Ok(whole.map(|((change, asked_by), asked_at)| LimitLift { change, asked_by, asked_at }))
}

/// Reads an event of a transaction, and when it was recorded.
pub fn event<R: Columns>(row: &R) -> Result<(Timestamp, Event), R::Error> {
    Ok((time(row, "at")?, word(row, "event", event_json::read)?))
}

/// An attempt's record. `may_run` is true where the process that began it may still run it.
pub fn idempotency_record<R: Columns>(
    row: &R,
    may_run: bool,
    now: Timestamp,
) -> Result<IdempotencyRecord, R::Error> {
    let response = response(row)?;
    let in_time = time(row, "running_until")? > now;
    Ok(IdempotencyRecord {
        fingerprint: Fingerprint(read::bytes(row, "fingerprint")?),
        subject: text(row, "subject")?,
        instance: text(row, "instance")?,
        running: response.is_none() && may_run && in_time,
        response,
    })
}

/// The response to an attempt; `None` before it.
pub fn response<R: Columns>(row: &R) -> Result<Option<ResponseSnapshot>, R::Error> {
    let verdict = maybe_word(row, "verdict", CodeVerdict::parse)?;
    let version: Option<u32> = maybe_number(row, "version")?;
    Ok(version.map(|version| ResponseSnapshot { version, verdict }))
}

/// Reads a webhook endpoint.
pub fn endpoint<R: Columns>(row: &R) -> Result<Endpoint, R::Error> {
    let encrypted = |column| {
        row.maybe_bytes(column)
            .map(|bytes| bytes.map(|bytes| EncryptedSecret::from_bytes(bytes.to_vec())))
    };
    Ok(Endpoint {
        id: EndpointId::new(text(row, "id")?),
        scope: read::scope(row)?,
        url: text(row, "url")?,
        secret: encrypted("secret")?.unwrap_or_else(|| EncryptedSecret::from_bytes(Vec::new())),
        old_secret: encrypted("old_secret")?.zip(maybe_time(row, "old_secret_until")?),
        created_at: time(row, "created_at")?,
        disabled_at: maybe_time(row, "disabled_at")?,
        removed_at: maybe_time(row, "removed_at")?,
    })
}

/// Reads a webhook delivery.
pub fn delivery<R: Columns>(row: &R) -> Result<Delivery, R::Error> {
    let event_type = word(row, "type", EventType::parse)?;
    let subject = text(row, "subject")?;
    let version: Option<u32> = maybe_number(row, "version")?;
    let due_at = maybe_time(row, "due_at")?;
    Ok(Delivery {
        id: DeliveryId::new(text(row, "id")?),
        endpoint: EndpointId::new(text(row, "endpoint_id")?),
        webhook_id: text(row, "webhook_id")?,
        event_type,
        subject: match (event_type, version) {
            (EventType::Ping, _) => Subject::Endpoint(EndpointId::new(subject)),
            (_, Some(version)) => Subject::Transaction(TransactionId::new(subject), version),
            (_, None) => Subject::Checkout(CheckoutId::new(subject)),
        },
        occurred_at: time(row, "occurred_at")?,
        status: word(row, "status", DeliveryStatus::parse)?.of_stored(due_at),
        attempts: number(row, "attempts")?,
        due_at,
        last: match maybe_time(row, "attempted_at")? {
            Some(at) => {
                let fault = maybe_text(row, "fault")?;
                let response = maybe_text(row, "response")?;
                let http_status = maybe_number(row, "http_status")?;
                Some(LastAttempt { at, http_status, fault, response })
            }
            None => None,
        },
    })
}

/// The columns of an order of the sandbox, as [`received`] reads them.
#[macro_export]
macro_rules! received_columns {
    () => {
        "reference, kind, network, phone, amount, merchant, message, received_at,
         code_accepted_at, decision, decided_at, cancelled_at, is_refund"
    };
}
pub use received_columns;

/// An order of the sandbox.
pub fn received<R: Columns>(row: &R) -> Result<Received, R::Error> {
    let decision = maybe_word(row, "decision", Decision::parse)?;
    Ok(Received {
        order: Order {
            reference: text(row, "reference")?,
            transfer: transfer(row)?,
            merchant: text(row, "merchant")?,
            message: maybe_text(row, "message")?,
            email: None,
        },
        is_refund: number::<_, u8>(row, "is_refund")? != 0,
        at: time(row, "received_at")?,
        code_accepted_at: maybe_time(row, "code_accepted_at")?,
        decided: decision.zip(maybe_time(row, "decided_at")?),
        cancelled_at: maybe_time(row, "cancelled_at")?,
    })
}

pub(super) fn audit_entry<R: Columns>(row: &R) -> Result<AuditEntry, R::Error> {
    Ok(AuditEntry {
        seq: number(row, "seq")?,
        at: time(row, "at")?,
        actor: text(row, "actor")?,
        source: text(row, "source")?,
        action: text(row, "action")?,
        subject: text(row, "subject")?,
        before: maybe_text(row, "before")?,
        after: maybe_text(row, "after")?,
        key_version: number(row, "key_version")?,
        mac: row.maybe_bytes("mac")?.unwrap_or_default().to_vec(),
    })
}

pub(super) fn audit_head<R: Columns>(row: &R) -> Result<AuditHead, R::Error> {
    Ok(AuditHead {
        seq: number(row, "seq")?,
        seal: row.maybe_bytes("seal")?.unwrap_or_default().to_vec(),
    })
}

/// A version of the server key.
pub fn registered_key<R: Columns>(row: &R) -> Result<RegisteredKey, R::Error> {
    Ok(RegisteredKey { version: number(row, "version")?, digest: read::bytes(row, "digest")? })
}

/// An exchange with an operator.
pub fn exchange<R: Columns>(row: &R) -> Result<Exchange, R::Error> {
    Ok(Exchange {
        id: text(row, "id")?,
        transaction: TransactionId::new(text(row, "transaction_id")?),
        operator: text(row, "operator")?,
        at: time(row, "at")?,
        method: text(row, "method")?,
        path: text(row, "path")?,
        status: maybe_number(row, "http_status")?,
        duration_ms: number(row, "duration_ms")?,
        request: maybe_text(row, "request")?,
        response: maybe_text(row, "response")?,
    })
}

/// What is reserved of the float at an operator.
pub fn reserved_float<R: Columns>(row: &R) -> Result<(OperatorFingerprint, i64), R::Error> {
    Ok((OperatorFingerprint::of_row(text(row, "operator_fingerprint")?), number(row, "reserved")?))
}

/// An operator, and how many pending payments it serves.
pub fn pending_of_operator<R: Columns>(row: &R) -> Result<(PinnedOperator, u32), R::Error> {
    let name = OperatorName::of_row(text(row, "operator")?);
    let fingerprint = OperatorFingerprint::of_row(text(row, "operator_fingerprint")?);
    Ok((PinnedOperator { name, fingerprint }, number(row, "payments")?))
}

/// The columns of a checkout session with its merchant's name and branding, as [`checkout`] reads
/// them.
#[macro_export]
macro_rules! checkout_columns {
    () => {
        "checkouts.id, account_id, mode, seed, amount, reference, email, metadata, answer, \
         return_url,
         checkouts.created_at, expires_at, closed_at, created_by, link_id,
         accounts.name AS merchant, accounts.accent, accounts.logo,
         (SELECT ahead_ms FROM sandbox_clocks WHERE sandbox_clocks.account_id = accounts.id)
             AS sandbox_ahead_ms"
    };
}
pub use checkout_columns;

/// Selects checkout sessions with their merchant's name and branding.
#[macro_export]
macro_rules! select_checkouts {
    ($more:literal) => {
        concat!(
            "SELECT ",
            $more,
            $crate::rows::checkout_columns!(),
            " FROM checkouts JOIN accounts ON accounts.id = checkouts.account_id"
        )
    };
}
pub use select_checkouts;

/// The columns of a delivery, as [`delivery`] reads them.
#[macro_export]
macro_rules! delivery_columns {
    () => {
        "webhook_deliveries.id, endpoint_id, webhook_id, type, subject, version, occurred_at,
         status, attempts, due_at, attempted_at, http_status, fault, response"
    };
}
pub use delivery_columns;

/// The condition of deliveries that were recorded while their endpoint was disabled
/// ([`tua_domain::webhook::delivery::DeliveryStatus::Held`]).
#[macro_export]
macro_rules! is_held {
    () => {
        "status = 'PENDING' AND due_at IS NULL"
    };
}
pub use is_held;
