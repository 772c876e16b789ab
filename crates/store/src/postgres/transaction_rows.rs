//! The statements that write and read the rows of transactions and of their events.

use super::{
    batch_ops::{Lookup, by_ordinality, column, without_nul},
    record::{at, maybe_at},
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashSet;
use tua_contract::Amount;
use tua_domain::{
    BatchId, CheckoutId, Event, KeyId, LinkId, Transaction, TransactionId, language::LanguageTag,
    transaction::Sending,
};
use tua_sql::{
    column_values::{self, operator_columns, refund_columns},
    event_json,
    postgres::{db::Db, error::Result},
    rows::{self, transaction_columns},
};

/// Charges of checkout sessions, oldest first.
pub(super) const OF_CHECKOUTS: &str = concat!(
    "SELECT ",
    transaction_columns!(),
    " FROM transactions WHERE checkout_id = ANY($1) ORDER BY id"
);

/// Inserts new transactions, each with the time when it is sent or asked about.
pub(super) async fn insert(db: &Db, begun: &[(Transaction, Sending)]) -> Result<()> {
    db.execute(
        "INSERT INTO transactions (id, account_id, mode, kind, status, next_action, amount, \
         network, phone, reference,
             checkout_id, email, metadata, payer_message, payee_note, version, created_at, \
         updated_at,
             handed_over_at, send_at, ask_at, key_id, needs_approval, approval_due, operator, \
         operator_fingerprint,
             refund_of, refund_method, batch_id, link_id, payer_pays, expected_fee, language, \
         answer, \
         code_attempts)
         SELECT *, 0 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], \
         $6::text[], $7::bigint[],
             $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], \
         $14::text[], $15::text[],
             $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], \
         $21::bigint[],
             $22::text[], $23::bigint[], $24::bigint[], $25::text[], $26::text[], $27::text[], \
         $28::text[], $29::text[],
             $30::text[], $31::bigint[], $32::bigint[], $33::text[], $34::text[])",
        &[
            &column(begun, |(new, _)| new.order.id.as_str()),
            &column(begun, |(new, _)| new.order.scope.account.as_str()),
            &column(begun, |(new, _)| new.order.scope.mode.as_str()),
            &column(begun, |(new, _)| new.order.transfer.kind.as_str()),
            &column(begun, |(new, _)| new.state.status().as_str()),
            &column(begun, |(new, _)| new.state.next_action()),
            &column(begun, |(new, _)| new.order.transfer.amount.pesewas()),
            &column(begun, |(new, _)| new.order.transfer.network.as_str()),
            &column(begun, |(new, _)| new.order.transfer.phone.as_str()),
            &column(begun, |(new, _)| &new.order.reference),
            &column(begun, |(new, _)| new.order.checkout.as_ref().map(CheckoutId::as_str)),
            &column(begun, |(new, _)| &new.order.details.email),
            &column(begun, |(new, _)| &new.order.details.metadata),
            &column(begun, |(new, _)| &new.order.details.payer_message),
            &column(begun, |(new, _)| &new.order.details.payee_note),
            &column(begun, |(new, _)| i64::from(new.version)),
            &column(begun, |(new, _)| at(new.created_at)),
            &column(begun, |(new, _)| at(new.updated_at)),
            &column(begun, |(new, _)| maybe_at(new.handed_over_at)),
            &column(begun, |(_, sending)| maybe_at(sending.send_at())),
            &column(begun, |(_, sending)| maybe_at(sending.first_query_at())),
            &column(begun, |(new, _)| new.order.key.as_ref().map(KeyId::as_str)),
            &column(begun, |(new, _)| i64::from(new.order.needs_approval)),
            &column(begun, |(_, sending)| maybe_at(sending.approval_due())),
            &column(begun, |(new, _)| operator_columns(new.operator.as_ref()).0),
            &column(begun, |(new, _)| operator_columns(new.operator.as_ref()).1),
            &column(begun, |(new, _)| refund_columns(&new.order).0),
            &column(begun, |(new, _)| refund_columns(&new.order).1),
            &column(begun, |(new, _)| new.order.batch.as_ref().map(BatchId::as_str)),
            &column(begun, |(new, _)| new.order.link.as_ref().map(LinkId::as_str)),
            &column(begun, |(new, _)| column_values::payer_pays_column(&new.order)),
            &column(begun, |(new, _)| new.order.price.fee_pesewas),
            &column(begun, |(new, _)| new.order.details.language.as_ref().map(LanguageTag::as_str)),
            &column(begun, |(new, _)| &new.order.details.answer),
        ],
    )
    .await
    .map(drop)
}

