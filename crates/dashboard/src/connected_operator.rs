//! The page of an operator that people of the account connected: its check, what it serves, and its
//! end.

use super::{
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::Fields,
    formats,
    notice::Notice,
    operator_address,
    operator_check::{self, BeforeCheck},
    payment::PathValues,
    state::DashboardState,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::{Value, context};
use tua_contract::{Network, Status};
use tua_domain::{
    ConnectedOperatorId, Kind, Mode, Transaction,
    calendar::day_of,
    connected_operator::{ConnectRefusal, ConnectedOperator, ConnectedRoutes, OperatorChange},
    people::Permission,
    ports::ConnectOperatorError,
    refund::{self, TransactionType},
    reporting::ReportFilter,
    routing::{CheckReport, EntrySource, OperatorEntry},
};

/// The amount of a rehearsal payment, in pesewas.
const REHEARSAL_PESEWAS: i64 = 100;

/// The number of the newest payments among which the rehearsal is looked for.
const NEWEST: u32 = 50;

/// The values of the page besides the operator.
#[derive(Default)]
pub(super) struct OperatorPage {
    pub(super) notice: &'static str,
    /// The key of a text that says why nothing was changed; empty for none.
    pub(super) fault: &'static str,
    /// What the check has just found.
    pub(super) report: Option<CheckReport>,
}

/// `GET /operators/connected/{id}`: the operator, and what can be done with it.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let operator = find(&state, &visitor, &path).await?;
    let shown = OperatorPage { notice: notice.key(), ..OperatorPage::default() };
    page(&state, &visitor, &operator.id, shown).await
}

/// `POST /operators/connected/{id}/check`: calls the operator without moving money. Credentials
/// that it accepts are in force from then on.
pub(super) async fn check(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let operator = find(&state, &visitor, &path).await?;
    let id = operator.id.clone();
    match as_seen(operator, &fields) {
        Ok(operator) => check_now(&state, &visitor, operator, BeforeCheck::Nothing).await,
        Err(refusal) => {
            let shown = OperatorPage { fault: refusal_text(refusal), ..OperatorPage::default() };
            page(&state, &visitor, &id, shown).await
        }
    }
}

/// Checks an operator, and shows its page with every line of the result.
pub(super) async fn check_now(
    state: &DashboardState,
    visitor: &Visitor,
    operator: ConnectedOperator,
    before: BeforeCheck,
) -> Result<Response, DashboardError> {
    let id = operator.id.clone();
    let checked = state.operator_connections.check(operator, &visitor.audit(state)).await;
    let shown = match checked {
        Ok(checked) => OperatorPage {
            notice: before.notice(&checked),
            report: Some(checked.report),
            ..OperatorPage::default()
        },
        Err(error) => OperatorPage { fault: fault_of(error)?, ..OperatorPage::default() },
    };
    page(state, visitor, &id, shown).await
}

/// `POST /operators/connected/{id}/serve`: the networks and directions that it serves from now on.
pub(super) async fn serve(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let operator = find(&state, &visitor, &path).await?;
    let chosen = fields.all("serve").collect::<Vec<_>>().join(" ");
    let routes = ConnectedRoutes::parse(&chosen).ok_or(DashboardError::NotFound)?;
    let serve = OperatorChange::Serve(routes);
    change(&state, &visitor, &fields, operator, serve, "operator-routed").await
}

/// `POST /operators/connected/{id}/retire`: it serves nothing new. Its pending payments and the
/// refunds of its charges go on.
pub(super) async fn retire(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let operator = find(&state, &visitor, &path).await?;
    if !is_confirmed(&fields) {
        let own = format!("/operators/connected/{}", operator.id);
        let who = formats::operator(visitor.person.language, operator.name.as_str());
        let action = format!("{own}/retire");
        let mut question = Confirmation::of("confirm-retire-operator", who, action, &own);
        question.fields.push(("version", operator.version.to_string()));
        return Ok(question.page(&visitor));
    }
    change(&state, &visitor, &fields, operator, OperatorChange::Retire, "operator-retired").await
}

