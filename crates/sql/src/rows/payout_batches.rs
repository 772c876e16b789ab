//! Rows of batches of payouts.

use crate::columns::{self as read, Columns, maybe_text, maybe_time, number, text, time, word};
use tua_domain::{
    BatchId, KeyId, TransactionId, UserId,
    payout_batch::{AskedBy, BatchSummary, PayoutBatch, RepeatedPayout},
};

/// Writes the column `warnings`: the index of each line, from 0, with the id of the earlier payout.
pub(crate) fn write_warnings(warnings: &[RepeatedPayout]) -> String {
    let pairs: Vec<(usize, &str)> =
        warnings.iter().map(|one| (one.line, one.earlier.as_str())).collect();
    serde_json::json!(pairs).to_string()
}

fn read_warnings(text: &str) -> Option<Vec<RepeatedPayout>> {
    let pairs: Vec<(usize, String)> = serde_json::from_str(text).ok()?;
    Some(
        pairs
            .into_iter()
            .map(|(line, id)| RepeatedPayout { line, earlier: TransactionId::new(id) })
            .collect(),
    )
}

fn asked_by<R: Columns>(row: &R) -> Result<AskedBy, R::Error> {
    Ok(match (maybe_text(row, "key_id")?, maybe_text(row, "user_id")?) {
        (Some(key), _) => AskedBy::Key(KeyId::new(key)),
        (None, Some(user)) => AskedBy::Person(UserId::new(user)),
        (None, None) => AskedBy::CommandLine,
    })
}

/// A batch without its lines.
pub(crate) fn payout_batch<R: Columns>(row: &R) -> Result<PayoutBatch, R::Error> {
    Ok(PayoutBatch {
        id: BatchId::new(text(row, "id")?),
        scope: read::scope(row)?,
        reference: text(row, "reference")?,
        asked_by: asked_by(row)?,
        warnings: word(row, "warnings", read_warnings)?,
        created_at: time(row, "created_at")?,
        lines: Vec::new(),
    })
}

pub(crate) fn batch_summary<R: Columns>(row: &R) -> Result<BatchSummary, R::Error> {
    Ok(BatchSummary {
        id: BatchId::new(text(row, "id")?),
        scope: read::scope(row)?,
        reference: text(row, "reference")?,
        asked_by: asked_by(row)?,
        created_at: time(row, "created_at")?,
        count: number(row, "lines")?,
        total_pesewas: number(row, "pesewas")?,
        pending: number(row, "pending")?,
        failed: number(row, "failed")?,
        not_approved: number(row, "not_approved")?,
        approval_due: maybe_time(row, "approval_due")?,
    })
}
