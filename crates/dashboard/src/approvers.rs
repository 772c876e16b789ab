//! Who can approve a batch that needs an approval, and from which sum on somebody must.

use super::{error::DashboardError, state::DashboardState, views, visitor::Visitor};
use minijinja::{Value, context};
use tua_domain::payout_batch::AskedBy;

/// The people of the account who may approve what `asked_by` asks for, and the limit; `limit` is
/// none where no limit is set any more. A batch of so many pesewas may have been asked for when the
/// limit was lower.
pub(super) async fn of_request(
    state: &DashboardState,
    visitor: &Visitor,
    asked_by: &AskedBy,
    total_pesewas: i64,
) -> Result<Value, DashboardError> {
    let people = state.payout_lists.approvers(&visitor.account.id, asked_by).await?;
    let limits = state.payout_limits.read(&visitor.scope).await?;
    let above = limits.controls.approval_above.map(tua_domain::payout_controls::Ceiling::pesewas);
    Ok(context! {
        people => people.join(", "),
        limit => above.map(views::cedis),
        was_lower => above.is_some_and(|above| total_pesewas <= above),
    })
}