/// Appends the first events of new transactions.
pub(super) async fn append(db: &Db, applied: &[(&Transaction, &Event)]) -> Result<()> {
    db.execute(
        "INSERT INTO transaction_events (transaction_id, version, at, event)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[])",
        &[
            &column(applied, |(transaction, _)| transaction.order.id.as_str()),
            &column(applied, |(transaction, _)| i64::from(transaction.version)),
            &column(applied, |(transaction, _)| at(transaction.updated_at)),
            &column(applied, |(_, event)| event_json::write(event)),
        ],
    )
    .await
    .map(drop)
}

/// Appends events and updates the derived rows; returns the ids of the updated rows. A row whose
/// version has changed since is skipped. The caller sorts by id, because rows are locked in this
/// order.
pub(super) async fn update(db: &Db, applied: &[(&Transaction, &Event)]) -> Result<HashSet<String>> {
    let sql = "WITH updated AS (
                   UPDATE transactions SET status = after.status, next_action = after.next_action,
                       failure = after.failure, code_attempts = after.code_attempts,
                       conflict_observed = after.conflict_observed, conflict_at = after.conflict_at,
                       reversed_at = after.reversed_at, version = after.version, updated_at = \
        after.updated_at,
                       acknowledged_at = coalesce(acknowledged_at, after.acknowledged_since),
                       send_at = CASE WHEN after.is_final THEN NULL ELSE send_at END,
                       ask_at = CASE WHEN after.is_final THEN NULL ELSE ask_at END,
                       approval_due = CASE WHEN after.is_final THEN NULL ELSE approval_due END
                   FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], \
        $6::text[], $7::bigint[],
                               $8::bigint[], $9::bigint[], $10::bigint[], $11::bool[], \
        $12::text[], $13::bigint[])
                        AS after (id, status, next_action, failure, code_attempts, \
        conflict_observed, conflict_at,
                                  reversed_at, version, updated_at, is_final, event, \
        acknowledged_since)
                   WHERE transactions.id = after.id AND transactions.version + 1 = after.version
                   RETURNING after.*),
               appended AS (
                   INSERT INTO transaction_events (transaction_id, version, at, event)
                   SELECT id, version, updated_at, event FROM updated)
               SELECT id FROM updated";
    let updated = db
        .query(
            sql,
            &[
                &column(applied, |(after, _)| after.order.id.as_str()),
                &column(applied, |(after, _)| after.state.status().as_str()),
                &column(applied, |(after, _)| after.state.next_action()),
                &column(applied, |(after, _)| column_values::failure_column(after)),
                &column(applied, |(after, _)| i64::from(after.code_attempts)),
                &column(applied, |(after, _)| {
                    after.conflict.map(|conflict| conflict.observed.as_str())
                }),
                &column(applied, |(after, _)| after.conflict.map(|conflict| at(conflict.at))),
                &column(applied, |(after, _)| maybe_at(after.reversed_at)),
                &column(applied, |(after, _)| i64::from(after.version)),
                &column(applied, |(after, _)| at(after.updated_at)),
                &column(applied, |(after, _)| after.state.is_final()),
                &column(applied, |(_, event)| event_json::write(event)),
                &column(applied, |(after, _)| maybe_at(column_values::acknowledged_column(after))),
            ],
        )
        .await?;
    updated.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Stores what operators reported with these events besides the status, and what reviews decided. A
