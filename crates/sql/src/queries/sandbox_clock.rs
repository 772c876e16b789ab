//! The sandbox clock of an account: what is scheduled in its test mode comes earlier
//! (docs/reference/test-mode.md#the-sandbox-clock).
//!
//! Each statement names the account and the test mode. Payments that an operator of the settings
//! serves are left out: their operator's clock stays as it is.
//!
//! Lock order: transactions, orders of the sandbox, payment links, checkout sessions, deliveries.

use super::{
    advanced_payments::{self, asked_in_sandbox},
    audit,
};
use crate::{
    audit_values,
    columns::{number, text},
    sql::{Parameter, Sql},
};
use jiff::SignedDuration;
use tua_domain::{
    AccountId,
    audit::AuditContext,
    rules::DELAYED_AFTER,
    sandbox_clock::{BecameDue, ClockAdvance, ClocksAhead},
    webhook::delivery::{DELIVERY_LEASE, FIRST_RETRY_WITHIN},
};

/// Rows that are scheduled, in parameters: `$1` is the account, `$2` now, `$3` the time that
/// becomes now, `$4` their difference. All times are in milliseconds.
struct Schedule {
    table: &'static str,
    /// SQLite finds the rows by it.
    index: Option<&'static str>,
    /// When a row is due; NULL where nothing is due any more.
    due_column: &'static str,
    /// Other times of the row that come earlier, where they are later than now.
    other_columns: &'static [&'static str],
    /// Rows of test mode of the account.
    condition: &'static str,
}

const LINKS: Schedule = Schedule {
    table: "payment_links",
    index: None,
    due_column: "expires_at",
    other_columns: &[],
    condition: "account_id = $1 AND mode = 'test' AND closed_at IS NULL AND used_at IS NULL",
};

const CHECKOUTS: Schedule = Schedule {
    table: "checkouts",
    index: Some("checkouts_expiring"),
    due_column: "expiry_due",
    other_columns: &["expires_at", "closed_at"],
    condition: "account_id = $1 AND mode = 'test'",
};

const APPROVALS: Schedule = Schedule {
    table: "transactions",
    index: Some("transactions_unapproved"),
    due_column: "approval_due",
    other_columns: &[],
    condition: "account_id = $1 AND mode = 'test'",
};

/// A lease of a status query is one of these times too. It may be moved: a repeated send needs the
/// lease as it was taken, so it is refused then, and the sandbox refuses a second order.
const STATUS_QUERIES: Schedule = Schedule {
    table: "transactions",
    index: Some("transactions_due"),
    due_column: "ask_at",
    other_columns: &[],
    condition: asked_in_sandbox!(),
};

/// Without deliveries that may be under way: those that are due before `$5`, when a lease that is
/// taken now would end. A delivery that waits for its second attempt is due within `$6` after the
/// first one, and a lease of it ends later.
const RETRIES: Schedule = Schedule {
    table: "webhook_deliveries",
    index: None,
    due_column: "due_at",
    other_columns: &[],
    condition: "endpoint_id IN (SELECT id FROM webhook_endpoints
                                WHERE account_id = $1 AND mode = 'test')
                AND status = 'PENDING'
                AND (attempts = 1 AND due_at <= attempted_at + $6
                     OR attempts > 1 AND due_at > $5)",
};

/// How long an advance may wait until it moves deliveries, and how much nodes' clocks may differ.
const WAIT_FOR_LOCKS: SignedDuration = SignedDuration::from_secs(10);

impl Schedule {
    /// A statement for the rows that are due in this range.
    fn update<S: Sql>(&self, range: &str) -> String {
        let index = self.index.map(S::index_hint).unwrap_or_default();
        let Self { table, due_column, other_columns, condition, .. } = self;
        let set: Vec<String> = std::iter::once(due_column)
            .chain(*other_columns)
            .map(|column| {
                format!(
                    "{column} = CASE WHEN {column} > $3 THEN {column} - $4
                                     WHEN {column} > $2 THEN $2 ELSE {column} END"
                )
            })
            .collect();
        let set = set.join(", ");
        format!("UPDATE {table}{index} SET {set} WHERE {condition} AND {due_column} {range}")
    }

    /// Makes the rows due earlier. Returns how many are due now.
    async fn advance<S: Sql>(
        &self,
        db: &S,
        parameters: &[&(dyn Parameter + Sync)],
    ) -> Result<u64, S::Error> {
        let due_column = self.due_column;
        let due = self.update::<S>(&format!("> $2 AND {due_column} <= $3"));
        let later = self.update::<S>("> $3");
        let became_due = db.execute(&due, parameters).await?;
        db.execute(&later, parameters).await?;
        Ok(became_due)
    }
}

/// Advances the sandbox clock of an account, audits that, and returns how much became due.
pub async fn advance<S: Sql>(
    db: &S,
    account: &AccountId,
    by: ClockAdvance,
    audit: &AuditContext,
) -> Result<BecameDue, S::Error> {
    let id = account.as_str();
    let end = by.end(audit.at);
    let milliseconds = 1000 * by.seconds();
    let times: [&(dyn Parameter + Sync); 4] = [&id, &audit.at, &end, &milliseconds];
    let lease_end = audit.at + DELIVERY_LEASE + WAIT_FOR_LOCKS;
    let first_retry_milliseconds = 1000 * FIRST_RETRY_WITHIN.as_secs();
    let times_of_retries: [&(dyn Parameter + Sync); 6] =
        [&id, &audit.at, &end, &milliseconds, &lease_end, &first_retry_milliseconds];
    let approvals = APPROVALS.advance(db, &times).await?;
    let payments = STATUS_QUERIES.advance(db, &times).await?;
    let delayed = advanced_payments::age(db, account, by, audit.at - DELAYED_AFTER).await?;
    let links = LINKS.advance(db, &times).await?;
    let checkouts = CHECKOUTS.advance(db, &times).await?;
    let deliveries = RETRIES.advance(db, &times_of_retries).await?;
    move_ahead(db, account, milliseconds).await?;
    let due = BecameDue { links, checkouts, approvals, payments, delayed, deliveries };
    audit::append(db, audit, &audit_values::accounts::sandbox_clock_advanced(account, by, due))
        .await?;
    Ok(due)
}

/// Adds an advance to the sum of the account.
async fn move_ahead<S: Sql>(
    db: &S,
    account: &AccountId,
    milliseconds: i64,
) -> Result<(), S::Error> {
    let sql = "INSERT INTO sandbox_clocks AS known (account_id, ahead_ms) VALUES ($1, $2)
               ON CONFLICT (account_id) DO UPDATE SET ahead_ms = known.ahead_ms + $2";
    db.execute(sql, &[&account.as_str(), &milliseconds]).await.map(drop)
}

/// By how much the sandbox clocks of accounts are ahead.
pub async fn ahead<S: Sql>(db: &S) -> Result<ClocksAhead, S::Error> {
    let rows = db.query("SELECT account_id, ahead_ms FROM sandbox_clocks", &[]).await?;
    rows.iter()
        .map(|row| {
            let ahead = SignedDuration::from_millis(number(row, "ahead_ms")?);
            Ok((AccountId::new(text(row, "account_id")?), ahead))
        })
        .collect()
}
