//! The totals of days, which every final payment changes.

use super::batch_ops::column;
use tua_domain::{Event, Transaction};
use tua_sql::{
    column_values,
    postgres::{db::Db, error::Result},
};

/// Adds transactions to the totals of their days, with the events that made them final. Each
/// connection has rows of its own (`shard`), so that concurrent transactions do not wait for each
/// other.
pub(super) async fn count_final(db: &Db, applied: &[(&Transaction, &Event)]) -> Result<()> {
    let ended: Vec<&Transaction> = applied
        .iter()
        .filter(|(_, event)| column_values::makes_final(event))
        .map(|(after, _)| *after)
        .collect();
    if ended.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO transaction_days (account_id, mode, day, kind, network, status, shard, \
        payments, pesewas)
               SELECT account_id, mode, day, kind, network, status, pg_backend_pid() % 64, count(*),
                      CAST(sum(pesewas) AS BIGINT)
               FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], \
        $6::text[], $7::bigint[])
                    AS ended (account_id, mode, day, kind, network, status, pesewas)
               GROUP BY account_id, mode, day, kind, network, status
               ORDER BY account_id, mode, day, kind, network, status
               ON CONFLICT (account_id, mode, day, kind, network, status, shard) DO UPDATE
               SET payments = transaction_days.payments + excluded.payments,
                   pesewas = transaction_days.pesewas + excluded.pesewas";
    let parameters: tua_sql::postgres::db::Parameters<'_> = &[
        &column(&ended, |one| one.order.scope.account.as_str()),
        &column(&ended, |one| one.order.scope.mode.as_str()),
        &column(&ended, |one| column_values::day_of_creation(one)),
        &column(&ended, |one| one.order.transfer.kind.as_str()),
        &column(&ended, |one| one.order.transfer.network.as_str()),
        &column(&ended, |one| one.state.status().as_str()),
        &column(&ended, |one| column_values::moved_pesewas(one)),
    ];
    db.execute(sql, parameters).await?;
    count_refunds(db, &ended).await
}

/// Adds the refunds among these transactions to the totals of refunds.
async fn count_refunds(db: &Db, ended: &[&Transaction]) -> Result<()> {
    let refunds: Vec<&Transaction> =
        ended.iter().filter(|one| one.order.refund.is_some()).copied().collect();
    if refunds.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO refund_days (account_id, mode, day, network, status, shard, payments, \
        pesewas)
               SELECT account_id, mode, day, network, status, pg_backend_pid() % 64, count(*),
                      CAST(sum(pesewas) AS BIGINT)
               FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], \
        $6::bigint[])
                    AS ended (account_id, mode, day, network, status, pesewas)
               GROUP BY account_id, mode, day, network, status
               ORDER BY account_id, mode, day, network, status
               ON CONFLICT (account_id, mode, day, network, status, shard) DO UPDATE
               SET payments = refund_days.payments + excluded.payments,
                   pesewas = refund_days.pesewas + excluded.pesewas";
    let parameters: tua_sql::postgres::db::Parameters<'_> = &[
        &column(&refunds, |one| one.order.scope.account.as_str()),
        &column(&refunds, |one| one.order.scope.mode.as_str()),
        &column(&refunds, |one| column_values::day_of_creation(one)),
        &column(&refunds, |one| one.order.transfer.network.as_str()),
        &column(&refunds, |one| one.state.status().as_str()),
        &column(&refunds, |one| column_values::moved_pesewas(one)),
    ];
    db.execute(sql, parameters).await.map(drop)
}

/// What an event has to do with the fee of its transaction.
pub(super) struct EventFee<'a> {
    pub(super) transaction: &'a Transaction,
    /// What it posted to the fees.
    pub(super) pesewas: i64,
    /// Whether the fee is known since this event.
    pub(super) is_made_known: bool,
}

/// Adds what events posted to the fees of transactions to those of their days, and the transactions
/// whose fees they made known.
pub(super) async fn count_fees(db: &Db, fees: Vec<EventFee<'_>>) -> Result<()> {
    if fees.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO fee_days (account_id, mode, day, type, shard, pesewas, known)
               SELECT account_id, mode, day, type, pg_backend_pid() % 64,
                      CAST(sum(pesewas) AS BIGINT), CAST(sum(known) AS BIGINT)
               FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[],
                           $6::bigint[])
                    AS fees (account_id, mode, day, type, pesewas, known)
               GROUP BY account_id, mode, day, type
               ORDER BY account_id, mode, day, type
               ON CONFLICT (account_id, mode, day, type, shard) DO UPDATE
               SET pesewas = fee_days.pesewas + excluded.pesewas,
                   known = fee_days.known + excluded.known";
    let parameters: tua_sql::postgres::db::Parameters<'_> = &[
        &column(&fees, |fee| fee.transaction.order.scope.account.as_str()),
        &column(&fees, |fee| fee.transaction.order.scope.mode.as_str()),
        &column(&fees, |fee| column_values::day_of_creation(fee.transaction)),
        &column(&fees, |fee| fee.transaction.order.transaction_type().as_str()),
        &column(&fees, |fee| fee.pesewas),
        &column(&fees, |fee| i64::from(fee.is_made_known)),
    ];
    db.execute(sql, parameters).await.map(drop)
}
