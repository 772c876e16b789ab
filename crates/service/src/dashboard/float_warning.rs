//! Payouts that the float at their operator does not cover, as far as it is known.

use super::{error::DashboardError, operators::is_entitled, state::DashboardState, views, visitor::Visitor};
use crate::domain::{people::Permission, routing::ReservedFloats};
use jiff::SignedDuration;
use minijinja::{Value, context};
use tua_contract::{Amount, Network};

/// A warning for each operator whose last known float, without what is reserved, is less than what it would pay now. The
/// money at an operator is shown only to people who may see that of every account that it serves.
pub(super) async fn warnings(
    state: &DashboardState,
    visitor: &Visitor,
    payouts: impl IntoIterator<Item = (Network, Amount)>,
    reserved: &ReservedFloats,
) -> Result<Vec<Value>, DashboardError> {
    let mut warnings = Vec::new();
    for one in state.networks.float_shortages(&visitor.scope, payouts, reserved) {
        if is_entitled(state, visitor, &one.operator, Permission::ReadOperators).await? {
            let age = state.clock.now().duration_since(one.float.read_at).max(SignedDuration::ZERO);
            warnings.push(context! {
                operator => one.operator.pin.name.as_str(),
                float => views::cedis(one.float.reported_pesewas),
                reserved => (one.float.reserved_pesewas > 0).then(|| views::cedis(one.float.reserved_pesewas)),
                minutes => age.as_mins(),
            });
        }
    }
    Ok(warnings)
}