async fn change(
    state: &DashboardState,
    visitor: &Visitor,
    fields: &Fields,
    operator: ConnectedOperator,
    change: OperatorChange,
    done: &str,
) -> Result<Response, DashboardError> {
    let by = visitor.audit(state);
    let id = operator.id.clone();
    let changed = match as_seen(operator, fields) {
        Ok(operator) => state.operator_connections.change(&operator, change, &by).await,
        Err(refusal) => Err(refusal.into()),
    };
    match changed {
        Ok(changed) => {
            let id = &changed.id;
            Ok(redirect(&visitor.href(&format!("/operators/connected/{id}?done={done}"))))
        }
        Err(error) => {
            let shown = OperatorPage { fault: fault_of(error)?, ..OperatorPage::default() };
            page(state, visitor, &id, shown).await
        }
    }
}

/// The operator of the path, if people of this account connected it.
pub(super) async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
) -> Result<ConnectedOperator, DashboardError> {
    let id = path.get("id").filter(|_| visitor.scope.mode == Mode::Live);
    let id = id.ok_or(DashboardError::NotFound)?;
    let found = state.operator_connections.find(&visitor.scope.account, id).await?;
    found.ok_or(DashboardError::NotFound)
}

/// The operator, if it still has the version that the person saw on the page of the form.
///
/// # Errors
/// [`ConnectRefusal::Changed`] where somebody has changed it meanwhile.
pub(super) fn as_seen(
    operator: ConnectedOperator,
    fields: &Fields,
) -> Result<ConnectedOperator, ConnectRefusal> {
    if fields.has_version(operator.version) { Ok(operator) } else { Err(ConnectRefusal::Changed) }
}

/// The key of the text about a refusal.
///
/// # Errors
/// That of the store, which has no text.
pub(super) fn fault_of(error: ConnectOperatorError) -> Result<&'static str, DashboardError> {
    match error {
        ConnectOperatorError::Refused(refusal) => Ok(refusal_text(refusal)),
        ConnectOperatorError::Store(error) => Err(error.into()),
    }
}

pub(super) const fn refusal_text(refusal: ConnectRefusal) -> &'static str {
    match refusal {
        ConnectRefusal::NameTaken => "connect-name-taken",
        ConnectRefusal::TooMany => "connect-too-many",
        ConnectRefusal::Changed => "connect-changed",
        ConnectRefusal::Retired => "connect-is-retired",
        ConnectRefusal::NotChecked => "connect-not-checked",
        ConnectRefusal::OtherMerchant => "connect-other-merchant",
        ConnectRefusal::MissingProduct => "connect-missing-product",
    }
}

/// The key of the text about the state of an operator.
const fn state_text(operator: &ConnectedOperator) -> &'static str {
    match operator {
        ConnectedOperator { retired_at: Some(_), .. } => "connect-state-retired",
        ConnectedOperator { checked_at: None, .. } => "connect-state-unchecked",
        ConnectedOperator { replacement: Some(_), .. } => "connect-state-replaced",
        _ => "connect-state-checked",
    }
}

/// As [`state_text`], and whether this process can use the credentials in force.
pub(super) fn state_here(state: &DashboardState, operator: &ConnectedOperator) -> &'static str {
    let is_loaded = state.networks.operators.entry_of(&operator.pin()).is_some();
    if operator.in_force().is_some() && !is_loaded {
        "connect-state-unusable"
    } else {
        state_text(operator)
    }
}

