//! How the networks are served, and the operators that serve the account.

use super::{error::DashboardError, state::DashboardState, views, visitor::Visitor};
use axum::{extract::State, response::Response};
use minijinja::{Value, context};
use tua_domain::{
    Kind, Scope,
    people::Permission,
    ports::ReservedFloats,
    routing::{KnownFloat, NetworkService, OperatorEntry},
};
use tua_use_cases::{Networks, served_accounts::served_accounts};

/// `GET /operators`: networks, routes, limits, breakers and balances, as this process last found
/// them.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let mut rows = Vec::new();
    let reserved = state.store.reserved_floats().await?;
    for entry in state
        .networks
        .operators
        .entries()
        .iter()
        .filter(|entry| entry.is_of(visitor.scope.mode, &visitor.scope.account))
    {
        let is_entitled = is_entitled(&state, &visitor, entry, Permission::ReadOperators).await?;
        rows.push(operator(entry, is_entitled, &reserved));
    }
    let values = context! { networks => networks(&state.networks, &visitor.scope), rows };
    Ok(visitor.page("operators.html", values))
}

/// How each network is served for the account and mode.
pub(super) fn networks(networks: &Networks, scope: &Scope) -> Vec<Value> {
    let services = networks.services(scope, false).into_iter();
    services
        .map(|(network, charges, payouts)| {
            context! {
                network => network.as_str(),
                charges => service(&charges),
                payouts => service(&payouts),
            }
        })
        .collect()
}

fn service(service: &NetworkService) -> Value {
    context! {
        availability => if service.amounts.is_some() {
            service.availability.as_str()
        } else {
            "NONE"
        },
        min => service.amounts.as_ref().map(|amounts| views::cedis(amounts.start().pesewas())),
        max => service.amounts.as_ref().map(|amounts| views::cedis(amounts.end().pesewas())),
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
    let served = served_accounts(state.store.as_ref(), entry, state.clock.now()).await?;
    Ok(served.iter().all(|account| {
        let mut own = visitor.person.accounts.iter();
        own.any(|(one, role)| one.id == *account && role.may(permission))
    }))
}

fn float(float: KnownFloat) -> Value {
    context! {
        reserved => views::cedis(float.reserved_pesewas),
        available => views::cedis(float.available_pesewas()),
        is_short => float.available_pesewas() < 0,
    }
}

fn operator(entry: &OperatorEntry, is_entitled: bool, reserved: &ReservedFloats) -> Value {
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
        float => entry.known_float(reserved).filter(|_| is_entitled).map(float),
        read_at => reading.map(|reading| reading.at.to_string()),
    }
}
