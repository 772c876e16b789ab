//! The forms in which a person types the credentials of an operator: to connect one, and to replace
//! the credentials of one.

use super::{
    connected_operator::{self, OperatorPage, check_now},
    error::{DashboardError, redirect},
    fields::{CREDENTIAL_PREFIX, Fields},
    operator_address,
    operator_check::BeforeCheck,
    payment::PathValues,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::{Value, context};
use serde::Deserialize;
use std::collections::BTreeMap;
use tua_domain::{
    ConnectedOperatorId, Mode,
    connected_operator::{ConnectRefusal, ConnectedOperator, MAX_CONNECTED_OPERATORS},
    credential_field::{
        ConnectorForm, CredentialFault, CredentialField, CredentialKind, FieldNeed,
    },
    ports::ConnectOperatorError,
    routing::OperatorName,
};
use tua_use_cases::NewConnection;

/// The query of `GET /operators/new`.
#[derive(Debug, Deserialize)]
pub(super) struct ConnectQuery {
    /// The connector that the person has chosen; empty before that.
    #[serde(default)]
    connector: String,
    /// The operator whose place the new one takes; empty for none.
    #[serde(default)]
    supersedes: String,
}

/// What was typed into the form, and what is wrong with it.
#[derive(Default)]
struct TypedForm {
    /// The identifier of a new operator, which its callback address has.
    id: Option<ConnectedOperatorId>,
    name: String,
    values: BTreeMap<String, String>,
    /// The key of the text about the form itself; empty for none.
    fault: &'static str,
    /// The key of the text about the name; empty for none.
    name_fault: &'static str,
    faults: Vec<CredentialFault>,
}

impl TypedForm {
    fn of(form: &ConnectorForm, fields: &Fields) -> Self {
        let value = |field: &CredentialField| {
            let typed = fields.credential(field.key);
            (field.key.to_owned(), typed.to_owned())
        };
        Self {
            name: fields.visible("name"),
            values: form.fields.iter().map(value).collect(),
            ..Self::default()
        }
    }

    fn is_right(&self) -> bool {
        self.fault.is_empty() && self.name_fault.is_empty() && self.faults.is_empty()
    }
}

/// `GET /operators/new`: the connectors, or the form of one.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(ConnectQuery { connector, supersedes }): Query<ConnectQuery>,
) -> Result<Response, DashboardError> {
    let connections = &state.operator_connections;
    let Some(form) = connections.form(&connector).filter(|_| visitor.scope.mode == Mode::Live)
    else {
        let forms = connections.forms().iter();
        let forms = forms
            .map(|form| context! { connector => form.connector, title => form.title })
            .collect::<Vec<_>>();
        return Ok(visitor.page("connect.html", context! { forms }));
    };
    let earlier = superseded(&state, &visitor, &supersedes).await?;
    let id = connections.unused_id(&visitor.scope.account, form.connector, "").await?;
    Ok(new_page(
        &state,
        &visitor,
        form,
        earlier.as_ref(),
        &TypedForm { id: Some(id), ..TypedForm::default() },
    ))
}

