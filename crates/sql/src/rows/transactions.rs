//! Reads rows of transactions into their domain types.

use crate::columns::{
    self as read, Columns, maybe_number, maybe_text, maybe_time, maybe_word, number, text, time,
    word,
};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_contract::FailureCode;
use tua_domain::{
    BatchId, CheckoutId, Details, KeyId, Kind, LinkId, Mode, Transaction, TransactionId,
    TransactionOrder, Transfer,
    language::LanguageTag,
    pending::{AgeBucket, PendingGroup},
    ports::{AcceptedClaim, DueTransaction, Mismatch, SendHistory, SettledCode},
    review::{Attention, FlaggedTransaction, Flags},
    routing::{OperatorFingerprint, OperatorName, PinnedOperator},
    tariff::Price,
    transfer::OperatorDetails,
};

pub(super) fn transfer<R: Columns>(row: &R) -> Result<Transfer, R::Error> {
    Ok(Transfer {
        kind: word(row, "kind", Kind::parse)?,
        amount: read::amount(row)?,
        network: read::network(row)?,
        phone: read::phone(row)?,
    })
}

/// The columns of a transaction, in the order in which [`transaction`] reads them: SQLite's are
/// searched from the last one that was read. They are listed, because a prepared `SELECT *` of
/// PostgreSQL fails in older nodes once a newer node has added a column.
#[macro_export]
macro_rules! transaction_columns {
    () => {
        "transactions.id, account_id, mode, kind, amount, network, phone, reference, checkout_id, \
         email, metadata, answer,
         payer_message, payee_note, status, next_action, failure, code_attempts, \
         conflict_observed, conflict_at,
         conflict_decision, disputed_at, dispute_decision, reversed_at, version, created_at, \
         updated_at, handed_over_at,
         key_id, needs_approval, approved_at, approved_after_revocation, operator, \
         operator_fingerprint, operator_transaction_id, operator_order_id,
         operator_fee, mismatched, mismatch_received, settled_amount, refund_of, refund_method, \
         batch_id,
         refunds_returned, refunds_counted, refunds_native, link_id, language, payer_pays, \
         expected_fee"
    };
}
pub use transaction_columns;

/// Reads a transaction, without its events.
pub fn transaction<R: Columns>(row: &R) -> Result<Transaction, R::Error> {
    let id = TransactionId::new(text(row, "id")?);
    let scope = read::scope(row)?;
    let transfer = transfer(row)?;
    let reference = text(row, "reference")?;
    let checkout = maybe_text(row, "checkout_id")?.map(CheckoutId::new);
    let email = maybe_text(row, "email")?;
    let metadata = maybe_text(row, "metadata")?;
    let answer = maybe_text(row, "answer")?;
    let payer_message = maybe_text(row, "payer_message")?;
    let payee_note = maybe_text(row, "payee_note")?;
    let state = read::state(row)?;
    let code_attempts = number(row, "code_attempts")?;
    let conflict = read::conflict(row)?;
    let dispute = read::dispute(row)?;
    let reversed_at = maybe_time(row, "reversed_at")?;
    let version = number(row, "version")?;
    let created_at = time(row, "created_at")?;
    let updated_at = time(row, "updated_at")?;
    let handed_over_at = maybe_time(row, "handed_over_at")?;
    let key = maybe_text(row, "key_id")?.map(KeyId::new);
    let needs_approval = number::<_, u8>(row, "needs_approval")? != 0;
    let approved_at = maybe_time(row, "approved_at")?;
    let is_approved_after_revocation = number::<_, u8>(row, "approved_after_revocation")? != 0;
    let operator = operator(row)?;
    let details = operator_details(row)?;
    let mismatch = mismatch(row)?;
    let settled_amount = read::maybe_amount(row, "settled_amount")?;
    let refund = read::refund(row)?;
    let batch = maybe_text(row, "batch_id")?.map(BatchId::new);
    let refunds = read::refund_sums(row)?;
    let link = maybe_text(row, "link_id")?.map(LinkId::new);
    let language = maybe_word(row, "language", LanguageTag::parse)?;
    let payer_pays = read::maybe_amount(row, "payer_pays")?.unwrap_or(transfer.amount);
    let price = Price { payer_pays, fee_pesewas: maybe_number(row, "expected_fee")? };
    let order = Arc::new(TransactionOrder {
        id,
        scope,
        reference,
        checkout,
        link,
        transfer,
        price,
        details: Details { email, metadata, answer, payer_message, payee_note, language },
        refund,
        key,
        batch,
        needs_approval,
    });
    Ok(Transaction {
        order,
        state,
        code_attempts,
        conflict,
        dispute,
        reversed_at,
        operator,
        details,
        mismatch,
        settled_amount,
        handed_over_at,
        approved_at,
        is_approved_after_revocation,
        refunds,
        version,
        created_at,
        updated_at,
    })
}

