//! How the networks are served, and the operators that serve the account.

use super::{
    connected_operator::state_here, error::DashboardError, operator_warning, state::DashboardState,
    views, visitor::Visitor,
};
use axum::{extract::State, response::Response};
use minijinja::{Value, context};
use std::sync::Arc;
use tua_contract::Network;
use tua_domain::{
    AccountId, Kind, Mode, Scope,
    people::Permission,
    routing::{EntrySource, KnownFloat, NetworkService, OperatorEntry},
};
use tua_use_cases::{Networks, OperatorFloat};

/// `GET /operators`: networks, routes, limits, breakers and balances, as this process last found
/// them.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let mut rows = Vec::new();
    for found in state.operator_floats.list(&visitor.scope).await? {
        let is_entitled = may_see_money_of(&visitor, &found.accounts, Permission::ReadOperators);
        rows.push(operator(&found, is_entitled));
    }
    let values = context! {
        networks => networks(&state.networks, &visitor.scope),
        connected => connected(&state, &visitor).await?,
        warnings => operator_warning::warnings(&state, &visitor),
        rows,
    };
    Ok(visitor.page("operators.html", values))
}

/// The operators that people of the account connected, for those who may change them.
async fn connected(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<Vec<Value>, DashboardError> {
    if visitor.scope.mode == Mode::Test || !visitor.may(Permission::ManageOperators) {
        return Ok(Vec::new());
    }
    let all = state.operator_connections.list(&visitor.scope.account).await?;
    let rows = all.iter().map(|one| {
        context! {
            id => one.id.as_str(),
            name => one.name.as_str(),
            state => state_here(state, one),
        }
    });
    Ok(rows.collect())
}

/// How each network is served for the account and mode.
pub(super) fn networks(networks: &Networks, scope: &Scope) -> Vec<Value> {
    let services = networks.services(scope, false).into_iter();
    services
        .map(|(network, charges, payouts)| {
            context! {
                network => network.as_str(),
                charges => context! {
                    by => serving(networks, scope, network, Kind::Charge),
                    ..service(&charges)
                },
                payouts => context! {
                    by => serving(networks, scope, network, Kind::Payout),
                    ..service(&payouts)
                },
            }
        })
        .collect()
}

/// Who serves a network and direction, in order of preference, and where that is configured.
fn serving(networks: &Networks, scope: &Scope, network: Network, kind: Kind) -> Vec<Value> {
    let network = networks.operators.sent_as(network);
    let route = networks.operators.route(scope.mode, &scope.account, network, kind);
    let route = route.unwrap_or_default();
    let serves = |entry: &&Arc<OperatorEntry>| {
        entry.operator.capabilities().amounts(network, kind).is_some()
    };
    let serving = route.iter().filter(serves);
    serving
        .map(|entry| {
            let source = match entry.source {
                EntrySource::Settings if entry.pin.is_sandbox() => "operators-built-in",
                EntrySource::Settings => "operators-of-settings",
                EntrySource::Dashboard(_) => "operators-of-dashboard",
            };
            context! { name => entry.pin.name.as_str(), source }
        })
        .collect()
}

fn service(service: &NetworkService) -> Value {
    context! {
        availability => if service.permitted_range.is_some() {
            service.availability.as_str()
        } else {
            "NONE"
        },
        min => service.permitted_range.as_ref().map(|range| views::cedis(range.start().pesewas())),
        max => service.permitted_range.as_ref().map(|range| views::cedis(range.end().pesewas())),
    }
}

/// Whether the person may see the money at an operator: only if the person has the permission in
/// every account that it serves and that uses its mode, because the money is that of all of them.
pub(super) async fn is_entitled(
    state: &DashboardState,
    visitor: &Visitor,
    entry: &OperatorEntry,
    permission: Permission,
) -> Result<bool, DashboardError> {
    if let Some(accounts) = &entry.accounts
        && may_see_money_of(visitor, accounts, permission)
    {
        return Ok(true);
    }
    let served = state.operator_floats.accounts_at(entry).await?;
    Ok(may_see_money_of(visitor, &served, permission))
}

fn may_see_money_of(visitor: &Visitor, served: &[AccountId], permission: Permission) -> bool {
    served.iter().all(|account| {
        let mut own = visitor.person.accounts.iter();
        own.any(|(one, role)| one.id == *account && role.may(permission))
    })
}

/// The balance at each operator as this process last read it, for people who may see the money
/// there. No operator is called.
pub(super) async fn balances(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<Vec<Value>, DashboardError> {
    if !visitor.may(Permission::ReadOperators) {
        return Ok(Vec::new());
    }
    let mut entries =
        state.networks.operators.of_account(visitor.scope.mode, &visitor.scope.account);
    // Most operators tell no balance; then nothing is read.
    entries.retain(|entry| entry.float.last().is_some());
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let reserved = state.operator_floats.reserved().await?;
    let mut balances = Vec::new();
    for entry in entries {
        let Some(known) = entry.known_float(&reserved) else { continue };
        if is_entitled(state, visitor, &entry, Permission::ReadOperators).await? {
            let age = state.clock.now().duration_since(known.read_at);
            balances.push(context! {
                name => entry.pin.name.as_str(),
                balance => views::cedis(known.reported_pesewas),
                is_reserved => known.reserved_pesewas > 0,
                minutes => age.as_mins().max(0),
                read_at => known.read_at.to_string(),
                ..float(known)
            });
        }
    }
    Ok(balances)
}

fn float(float: KnownFloat) -> Value {
    context! {
        reserved => views::cedis(float.reserved_pesewas),
        available => views::cedis(float.available_pesewas()),
        is_short => float.available_pesewas() < 0,
    }
}

fn operator(found: &OperatorFloat, is_entitled: bool) -> Value {
    let entry = &found.operator;
    let reading = entry.float.last().filter(|_| is_entitled);
    let balances = reading.as_ref().map(|reading| {
        let balance = |one: &tua_domain::ports::Balance| {
            context! {
                account => &one.account,
                currency => &one.currency,
                amount => views::cedis(one.minor_units),
            }
        };
        reading.balances.iter().map(balance).collect::<Vec<_>>()
    });
    let services = entry.operator.capabilities().services;
    let services = services.iter().map(|one| {
        context! {
            network => one.network.as_str(),
            kind => one.kind.as_str(),
            min => views::cedis(one.amounts.start().pesewas()),
            max => views::cedis(one.amounts.end().pesewas()),
            is_withheld => entry.withholds(one.network, one.kind),
        }
    });
    context! {
        name => entry.pin.name.as_str(),
        is_draining => entry.is_draining,
        is_withheld => Kind::ALL.iter().any(|kind| entry.breaker(*kind).is_open()),
        is_refusing => entry.refused().next().is_some(),
        services => services.collect::<Vec<_>>(),
        is_entitled,
        balances => balances.unwrap_or_default(),
        float => found.float.filter(|_| is_entitled).map(float),
        read_at => reading.map(|reading| reading.at.to_string()),
    }
}