/// `POST /operators/new`: stores the operator, which serves nothing before its check.
pub(super) async fn connect(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let connections = &state.operator_connections;
    let form = connections.form(fields.get("connector"));
    let form = form.filter(|_| visitor.scope.mode == Mode::Live);
    let form = form.ok_or(DashboardError::NotFound)?;
    let earlier = superseded(&state, &visitor, fields.get("supersedes")).await?;
    let mut typed = TypedForm::of(form, &fields);
    let account = visitor.scope.account.clone();
    let id = connections.unused_id(&account, form.connector, fields.get("id")).await?;
    typed.id = Some(id.clone());
    let name = typed.name.parse::<OperatorName>();
    if name.is_err() {
        typed.name_fault = "connect-bad-name";
    }
    let read = connections.read(form, &typed.values);
    typed.faults = read.as_ref().err().cloned().unwrap_or_default();
    let (Ok(name), Ok(credentials)) = (name, read) else {
        return Ok(new_page(&state, &visitor, form, earlier.as_ref(), &typed));
    };
    let supersedes = earlier.as_ref().map(|earlier| earlier.id.clone());
    let new = NewConnection { id, account, name, credentials, supersedes };
    match connections.connect(new, &visitor.audit(&state)).await {
        Ok(connected) if is_checked_next(&fields) => {
            check_now(&state, &visitor, connected, BeforeCheck::Connected).await
        }
        Ok(connected) => Ok(redirect(&address(&visitor, &connected.id, "connected"))),
        Err(ConnectOperatorError::Refused(refusal)) => {
            match refusal {
                ConnectRefusal::NameTaken => typed.name_fault = "connect-name-taken",
                refusal => typed.fault = connected_operator::refusal_text(refusal),
            }
            // Somebody may have connected an operator with this id meanwhile.
            let account = &visitor.scope.account;
            let id = connections.unused_id(account, form.connector, fields.get("id")).await?;
            typed.id = Some(id);
            Ok(new_page(&state, &visitor, form, earlier.as_ref(), &typed))
        }
        Err(ConnectOperatorError::Store(error)) => Err(error.into()),
    }
}

/// `GET /operators/connected/{id}/replace`: the form for other credentials of the same account at
/// the operator.
pub(super) async fn show_replace(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let operator = connected_operator::find(&state, &visitor, &path).await?;
    let connections = &state.operator_connections;
    let form = connections.form(&operator.connector).ok_or(DashboardError::NotFound)?;
    let values = connections.shown_values(form, &operator);
    replace_page(&state, &visitor, &operator, TypedForm { values, ..TypedForm::default() })
}

/// `POST /operators/connected/{id}/replace`: the credentials in force stay in force until a check
/// accepts the new ones.
pub(super) async fn replace(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let operator = connected_operator::find(&state, &visitor, &path).await?;
    let id = operator.id.clone();
    let operator = match connected_operator::as_seen(operator, &fields) {
        Ok(operator) => operator,
        Err(refusal) => {
            let fault = connected_operator::refusal_text(refusal);
            let shown = OperatorPage { fault, ..OperatorPage::default() };
            return connected_operator::page(&state, &visitor, &id, shown).await;
        }
    };
    let connections = &state.operator_connections;
    let form = connections.form(&operator.connector).ok_or(DashboardError::NotFound)?;
    let mut typed = TypedForm::of(form, &fields);
    let credentials = match connections.read(form, &typed.values) {
        Ok(credentials) => credentials,
        Err(faults) => {
            typed.faults = faults;
            return replace_page(&state, &visitor, &operator, typed);
        }
    };
    let by = visitor.audit(&state);
    match connections.replace(&operator, &credentials, &by).await {
        Ok(replaced) if is_checked_next(&fields) => {
            check_now(&state, &visitor, replaced, BeforeCheck::Replaced).await
        }
        Ok(replaced) => Ok(redirect(&address(&visitor, &replaced.id, "replaced"))),
        Err(ConnectOperatorError::Refused(
            refusal @ (ConnectRefusal::OtherMerchant | ConnectRefusal::MissingProduct),
        )) => {
            typed.fault = connected_operator::refusal_text(refusal);
            replace_page(&state, &visitor, &operator, typed)
        }
        Err(error) => {
            let fault = connected_operator::fault_of(error)?;
            let shown = OperatorPage { fault, ..OperatorPage::default() };
            connected_operator::page(&state, &visitor, &operator.id, shown).await
        }
    }
}

/// Whether the person pressed the button that also checks what it saves.
fn is_checked_next(fields: &Fields) -> bool {
    fields.get("then") == "check"
}

/// The operator of the account whose place a new one takes.
async fn superseded(
    state: &DashboardState,
    visitor: &Visitor,
    id: &str,
) -> Result<Option<ConnectedOperator>, DashboardError> {
    if id.is_empty() {
        return Ok(None);
    }
    let found = state.operator_connections.find(&visitor.scope.account, id).await?;
    let found = found.filter(|one| one.retired_at.is_none());
    found.map(Some).ok_or(DashboardError::NotFound)
}

