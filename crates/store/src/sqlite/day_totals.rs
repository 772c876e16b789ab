//! The totals of days, which every final payment changes.

use rusqlite::{Connection, Result, params};
use tua_domain::{Event, Transaction};
use tua_sql::column_values;

/// Adds a transaction to the totals of its day, with the event that made it final.
pub(super) fn count_final(db: &Connection, transaction: &Transaction, event: &Event) -> Result<()> {
    if !column_values::makes_final(event) {
        return Ok(());
    }
    let order = &transaction.order;
    let account = order.scope.account.as_str();
    let mode = order.scope.mode.as_str();
    let day = column_values::day_of_creation(transaction);
    let network = order.transfer.network.as_str();
    let status = transaction.state.status().as_str();
    let pesewas = column_values::moved_pesewas(transaction);
    db.prepare_cached(
        "INSERT INTO transaction_days (account_id, mode, day, kind, network, status, shard, \
         payments, pesewas)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 1, ?7)
         ON CONFLICT DO UPDATE SET payments = payments + 1, pesewas = pesewas + excluded.pesewas",
    )?
    .execute(params![
        account,
        mode,
        day,
        order.transfer.kind.as_str(),
        network,
        status,
        pesewas,
    ])?;
    if order.refund.is_none() {
        return Ok(());
    }
    db.prepare_cached(
        "INSERT INTO refund_days (account_id, mode, day, network, status, shard, payments, pesewas)
         VALUES (?1, ?2, ?3, ?4, ?5, 0, 1, ?6)
         ON CONFLICT DO UPDATE SET payments = payments + 1, pesewas = pesewas + excluded.pesewas",
    )?
    .execute(params![account, mode, day, network, status, pesewas])
    .map(drop)
}

/// Adds what an event posted to the fees of a transaction to those of its day, and the transaction
/// if the event made its fee known. Most events do neither.
pub(super) fn count_fees(
    db: &Connection,
    transaction: &Transaction,
    pesewas: i64,
    is_made_known: bool,
) -> Result<()> {
    if pesewas == 0 && !is_made_known {
        return Ok(());
    }
    let order = &transaction.order;
    db.prepare_cached(
        "INSERT INTO fee_days (account_id, mode, day, type, shard, pesewas, known)
         VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6)
         ON CONFLICT DO UPDATE SET pesewas = pesewas + excluded.pesewas,
             known = known + excluded.known",
    )?
    .execute(params![
        order.scope.account.as_str(),
        order.scope.mode.as_str(),
        column_values::day_of_creation(transaction),
        order.transaction_type().as_str(),
        pesewas,
        i64::from(is_made_known),
    ])
    .map(drop)
}
