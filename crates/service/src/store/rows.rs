//! Rows of either engine as values of the domain.

mod accounts;
mod closed_days;
mod identities;
mod ledger;
mod links;
mod mail;
mod passkeys;
mod payout_batches;
mod people;
mod reports;
mod statements;

use super::{
    columns::{self as read, Columns, maybe_number, maybe_text, maybe_time, maybe_word, number, text, time, word},
    event_json,
};
use crate::{
    domain::{
        BatchId, Checkout, CheckoutId, DeliveryId, Details, EndpointId, Event, KeyId, Kind, LinkId, Mode,
        NewTransaction, Transaction, TransactionId, Transfer,
        audit::{AuditEntry, AuditHead},
        checkout::{ChargeWindow, CheckoutTerms},
        exchange::Exchange,
        idempotency::{Fingerprint, IdempotencyRecord, ResponseSnapshot},
        key_ring::RegisteredKey,
        language::LanguageTag,
        payout_controls::PayoutControls,
        pending::{Age, Pending},
        ports::{Due, Mismatch, Order, SettledCode},
        review::{Flagged, Flags},
        routing::{OperatorFingerprint, OperatorName, OperatorPin},
        tariff::Price,
        transfer::OperatorDetails,
        verdict::CodeVerdict,
        webhook::{
            Delivery, Endpoint, EventType,
            delivery::{DeliveryStatus, LastAttempt, Subject},
            encrypted_secret::EncryptedSecret,
        },
    },
    operators::sandbox::orders::{Decision, Received},
};
use jiff::Timestamp;

pub(super) use accounts::{account, branding, key};
pub(super) use closed_days::{closed_day, ledger_entry};
pub(super) use identities::identity;
pub(super) use ledger::{ledger_balance, ledger_day, posted_transaction};
pub(super) use links::{link, link_figures};
pub(super) use mail::{MAIL, MAIL_GIVEN_UP, alert, mail, mail_columns};
pub(super) use passkeys::{passkey, passkey_challenge, passkey_columns};
pub(super) use payout_batches::{batch_summary, payout_batch, write_warnings};
pub(super) use people::{credentials, enrolment_link, membership, session, user, user_columns};
pub(super) use reports::{day_total, filter_total, first_steps, waiting_times};
pub(super) use statements::{matched_line, statement, statement_summary};

/// A session with its merchant's name and branding.
pub(super) fn checkout<R: Columns>(row: &R) -> Result<Checkout, R::Error> {
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
            return_url: maybe_text(row, "return_url")?,
        },
        created_at: time(row, "created_at")?,
        expires_at: time(row, "expires_at")?,
        closed_at: maybe_time(row, "closed_at")?,
        created_by: maybe_text(row, "created_by")?.map(KeyId::new),
        link: maybe_text(row, "link_id")?.map(LinkId::new),
    })
}

/// Until when a session takes charges.
pub(super) fn charge_window<R: Columns>(row: &R) -> Result<ChargeWindow, R::Error> {
    Ok(ChargeWindow {
        expires_at: time(row, "expires_at")?,
        closed_at: maybe_time(row, "closed_at")?,
        is_decided: maybe_time(row, "expiry_due")?.is_none(),
    })
}

fn transfer<R: Columns>(row: &R) -> Result<Transfer, R::Error> {
    Ok(Transfer {
        kind: word(row, "kind", Kind::parse)?,
        amount: read::amount(row)?,
        network: read::network(row)?,
        phone: read::phone(row)?,
    })
}

pub(super) fn transaction<R: Columns>(row: &R) -> Result<Transaction, R::Error> {
    let transfer = transfer(row)?;
    let payer_pays = read::maybe_amount(row, "payer_pays")?.unwrap_or(transfer.amount);
    let begun = NewTransaction {
        id: TransactionId::new(text(row, "id")?),
        scope: read::scope(row)?,
        reference: text(row, "reference")?,
        checkout: maybe_text(row, "checkout_id")?.map(CheckoutId::new),
        link: maybe_text(row, "link_id")?.map(LinkId::new),
        transfer,
        price: Price { payer_pays, fee_pesewas: maybe_number(row, "expected_fee")? },
        details: Details {
            email: maybe_text(row, "email")?,
            metadata: maybe_text(row, "metadata")?,
            payer_message: maybe_text(row, "payer_message")?,
            payee_note: maybe_text(row, "payee_note")?,
            language: maybe_word(row, "language", LanguageTag::parse)?,
        },
        refund: read::refund(row)?,
        key: maybe_text(row, "key_id")?.map(KeyId::new),
        batch: maybe_text(row, "batch_id")?.map(BatchId::new),
        needs_approval: number::<_, u8>(row, "needs_approval")? != 0,
    };
    Ok(Transaction {
        begun,
        state: read::state(row)?,
        code_attempts: number(row, "code_attempts")?,
        conflict: read::conflict(row)?,
        dispute: read::dispute(row)?,
        reversed_at: maybe_time(row, "reversed_at")?,
        version: number(row, "version")?,
        created_at: time(row, "created_at")?,
        updated_at: time(row, "updated_at")?,
        handed_over_at: maybe_time(row, "handed_over_at")?,
        approved_at: maybe_time(row, "approved_at")?,
        refunds: read::refund_sums(row)?,
        operator: operator(row)?,
        details: OperatorDetails {
            transaction_id: maybe_text(row, "operator_transaction_id")?,
            order_id: maybe_text(row, "operator_order_id")?,
            fee_pesewas: maybe_number(row, "operator_fee")?,
        },
        mismatch: match number::<_, u8>(row, "mismatched")? {
            0 => None,
            _ => Some(Mismatch { received: read::maybe_amount(row, "mismatch_received")? }),
        },
        settled_amount: read::maybe_amount(row, "settled_amount")?,
    })
}

