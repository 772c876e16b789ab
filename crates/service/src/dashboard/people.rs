//! The people of an account: invitations, roles, removal.

use super::{
    error::{DashboardError, redirect},
    fields::Fields,
    state::DashboardState,
    visitor::Visitor,
};
use crate::domain::{
    people::{Membership, Permission, Role, RoleChanger, RoleRefusal},
    ports::RoleError,
    use_cases::Inviter,
};
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use minijinja::{Value, context};

/// What the page shows besides the people.
#[derive(Default)]
struct Shown<'a> {
    /// The key of a text that explains why nothing was changed.
    fault: Option<&'static str>,
    /// The address that was typed.
    email: &'a str,
    /// The link of an invitation; empty for a person who has enrolled already.
    invitation: Option<String>,
}

/// `GET /people`: who may do what in the account.
pub(super) async fn list(State(state): State<DashboardState>, visitor: Visitor) -> Result<Response, DashboardError> {
    page(&state, &visitor, Shown::default()).await
}

async fn page(state: &DashboardState, visitor: &Visitor, shown: Shown<'_>) -> Result<Response, DashboardError> {
    let members = state.store.members(&visitor.account.id).await?;
    let members = members.iter().map(|member| {
        context! {
            id => member.user.id.as_str(),
            email => member.user.email.as_str(),
            name => &member.user.name,
            role => member.role.as_str(),
            is_enrolled => member.user.is_enrolled,
            is_managed => member.user.is_managed(),
            may_change => may_manage(visitor, member.role) && !member.user.is_managed(),
        }
    });
    let status = if shown.fault.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let values = context! {
        members => members.collect::<Vec<_>>(),
        roles => roles(visitor),
        fault => shown.fault,
        email => shown.email,
        invitation => shown.invitation,
    };
    Ok(visitor.page_with(status, "people.html", values))
}

/// The roles that the person may give.
fn roles(visitor: &Visitor) -> Vec<Value> {
    let given = Role::ALL.iter().filter(|role| may_manage(visitor, **role));
    given.map(|role| Value::from(role.as_str())).collect()
}

fn may_manage(visitor: &Visitor, role: Role) -> bool {
    role != Role::Owner || visitor.may(Permission::ManageOwners)
}

/// `POST /people/invite`: shows the link once. It is sent by e-mail too, where e-mail is configured.
pub(super) async fn invite(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = fields.get("email");
    let (Ok(email), Some(role)) = (typed.parse(), Role::parse(fields.get("role"))) else {
        let shown = Shown { fault: Some("fault-email"), email: typed, invitation: None };
        return page(&state, &visitor, shown).await;
    };
    let by = visitor.audit(&state);
    let inviter = Inviter { changer: changer(&visitor), language: visitor.person.language.tag() };
    match state.enrolments.invite(&email, &visitor.account.id, role, &inviter, &by).await {
        Ok(path) => {
            let link = path.map_or_else(String::new, |path| format!("{}{path}", state.public_url));
            page(&state, &visitor, Shown { invitation: Some(link), ..Shown::default() }).await
        }
        Err(error) => refuse(&state, &visitor, error, typed).await,
    }
}

/// `POST /people/{user}/role`.
pub(super) async fn change_role(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path((_, _, user)): Path<(String, String, String)>,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let member = find(&state, &visitor, &user).await?;
    let role = Role::parse(fields.get("role")).ok_or(DashboardError::NotFound)?;
    let by = visitor.audit(&state);
    match state.store.set_role(&member.user.email, &visitor.account.id, role, &changer(&visitor), &by).await {
        Ok(_) => Ok(redirect(&visitor.href("/people"))),
        Err(error) => refuse(&state, &visitor, error, "").await,
    }
}

/// `POST /people/{user}/remove`.
pub(super) async fn remove(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path((_, _, user)): Path<(String, String, String)>,
) -> Result<Response, DashboardError> {
    let member = find(&state, &visitor, &user).await?;
    let by = visitor.audit(&state);
    match state.store.remove_member(&member.user.email, &visitor.account.id, &changer(&visitor), &by).await {
        Ok(()) => Ok(redirect(&visitor.href("/people"))),
        Err(error) => refuse(&state, &visitor, error, "").await,
    }
}

fn changer(visitor: &Visitor) -> RoleChanger {
    RoleChanger::Person(visitor.person.session.user.id.clone())
}

/// The member with this id.
async fn find(state: &DashboardState, visitor: &Visitor, user: &str) -> Result<Membership, DashboardError> {
    let members = state.store.members(&visitor.account.id).await?;
    let found = members.into_iter().find(|one| one.user.id.as_str() == user);
    found.ok_or(DashboardError::NotFound)
}

/// Shows why the role stays as it is, with the address that was typed.
async fn refuse(
    state: &DashboardState,
    visitor: &Visitor,
    error: RoleError,
    email: &str,
) -> Result<Response, DashboardError> {
    let fault = match error {
        RoleError::Refused(RoleRefusal::LastOwner) => "people-last-owner",
        RoleError::Refused(RoleRefusal::InAnotherAccount) => "people-elsewhere",
        RoleError::Refused(RoleRefusal::DecidedByProvider) => "people-by-provider",
        RoleError::Refused(RoleRefusal::NotPermitted) => return Err(DashboardError::NotPermitted),
        RoleError::Refused(RoleRefusal::NotMember) => return Err(DashboardError::NotFound),
        RoleError::Store(error) => return Err(error.into()),
    };
    page(state, visitor, Shown { fault: Some(fault), email, invitation: None }).await
}
