//! Payouts that the float at their operator does not cover, as far as it is known.

use super::{
    error::DashboardError, operators::is_entitled, state::DashboardState, views, visitor::Visitor,
};
use minijinja::{Value, context};
use tua_domain::people::Permission;
use tua_use_cases::FloatShortage;

/// A warning for each shortage. The money at an operator is shown only to people who may see that
/// of every account that it serves.
pub(super) async fn warnings(
    state: &DashboardState,
    visitor: &Visitor,
    shortages: Vec<FloatShortage>,
) -> Result<Vec<Value>, DashboardError> {
    let mut warnings = Vec::new();
    for one in shortages {
        if is_entitled(state, visitor, &one.operator, Permission::ReadOperators).await? {
            warnings.push(context! {
                operator => one.operator.pin.name.as_str(),
                float => views::cedis(one.float.reported_pesewas),
                reserved => (one.float.reserved_pesewas > 0)
                    .then(|| views::cedis(one.float.reserved_pesewas)),
                needed => views::cedis(one.needed_pesewas),
                missing => views::cedis(one.missing_pesewas()),
                minutes => one.age(state.clock.now()).as_mins(),
            });
        }
    }
    Ok(warnings)
}
