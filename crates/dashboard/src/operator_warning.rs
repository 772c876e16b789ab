//! What is wrong with the operators of an account now, with what to do about it.

use super::{state::DashboardState, visitor::Visitor};
use minijinja::{Value, context};
use tua_domain::{Kind, routing::OperatorEntry};

/// One warning for each operator that does not respond, and for each network and direction whose
/// orders it refuses for a reason of the shop: credentials, permissions, addresses.
pub(super) fn warnings(state: &DashboardState, visitor: &Visitor) -> Vec<Value> {
    let own = state.networks.operators.of_account(visitor.scope.mode, &visitor.scope.account);
    own.iter().flat_map(|entry| of_operator(entry)).collect()
}

fn of_operator(entry: &OperatorEntry) -> Vec<Value> {
    let name = entry.pin.name.as_str();
    let breakers = Kind::ALL.iter().flat_map(|kind| entry.breakers(*kind));
    let suspects = breakers.filter(|(scope, breaker)| match scope.network {
        Some(_) => entry.is_suspect(*scope),
        None => breaker.is_open(),
    });
    let report = entry.last_check.report();
    let warning = |scope: tua_domain::routing::BreakerScope| {
        let is_refusal = scope.network.is_some();
        let faults = report.iter().filter(|_| is_refusal).flat_map(|report| report.faults());
        context! {
            key => if is_refusal { "operator-refuses" } else { "operator-silent" },
            name,
            network => scope.network.map_or("", |network| network.as_str()),
            kind => scope.kind.as_str(),
            faults => faults.map(str::to_owned).collect::<Vec<_>>(),
            checked_at => report.as_ref().filter(|_| is_refusal).map(|one| one.at.to_string()),
        }
    };
    suspects.map(|(scope, _)| warning(scope)).collect()
}
