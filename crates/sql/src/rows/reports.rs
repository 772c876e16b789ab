//! Reads rows of reports into their domain types.

use crate::columns::{self as read, Columns, maybe_time, number, word};
use tua_contract::{FailureCode, Status};
use tua_domain::{
    refund::TransactionType,
    reporting::{
        DayFees, DayTotal, FailureCount, FilterTotal, FirstStepsFacts, WaitingTimes,
        failures::MAX_FAILURES,
    },
};

/// The transactions of a filter with one type and status.
pub(crate) fn filter_total<R: Columns>(row: &R) -> Result<FilterTotal, R::Error> {
    Ok(FilterTotal {
        transaction_type: word(row, "type", TransactionType::parse)?,
        status: word(row, "status", Status::parse)?,
        payments: number(row, "payments")?,
        pesewas: number(row, "pesewas")?,
    })
}

/// The totals of a day.
pub(crate) fn day_total<R: Columns>(row: &R) -> Result<DayTotal, R::Error> {
    Ok(DayTotal {
        day: read::day(row, "day")?,
        transaction_type: word(row, "type", TransactionType::parse)?,
        network: read::network(row)?,
        status: word(row, "status", Status::parse)?,
        payments: number(row, "payments")?,
        pesewas: number(row, "pesewas")?,
    })
}

/// The fees of a day.
pub(crate) fn day_fees<R: Columns>(row: &R) -> Result<DayFees, R::Error> {
    Ok(DayFees {
        day: read::day(row, "day")?,
        transaction_type: word(row, "type", TransactionType::parse)?,
        pesewas: number(row, "pesewas")?,
        known: number(row, "known")?,
    })
}

/// How often a reason occurred.
pub(crate) fn failure_count<R: Columns>(row: &R) -> Result<FailureCount, R::Error> {
    let entries: u64 = number(row, "entries")?;
    Ok(FailureCount {
        code: word(row, "failure", FailureCode::parse)?,
        payments: number(row, "payments")?,
        is_capped: entries >= MAX_FAILURES.into(),
    })
}

/// The times that explain why a transaction is pending.
pub(crate) fn waiting_times<R: Columns>(row: &R) -> Result<WaitingTimes, R::Error> {
    Ok(WaitingTimes {
        ask_at: maybe_time(row, "ask_at")?,
        send_at: maybe_time(row, "send_at")?,
        acknowledged_at: maybe_time(row, "acknowledged_at")?,
        delayed_at: maybe_time(row, "delayed_at")?,
        flags: super::transactions::flags(row)?,
        approval_due: maybe_time(row, "approval_due")?,
    })
}

/// What an account has of the first steps: each column counts, at most to 1.
pub(crate) fn first_steps<R: Columns>(row: &R) -> Result<FirstStepsFacts, R::Error> {
    let has = |column| number::<_, u8>(row, column).map(|count| count > 0);
    Ok(FirstStepsFacts {
        has_test_payment: has("test_payment")?,
        has_open_link: has("open_link")?,
        has_second_person: has("second_person")?,
        has_live_response: has("live_response")?,
        has_live_key: has("live_key")?,
        has_live_payment: has("live_payment")?,
    })
}
