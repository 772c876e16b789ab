//! What approvals depend on, and what they store ([`crate::queries::approvals`]).

use super::{accounts, batch_ops::column, payout_controls, record::maybe_at, refunds};
use jiff::Timestamp;
use tua_domain::{KeyId, Transaction, TransactionId, TransactionOrder, approval::Circumstances};
use tua_sql::{
    column_values::{operator_columns, refund_columns},
    postgres::{db::Db, error::Result},
    queries,
};

/// What the approval of a payout depends on. The sum of the day leaves out the payout `without`.
pub(super) async fn circumstances(
    db: &Db,
    order: &TransactionOrder,
    without: Option<&TransactionId>,
    now: Timestamp,
) -> Result<Circumstances> {
    let controls =
        payout_controls::lock(db, std::iter::once(&order.scope)).await?.remove(&order.scope);
    let controls = controls.unwrap_or_default();
    let paid_pesewas = match controls.daily_limit {
        Some(_) => queries::payout_controls::paid_pesewas(db, &order.scope, now, without).await?,
        None => 0,
    };
    // A revocation that has not committed yet waits for this transaction's row, and then finds the
    // payout approved.
    let revoked = "SELECT 1 FROM api_keys WHERE id = $1 AND revoked_at IS NOT NULL";
    let revoked = db.query_opt(revoked, &[&order.key.as_ref().map(KeyId::as_str)]).await?;
    let not_refundable = refunds::not_refundable(db, order).await?;
    let is_account_suspended = accounts::lock_suspended(db, &order.scope.account).await?;
    let is_key_revoked = revoked.is_some();
    Ok(Circumstances {
        controls,
        paid_pesewas,
        is_key_revoked,
        is_account_suspended,
        not_refundable,
    })
}

/// Stores what approvals chose, and that the payouts may be sent.
pub(super) async fn store_approved(
    db: &Db,
    approved: &[&Transaction],
    now: Timestamp,
) -> Result<()> {
    store_routes(db, approved, Some(now)).await
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
