//! Who can approve a batch that a person has asked for, and from which sum on somebody must.

use super::{error::DashboardError, state::DashboardState, views, visitor::Visitor};
use minijinja::{Value, context};
use tua_domain::people::{Membership, Permission};

/// The other people of the account who may decide, and the limit; `limit` is none where no limit is
/// set any more.
pub(super) async fn of_own_request(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<Value, DashboardError> {
    let members = state.members.of_account(&visitor.account.id).await?;
    let own = &visitor.person.session.user.id;
    let may_approve =
        |member: &&Membership| member.role.may(Permission::DecidePayouts) && member.user.id != *own;
    let people: Vec<&str> =
        members.iter().filter(may_approve).map(|member| member.user.email.as_str()).collect();
    let limits = state.payout_limits.read(&visitor.scope).await?;
    let limit = limits.controls.approval_above.map(|above| views::cedis(above.pesewas()));
    Ok(context! { people => people.join(", "), limit })
}