/// The newest payment of [`REHEARSAL_PESEWAS`] through this operator since yesterday that a person
/// asked for and of which nothing was returned. Only the newest payments are looked at.
async fn rehearsal(
    state: &DashboardState,
    visitor: &Visitor,
    operator: &ConnectedOperator,
) -> Result<Option<Value>, DashboardError> {
    if !visitor.may(Permission::RefundPayments) {
        return Ok(None);
    }
    let today = day_of(visitor.person.now);
    let filter = ReportFilter {
        types: Some(vec![TransactionType::Charge]),
        status: Some(Status::Successful),
        from: Some(today.yesterday().unwrap_or(today)),
        ..ReportFilter::default()
    };
    let newest = state.reports.newest(&visitor.scope, &filter, NEWEST).await?;
    let pin = operator.pin();
    let is_rehearsal = |one: &&Transaction| {
        one.operator.as_ref().is_some_and(|served| served.fingerprint == pin.fingerprint)
            && one.order.transfer.amount.pesewas() == REHEARSAL_PESEWAS
            // Asked for by a person in the dashboard, and not by the shop.
            && one.order.key.is_none()
            && one.order.checkout.is_none()
            && refund::left(one).is_ok_and(|left| left == REHEARSAL_PESEWAS)
    };
    Ok(newest.iter().find(is_rehearsal).map(views::transaction))
}

/// The page as the store has the operator now.
pub(super) async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    id: &ConnectedOperatorId,
    shown: OperatorPage,
) -> Result<Response, DashboardError> {
    let connections = &state.operator_connections;
    let all = connections.list(&visitor.scope.account).await?;
    let operator = all.iter().find(|one| one.id == *id).ok_or(DashboardError::NotFound)?;
    let entry = state.networks.operators.entry_of(&operator.pin());
    let services = entry.as_deref().filter(|_| operator.retired_at.is_none());
    let services = services.map(|entry| services_of(state, visitor, operator, entry, &all));
    let charges = operator.routes.iter().any(|(_, kind)| kind == Kind::Charge);
    let form = connections.form(&operator.connector);
    let values = context! {
        notice => shown.notice,
        fault => shown.fault,
        id => operator.id.as_str(),
        name => operator.name.as_str(),
        version => operator.version,
        connector => &operator.connector,
        title => form.map_or("", |form| form.title),
        state => state_here(state, operator),
        is_retired => operator.retired_at.is_some(),
        created_at => operator.created_at.to_string(),
        checked_at => operator.checked_at.map(|at| at.to_string()),
        address => operator_address::values(state, &operator.id),
        services => services.unwrap_or_default(),
        serves_charges => charges,
        rehearsal => if charges { rehearsal(state, visitor, operator).await? } else { None },
        is_checked_now => shown.report.is_some(),
        is_late => shown.report.as_ref().is_some_and(|report| report.results.is_none()),
        results => shown.report.as_ref().map(operator_check::rows).unwrap_or_default(),
    };
    let is_refused = !shown.fault.is_empty();
    let status = if is_refused { StatusCode::CONFLICT } else { StatusCode::OK };
    Ok(visitor.page_with(status, "connected_operator.html", values))
}

/// The networks and directions that the operator can serve, each with who serves it now.
fn services_of(
    state: &DashboardState,
    visitor: &Visitor,
    operator: &ConnectedOperator,
    entry: &OperatorEntry,
    all: &[ConnectedOperator],
) -> Vec<Value> {
    let capabilities = entry.operator.capabilities();
    let places = Network::ALL
        .into_iter()
        .flat_map(|network| Kind::ALL.iter().map(move |kind| (network, *kind)));
    let places = places.filter(|(network, kind)| capabilities.amounts(*network, *kind).is_some());
    let service = |(network, kind): (Network, Kind)| {
        let other = all.iter().find(|one| one.id != operator.id && one.routes.has(network, kind));
        context! {
            network => network.as_str(),
            kind => kind.as_str(),
            value => format!("{}:{}", network.as_str(), kind.as_str()),
            is_on => operator.routes.has(network, kind),
            other => other.map(|other| other.name.as_str()),
            settings => settings_operator(state, visitor, network, kind),
        }
    };
    places.map(service).collect()
}

/// The name of the operator of the settings that serves this, which goes before any other.
fn settings_operator(
    state: &DashboardState,
    visitor: &Visitor,
    network: Network,
    kind: Kind,
) -> Option<String> {
    let account = &visitor.scope.account;
    let route = state.networks.operators.route(Mode::Live, account, network, kind)?;
    let first = route.first().filter(|entry| entry.source == EntrySource::Settings)?;
    Some(first.pin.name.to_string())
}