/// mismatch is flagged for review at once. Runs after [`update`] in the same transaction, and skips
/// the rows that it skipped.
pub(super) async fn store_reports(db: &Db, applied: &[(&Transaction, &Event)]) -> Result<()> {
    let mut reported: Vec<(&Transaction, &Event)> = Vec::new();
    for (after, event) in applied {
        if column_values::brings_report(event) {
            reported.push((after, event));
        }
    }
    if reported.is_empty() {
        return Ok(());
    }
    db.execute(
        "UPDATE transactions SET operator_transaction_id = report.transaction_id, \
         operator_order_id = report.order_id,
             operator_fee = report.fee, mismatched = report.mismatched, mismatch_received = \
         report.received,
             settled_amount = report.settled, conflict_decision = report.conflict_decision,
             disputed_at = report.disputed_at, dispute_decision = report.dispute_decision,
             review_at = coalesce(review_at, CASE WHEN report.mismatched > 0 THEN report.at END)
         FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], \
         $7::bigint[],
                     $8::bigint[], $9::bigint[], $10::text[], $11::bigint[], $12::text[])
              AS report (id, version, transaction_id, order_id, fee, mismatched, received, \
         settled, at,
                         conflict_decision, disputed_at, dispute_decision)
         WHERE transactions.id = report.id AND transactions.version = report.version",
        &[
            &column(&reported, |(after, _)| after.order.id.as_str()),
            &column(&reported, |(after, _)| i64::from(after.version)),
            &column(&reported, |(after, _)| after.details.transaction_id.as_deref()),
            &column(&reported, |(after, _)| after.details.order_id.as_deref()),
            &column(&reported, |(after, _)| after.details.fee_pesewas),
            &column(&reported, |(after, _)| column_values::mismatch_columns(after).0),
            &column(&reported, |(after, _)| column_values::mismatch_columns(after).1),
            &column(&reported, |(after, _)| after.settled_amount.map(Amount::pesewas)),
            &column(&reported, |(after, _)| at(after.updated_at)),
            &column(&reported, |(after, _)| column_values::case_columns(after).0),
            &column(&reported, |(after, _)| column_values::case_columns(after).1),
            &column(&reported, |(after, _)| column_values::case_columns(after).2),
        ],
    )
    .await
    .map(drop)
}

/// Stores what approvals chose, that nothing waits for one, and when to send the payouts.
pub(super) async fn store_routes(
    db: &Db,
    approved: &[&Transaction],
    send_at: Option<Timestamp>,
) -> Result<()> {
    if approved.is_empty() {
        return Ok(());
    }
    let sql =
        "UPDATE transactions SET approved_at = new.approved_at, send_at = $2, approval_due = \
         NULL,
                   operator = new.operator, operator_fingerprint = new.fingerprint, expected_fee = \
         new.fee,
                   refund_method = new.method, approved_after_revocation = new.after_revocation, \
         network = new.network
               FROM unnest($1::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], \
         $7::bigint[], $8::bigint[],
                           $9::text[])
                    AS new (id, operator, fingerprint, fee, method, approved_at, after_revocation, \
         network)
               WHERE transactions.id = new.id";
    db.execute(
        sql,
        &[
            &column(approved, |payout| payout.order.id.as_str()),
            &maybe_at(send_at),
            &column(approved, |payout| operator_columns(payout.operator.as_ref()).0),
            &column(approved, |payout| operator_columns(payout.operator.as_ref()).1),
            &column(approved, |payout| payout.order.price.fee_pesewas),
            &column(approved, |payout| refund_columns(&payout.order).1),
            &column(approved, |payout| maybe_at(payout.approved_at)),
            &column(approved, |payout| i64::from(payout.is_approved_after_revocation)),
            &column(approved, |payout| payout.order.transfer.network.as_str()),
        ],
    )
    .await
    .map(drop)
}

/// Locks and returns a transaction.
pub(super) async fn lock(db: &Db, id: &TransactionId) -> Result<Option<Transaction>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions WHERE id = $1 FOR NO KEY UPDATE"
    );
    db.query_opt(sql, &[&id.as_str()]).await?.as_ref().map(rows::transaction).transpose()
}

#[async_trait]
impl Lookup for TransactionId {
    type Found = Transaction;

    async fn find(db: &Db, ops: &[&Self]) -> Result<Vec<Option<Transaction>>> {
        let ids = column(ops, |id| without_nul(id.as_str()));
        let sql = concat!(
            "SELECT n, ",
            transaction_columns!(),
            " FROM unnest($1::text[]) WITH ORDINALITY AS asked (asked, n) JOIN transactions ON \
             transactions.id = asked"
        );
        by_ordinality(ops.len(), db.query(sql, &[&ids]).await?, |row| rows::transaction(&row))
    }
}

/// Returns the events of a transaction, oldest first.
pub(super) async fn events(db: &Db, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>> {
    let sql = "SELECT at, event FROM transaction_events WHERE transaction_id = $1 ORDER BY version";
    db.query(sql, &[&id.as_str()]).await?.iter().map(rows::event).collect()
}
