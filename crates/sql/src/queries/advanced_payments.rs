//! Payments of the sandbox that it is to be asked about, as old as the sandbox clock says
//! (docs/reference/test-mode.md#the-sandbox-clock).

use crate::{
    columns::number,
    rows::{self, transaction_columns},
    sql::{MissingRow, RowLock, Sql},
};
use jiff::{SignedDuration, Timestamp};
use tua_domain::{AccountId, Transaction, sandbox_clock::ClockAdvance};

/// Payments of the sandbox in test mode of the account `$1` that it is to be asked about: those
/// that are handed over and pending, and payouts that it reverses. No operator of the settings
/// serves them. Some are pinned to the sandbox (`PinnedOperator::sandbox`).
macro_rules! asked_in_sandbox {
    () => {
        "account_id = $1 AND mode = 'test' AND kind IN ('CHARGE', 'PAYOUT') \
         AND operator_fingerprint IN ('', 'sandbox') \
         AND (status = 'PENDING' OR status = 'SUCCESSFUL' AND kind = 'PAYOUT') \
         AND ask_at IS NOT NULL"
    };
}
pub(super) use asked_in_sandbox;

/// Payments that are delayed only by the sandbox clock.
#[macro_export]
macro_rules! is_delayed {
    ($handed_over_before:literal) => {
        concat!(
            "status = 'PENDING' AND delayed_at IS NULL AND clock_advanced_ms > 0 \
             AND handed_over_at - clock_advanced_ms <= ",
            $handed_over_before
        )
    };
}
pub use is_delayed;

/// The index of [`is_delayed`].
const DELAYED_INDEX: &str = "transactions_undelayed_advanced";

/// The longest delay of the sandbox: it returns a payout a day after it. Orders need not become
/// older than this, so that they are not deleted before their time.
const MAX_ORDER_SHIFT: SignedDuration = SignedDuration::from_hours(24);

/// The reference of a payment's order at the sandbox, which is its id in another form.
const ORDER_REFERENCE: &str = "substr(id, 5, 8) || '-' || substr(id, 13, 4) || '-4' || \
    substr(id, 18, 3) || '-' || substr(id, 21, 4) || '-' || substr(id, 25, 12)";

/// Makes the pending payments of an account older, and their orders, so that the sandbox decides
/// them; likewise payouts that it reverses. Returns how many payments are delayed since that were
/// handed over after `handed_over_before`.
pub(super) async fn age<S: Sql>(
    db: &S,
    account: &AccountId,
    by: ClockAdvance,
    handed_over_before: Timestamp,
) -> Result<u64, S::Error> {
    let account = account.as_str();
    let index = S::index_hint("transactions_due");
    let asked = asked_in_sandbox!();
    let orders = format!(
        "UPDATE sandbox_orders
         SET received_at = received_at - $2, code_accepted_at = code_accepted_at - $2
         WHERE reference IN (SELECT {ORDER_REFERENCE} FROM transactions{index} WHERE {asked})"
    );
    let order_shift = 1000 * by.duration().min(MAX_ORDER_SHIFT).as_secs();
    db.execute(&orders, &[&account, &order_shift]).await?;
    let payments = format!(
        "UPDATE transactions{index} SET clock_advanced_ms = clock_advanced_ms + $2 WHERE {asked}"
    );
    db.execute(&payments, &[&account, &(1000 * by.seconds())]).await?;
    let delayed = format!(
        "SELECT count(*) AS delayed FROM transactions{}
         WHERE account_id = $1 AND mode = 'test' AND {}",
        S::index_hint(DELAYED_INDEX),
        is_delayed!("$2"),
    );
    let row = db.query_opt(&delayed, &[&account, &handed_over_before]).await?;
    number(&row.ok_or(MissingRow)?, "delayed")
}

/// Marks payments as delayed that are older by the sandbox clock than those handed over before this
/// time, and returns them. Each is returned once.
pub async fn take_delayed<S: Sql>(
    db: &S,
    handed_over_before: Timestamp,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Transaction>, S::Error> {
    let source = format!(
        "{} WHERE {} ORDER BY transactions.id",
        S::index_hint(DELAYED_INDEX),
        is_delayed!("$1"),
    );
    mark_delayed(db, &source, handed_over_before, now, limit).await
}

/// Marks the first transactions of this source, which compares with `$1`, as delayed, and returns
/// them. Each is returned once. They are few, so each gets a statement of its own.
pub async fn mark_delayed<S: Sql>(
    db: &S,
    source: &str,
    handed_over_before: Timestamp,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Transaction>, S::Error> {
    let sql = format!("SELECT {} FROM transactions{source} LIMIT $2", transaction_columns!());
    let found = db.query_locked(&sql, RowLock::NoKeyUpdate, &[&handed_over_before, &limit]).await?;
    let mut delayed = Vec::with_capacity(found.len());
    for row in &found {
        let transaction = rows::transaction(row)?;
        let update = "UPDATE transactions SET delayed_at = $2 WHERE id = $1";
        db.execute(update, &[&transaction.order.id.as_str(), &now]).await?;
        delayed.push(transaction);
    }
    Ok(delayed)
}
