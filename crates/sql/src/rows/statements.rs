//! Rows of statements.

use super::transaction;
use crate::columns::{
    self as read, Columns, maybe_number, maybe_text, maybe_time, maybe_word, number, text, time,
    word,
};
use tua_contract::Network;
use tua_domain::{
    StatementId, TransactionId,
    routing::{OperatorFingerprint, OperatorName, PinnedOperator},
    statement::{LineKind, MatchedLine, Statement, StatementLine, StatementSummary},
};

/// Reads a statement without its lines.
pub(crate) fn statement<R: Columns>(row: &R) -> Result<Statement, R::Error> {
    let name = OperatorName::of_row(text(row, "operator")?);
    let fingerprint = OperatorFingerprint::of_row(text(row, "operator_fingerprint")?);
    Ok(Statement {
        id: StatementId::new(text(row, "id")?),
        operator: PinnedOperator { name, fingerprint },
        digest: read::bytes(row, "digest")?,
        created_at: time(row, "created_at")?,
        completed_at: maybe_time(row, "completed_at")?,
        abandoned_at: maybe_time(row, "abandoned_at")?,
        covers: read::maybe_day(row, "covers_from")?.zip(read::maybe_day(row, "covers_to")?),
    })
}

/// A statement with what it added.
pub(crate) fn statement_summary<R: Columns>(row: &R) -> Result<StatementSummary, R::Error> {
    let lines = number(row, "lines")?;
    let days = if lines == 0 {
        None
    } else {
        Some((read::day(row, "first_day")?, read::day(row, "last_day")?))
    };
    Ok(StatementSummary { statement: statement(row)?, lines, late: number(row, "late")?, days })
}

/// A line with its transaction, which is read by the names of its own columns.
pub(crate) fn matched_line<R: Columns>(row: &R) -> Result<MatchedLine, R::Error> {
    Ok(MatchedLine {
        statement: StatementId::new(text(row, "line_statement")?),
        line: StatementLine {
            number: number(row, "line_number")?,
            key: read::bytes(row, "line_key")?,
            at: time(row, "line_at")?,
            kind: word(row, "line_kind", LineKind::parse)?,
            is_reversal: number::<_, u8>(row, "line_is_reversal")? != 0,
            operator_transaction_id: maybe_text(row, "line_operator_id")?,
            network: maybe_word(row, "line_network", Network::parse)?,
            referenced: maybe_text(row, "line_referenced")?.map(TransactionId::new),
            pesewas: number(row, "line_amount")?,
            fee_pesewas: maybe_number(row, "line_fee")?,
        },
        is_repeated: number::<_, u8>(row, "line_is_repeated")? != 0,
        is_returned: number::<_, u8>(row, "line_is_returned")? != 0,
        transaction: row.maybe_text("id")?.is_some().then(|| transaction(row)).transpose()?,
    })
}