pub(super) fn settled_code<R: Columns>(row: &R) -> Result<SettledCode, R::Error> {
    let transaction = transaction(row)?;
    let settled: u8 = number(row, "codes_settled")?;
    Ok(SettledCode { in_flight: transaction.code_attempts.saturating_sub(settled), transaction })
}

fn operator<R: Columns>(row: &R) -> Result<Option<OperatorPin>, R::Error> {
    let Some(name) = maybe_text(row, "operator")? else { return Ok(None) };
    let fingerprint = OperatorFingerprint::of_row(text(row, "operator_fingerprint")?);
    Ok(Some(OperatorPin { name: OperatorName::of_row(name), fingerprint }))
}

pub(super) fn payout_controls<R: Columns>(row: &R) -> Result<PayoutControls, R::Error> {
    Ok(PayoutControls {
        limit: read::maybe_ceiling(row, "payout_limit")?,
        daily_limit: read::maybe_ceiling(row, "payout_daily_limit")?,
        approval_above: read::maybe_ceiling(row, "payout_approval_above")?,
        refund_approval_above: read::maybe_ceiling(row, "refund_approval_above")?,
    })
}

pub(super) fn due<R: Columns>(row: &R, leased_until: Timestamp) -> Result<Due, R::Error> {
    Ok(Due {
        transaction: transaction(row)?,
        leased_until,
        send_deadline: maybe_time(row, "send_deadline")?,
        is_acknowledged: maybe_time(row, "acknowledged_at")?.is_some(),
        asks: number(row, "asks")?,
        is_flagged: maybe_time(row, "review_at")?.is_some(),
    })
}

pub(super) fn event<R: Columns>(row: &R) -> Result<(Timestamp, Event), R::Error> {
    Ok((time(row, "at")?, word(row, "event", event_json::read)?))
}

/// A transaction that waits for people.
pub(super) fn flagged<R: Columns>(row: &R) -> Result<Option<Flagged>, R::Error> {
    Ok(Flagged::of(transaction(row)?, flags(row)?))
}

/// When a transaction was flagged for review.
fn flags<R: Columns>(row: &R) -> Result<Flags, R::Error> {
    Ok(Flags { review_at: maybe_time(row, "review_at")?, unserved_at: maybe_time(row, "unserved_at")? })
}

/// Which sort of pending transaction this is.
pub(super) fn pending<R: Columns>(row: &R, flagged: bool, now: Timestamp) -> Result<Pending, R::Error> {
    let age = Age::of(time(row, "handed_over_at")?, now);
    Ok(Pending { mode: word(row, "mode", Mode::parse)?, age, flagged })
}

/// An attempt's record. `may_run` is true where the process that began it may still run it.
pub(super) fn idempotency_record<R: Columns>(
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
pub(super) fn response<R: Columns>(row: &R) -> Result<Option<ResponseSnapshot>, R::Error> {
    let verdict = maybe_word(row, "verdict", CodeVerdict::parse)?;
    let version: Option<u32> = maybe_number(row, "version")?;
    Ok(version.map(|version| ResponseSnapshot { version, verdict }))
}

pub(super) fn endpoint<R: Columns>(row: &R) -> Result<Endpoint, R::Error> {
    let encrypted =
        |column| row.maybe_bytes(column).map(|bytes| bytes.map(|bytes| EncryptedSecret::from_bytes(bytes.to_vec())));
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

pub(super) fn delivery<R: Columns>(row: &R) -> Result<Delivery, R::Error> {
    let event_type = word(row, "type", EventType::parse)?;
    let subject = text(row, "subject")?;
    let version: Option<u32> = maybe_number(row, "version")?;
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
        status: word(row, "status", DeliveryStatus::parse)?,
        attempts: number(row, "attempts")?,
        due_at: maybe_time(row, "due_at")?,
        last: match maybe_time(row, "attempted_at")? {
            Some(at) => {
                let fault = maybe_text(row, "fault")?;
                Some(LastAttempt { at, http_status: maybe_number(row, "http_status")?, fault })
            }
            None => None,
        },
    })
}

/// An order of the sandbox.
pub(super) fn received<R: Columns>(row: &R) -> Result<Received, R::Error> {
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
    Ok(AuditHead { seq: number(row, "seq")?, seal: row.maybe_bytes("seal")?.unwrap_or_default().to_vec() })
}

/// A version of the server key.
pub(super) fn registered_key<R: Columns>(row: &R) -> Result<RegisteredKey, R::Error> {
    Ok(RegisteredKey { version: number(row, "version")?, digest: read::bytes(row, "digest")? })
}

/// An exchange with an operator.
pub(super) fn exchange<R: Columns>(row: &R) -> Result<Exchange, R::Error> {
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
pub(super) fn reserved_float<R: Columns>(row: &R) -> Result<(OperatorFingerprint, i64), R::Error> {
    Ok((OperatorFingerprint::of_row(text(row, "operator_fingerprint")?), number(row, "reserved")?))
}

/// An operator, and how many pending payments it serves.
pub(super) fn pending_of_operator<R: Columns>(row: &R) -> Result<(OperatorPin, u32), R::Error> {
    let name = OperatorName::of_row(text(row, "operator")?);
    let fingerprint = OperatorFingerprint::of_row(text(row, "operator_fingerprint")?);
    Ok((OperatorPin { name, fingerprint }, number(row, "payments")?))
}
