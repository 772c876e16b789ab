//! Deletes rows after their retention period, in small batches.

use crate::sql::Sql;
use tua_domain::retention::{Horizon, Pruned};

/// The orders of the sandbox that are old and whose payment is final. The sandbox must remember the
/// order of a pending payment: without it, it would answer that it never received one. The
/// reference is the payment's id in another form.
const OLD_ORDERS: &str = "SELECT reference FROM sandbox_orders
    WHERE received_at <= $1 AND NOT EXISTS
        (SELECT 1 FROM transactions
         WHERE id = 'txn_' || substr(sandbox_orders.reference, 1, 8)
                    || substr(sandbox_orders.reference, 10, 4) || '7'
                    || substr(sandbox_orders.reference, 16, 3)
                    || substr(sandbox_orders.reference, 20, 4)
                    || substr(sandbox_orders.reference, 25, 12)
           AND status = 'PENDING')
    ORDER BY received_at LIMIT $2";

/// Deletes at most `limit` old rows of each kind but idempotency records and unused sessions, of
/// which each engine keeps some in its own way.
pub async fn old_rows<S: Sql>(db: &S, horizon: Horizon, limit: u32) -> Result<Pruned, S::Error> {
    let delete = async |table: &str, key: &str, old: &str, before: i64| {
        db.execute(&S::delete_chosen(table, key, old), &[&before, &limit]).await
    };
    let deliveries = "SELECT id FROM webhook_deliveries
        WHERE due_at IS NULL AND coalesce(attempted_at, occurred_at) <= $1
        ORDER BY coalesce(attempted_at, occurred_at) LIMIT $2";
    let buckets = "SELECT name FROM buckets WHERE full_at <= $1 ORDER BY full_at LIMIT $2";
    let exchanges = "SELECT id FROM operator_exchanges WHERE at <= $1 ORDER BY at LIMIT $2";
    let mail = "SELECT id FROM mail_messages WHERE occurred_at <= $1 ORDER BY occurred_at LIMIT $2";
    let alerts = "SELECT id FROM mail_alerts WHERE occurred_at <= $1 ORDER BY occurred_at LIMIT $2";
    let mail_before = horizon.mail.as_millisecond();
    // What a removed channel was given at the same time.
    db.execute("DELETE FROM alert_deliveries WHERE occurred_at <= $1", &[&mail_before]).await?;
    let (deliveries, buckets, sandbox_orders, exchanges, mail, alerts) = tokio::try_join!(
        biased;
        delete("webhook_deliveries", "id", deliveries, horizon.deliveries.as_millisecond()),
        delete("buckets", "name", buckets, horizon.buckets.as_microsecond()),
        delete("sandbox_orders", "reference", OLD_ORDERS, horizon.sandbox_orders.as_millisecond()),
        delete("operator_exchanges", "id", exchanges, horizon.exchanges.as_millisecond()),
        delete("mail_messages", "id", mail, mail_before),
        delete("mail_alerts", "id", alerts, mail_before),
    )?;
    Ok(Pruned { deliveries, buckets, sandbox_orders, exchanges, mail, alerts, ..Pruned::default() })
}