fn address(visitor: &Visitor, id: &ConnectedOperatorId, done: &str) -> String {
    visitor.href(&format!("/operators/connected/{id}?done=operator-{done}"))
}

fn new_page(
    state: &DashboardState,
    visitor: &Visitor,
    form: &ConnectorForm,
    earlier: Option<&ConnectedOperator>,
    typed: &TypedForm,
) -> Response {
    let values = context! {
        action => visitor.href("/operators/new"),
        back => visitor.href("/operators/new"),
        is_new => true,
        earlier => earlier.map(|one| {
            context! { id => one.id.as_str(), name => one.name.as_str() }
        }),
        version => "",
        id => typed.id.as_ref().map(ConnectedOperatorId::as_str),
        address => typed.id.as_ref().map(|id| operator_address::values(state, id)),
        name => &typed.name,
        limit => MAX_CONNECTED_OPERATORS,
        ..form_values(form, typed)
    };
    form_page(visitor, typed, values)
}

fn replace_page(
    state: &DashboardState,
    visitor: &Visitor,
    operator: &ConnectedOperator,
    typed: TypedForm,
) -> Result<Response, DashboardError> {
    let form = state.operator_connections.form(&operator.connector);
    let form = form.ok_or(DashboardError::NotFound)?;
    let own = format!("/operators/connected/{}", operator.id);
    let values = context! {
        action => visitor.href(&format!("{own}/replace")),
        back => visitor.href(&own),
        is_new => false,
        earlier => (),
        id => operator.id.as_str(),
        address => operator_address::values(state, &operator.id),
        version => operator.version,
        name => operator.name.as_str(),
        limit => MAX_CONNECTED_OPERATORS,
        ..form_values(form, &typed)
    };
    Ok(form_page(visitor, &typed, values))
}

fn form_page(visitor: &Visitor, typed: &TypedForm, values: Value) -> Response {
    let status = if typed.is_right() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    visitor.page_with(status, "connect_form.html", values)
}

/// The fields of the form. A secret is never shown again.
fn form_values(form: &ConnectorForm, typed: &TypedForm) -> Value {
    let fields = form.fields.iter().map(|field| {
        let value = typed.values.get(field.key).filter(|_| !field.kind.is_secret());
        let choices = match field.kind {
            CredentialKind::Choice(choices) => choices,
            _ => &[],
        };
        context! {
            name => format!("{CREDENTIAL_PREFIX}{}", field.key),
            id => text_key(field.key),
            kind => match field.kind {
                CredentialKind::Text => "text",
                CredentialKind::Secret => "secret",
                CredentialKind::SecretLines => "lines",
                CredentialKind::Choice(_) => "choice",
                CredentialKind::Flag => "flag",
            },
            is_required => field.need == FieldNeed::Required
                && field.kind != CredentialKind::Flag,
            value => value.map_or("", String::as_str),
            choices => choices.to_vec(),
            faults => faults_of(typed, field.key),
        }
    });
    // A fault may be about a table of fields, such as `collection`.
    let others =
        typed.faults.iter().filter(|fault| !form.fields.iter().any(|field| field.key == fault.key));
    context! {
        connector => form.connector,
        title => form.title,
        fields => fields.collect::<Vec<_>>(),
        fault => typed.fault,
        name_fault => typed.name_fault,
        other_faults => others
            .map(|one| format!("{}: {}", one.key, one.fault))
            .collect::<Vec<_>>(),
        is_refused => !typed.is_right(),
    }
}

fn faults_of(typed: &TypedForm, key: &str) -> Vec<String> {
    let own = typed.faults.iter().filter(|fault| fault.key == key);
    own.map(|fault| fault.fault.clone()).collect()
}

/// The end of the key of the field's label: `collection-user` of `collection.user`.
fn text_key(key: &str) -> String {
    key.replace('.', "-")
}