fn operator_details<R: Columns>(row: &R) -> Result<OperatorDetails, R::Error> {
    Ok(OperatorDetails {
        transaction_id: maybe_text(row, "operator_transaction_id")?,
        order_id: maybe_text(row, "operator_order_id")?,
        fee_pesewas: maybe_number(row, "operator_fee")?,
    })
}

fn mismatch<R: Columns>(row: &R) -> Result<Option<Mismatch>, R::Error> {
    let is_mismatched = number::<_, u8>(row, "mismatched")? != 0;
    let received = read::maybe_amount(row, "mismatch_received")?;
    Ok(is_mismatched.then_some(Mismatch { received }))
}

/// Reads a transaction with the passcode of a payer, and how many of its attempts are not settled.
pub fn settled_code<R: Columns>(row: &R) -> Result<SettledCode, R::Error> {
    let transaction = transaction(row)?;
    let settled: u8 = number(row, "codes_settled")?;
    Ok(SettledCode { in_flight: transaction.code_attempts.saturating_sub(settled), transaction })
}

fn operator<R: Columns>(row: &R) -> Result<Option<PinnedOperator>, R::Error> {
    let Some(name) = maybe_text(row, "operator")? else { return Ok(None) };
    let fingerprint = OperatorFingerprint::of_row(text(row, "operator_fingerprint")?);
    Ok(Some(PinnedOperator { name: OperatorName::of_row(name), fingerprint }))
}

/// Reads until when the order of a transaction could be sent, and whether it was acknowledged.
pub fn send_history<R: Columns>(row: &R) -> Result<SendHistory, R::Error> {
    Ok(SendHistory {
        last_deadline: maybe_time(row, "send_deadline")?,
        is_acknowledged: maybe_time(row, "acknowledged_at")?.is_some(),
    })
}

/// Reads a transaction that is due, and that is leased until a time.
pub fn due<R: Columns>(row: &R, leased_until: Timestamp) -> Result<DueTransaction, R::Error> {
    Ok(DueTransaction {
        transaction: transaction(row)?,
        leased_until,
        send_deadline: maybe_time(row, "send_deadline")?,
        is_acknowledged: maybe_time(row, "acknowledged_at")?.is_some(),
        query_count: number(row, "asks")?,
        is_flagged: maybe_time(row, "review_at")?.is_some(),
        clock_advance: clock_advance(row)?,
    })
}

fn clock_advance<R: Columns>(row: &R) -> Result<SignedDuration, R::Error> {
    Ok(SignedDuration::from_millis(number(row, "clock_advanced_ms")?))
}

/// What a callback claimed about a transaction.
pub fn failure_claim<R: Columns>(row: &R) -> Result<Option<AcceptedClaim>, R::Error> {
    let code = maybe_word(row, "claimed_failure", FailureCode::parse)?;
    let is_decisive = number::<_, u8>(row, "claim_is_decisive")? != 0;
    Ok(code.map(|code| AcceptedClaim { code, is_decisive }))
}

/// A transaction that waits for people.
pub fn flagged<R: Columns>(row: &R) -> Result<Option<FlaggedTransaction>, R::Error> {
    Ok(FlaggedTransaction::of(transaction(row)?, flags(row)?))
}

/// When and why a transaction was flagged for review.
pub(super) fn flags<R: Columns>(row: &R) -> Result<Flags, R::Error> {
    Ok(Flags {
        review_at: maybe_time(row, "review_at")?,
        unserved_at: maybe_time(row, "unserved_at")?,
        attention: maybe_word(row, "attention", Attention::parse)?,
        clock_advance: clock_advance(row)?,
    })
}

/// Which sort of pending transaction this is.
pub fn pending<R: Columns>(
    row: &R,
    is_flagged: bool,
    now: Timestamp,
) -> Result<PendingGroup, R::Error> {
    let age = AgeBucket::of(time(row, "handed_over_at")?, now);
    Ok(PendingGroup { mode: word(row, "mode", Mode::parse)?, age, is_flagged })
}
