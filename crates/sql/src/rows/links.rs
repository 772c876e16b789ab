//! Reads rows of payment links.

use crate::columns::{self as read, Columns, maybe_text, maybe_time, number, text, time, word};
use tua_domain::{
    KeyId, LinkId,
    link::{Link, LinkAmount, LinkCode, LinkTerms, LinkTotals, LinkUses},
};

/// Reads a payment link.
pub fn link<R: Columns>(row: &R) -> Result<Link, R::Error> {
    Ok(Link {
        id: LinkId::new(text(row, "id")?),
        scope: read::scope(row)?,
        code: word(row, "code", LinkCode::parse)?,
        terms: LinkTerms {
            title: text(row, "title")?,
            description: maybe_text(row, "description")?,
            amount: match read::maybe_amount(row, "amount")? {
                Some(amount) => LinkAmount::Fixed(amount),
                None => LinkAmount::Open {
                    min: read::maybe_amount(row, "min_amount")?,
                    max: read::maybe_amount(row, "max_amount")?,
                },
            },
            uses: word(row, "uses", LinkUses::parse)?,
            metadata: maybe_text(row, "metadata")?,
            question: maybe_text(row, "question")?,
            expires_at: maybe_time(row, "expires_at")?,
        },
        reference: text(row, "reference")?,
        created_at: time(row, "created_at")?,
        closed_at: maybe_time(row, "closed_at")?,
        used_at: maybe_time(row, "used_at")?,
        created_by: maybe_text(row, "created_by")?.map(KeyId::new),
    })
}

/// The payments of a link.
pub fn link_totals<R: Columns>(row: &R) -> Result<LinkTotals, R::Error> {
    Ok(LinkTotals {
        payments: number(row, "payments")?,
        paid_pesewas: number(row, "paid_pesewas")?,
        pending: number(row, "pending")?,
    })
}
