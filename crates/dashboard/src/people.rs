//! The people of an account: invitations, roles, removal.

use super::{
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::Fields,
    notice::Notice,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::{Value, context};
use tua_domain::{
    people::{Membership, OtherAccess, Permission, Role, RoleChanger, RoleRefusal, StaffEmail},
    ports::RoleError,
};
use tua_use_cases::Inviter;

/// The values of the page besides the people.
#[derive(Default)]
struct PeoplePage<'a> {
    /// The key of a text about what was done just before; empty for none.
    notice: &'static str,
    /// The key of a text that explains why nothing was changed.
    fault: Option<&'static str>,
    /// The address that was typed.
    email: &'a str,
    /// The role that was chosen.
    role: Option<Role>,
    /// The accounts through which somebody has enrolled with the address, if that must be decided.
    elsewhere: Vec<Value>,
    invited: Option<InvitationResult>,
}

/// What came of an invitation, or of a new link for somebody who has enrolled.
enum InvitationResult {
    /// A link was made.
    Made {
        /// The link, which is shown once; `None` where it went to the address alone.
        link: Option<String>,
        /// Whether the person had enrolled.
        is_reset: bool,
    },
    /// The person has enrolled already.
    Enrolled,
}

/// `GET /people`: who may do what in the account.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    page(&state, &visitor, PeoplePage { notice: notice.key(), ..PeoplePage::default() }).await
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    shown: PeoplePage<'_>,
) -> Result<Response, DashboardError> {
    let members = state.members.of_account(&visitor.account.id).await?;
    let access = state.members.access(&visitor.account.id).await?;
    let own_id = &visitor.person.session.user.id;
    let mut rows = Vec::new();
    for member in &members {
        let own = access.iter().find(|one| one.user == member.user.id);
        let last = own.and_then(|one| one.last_sign_in);
        let link_until = own.and_then(|one| one.link_expires_at);
        let is_self = member.user.id == *own_id;
        let may_sign_out =
            member.user.is_enrolled && state.members.may_sign_out(member, own_id).await?;
        rows.push(context! {
            signed_in_at => last.map(|one| one.at.to_string()),
            signed_in_by => last.map(|one| one.way.as_str()),
            link_until => link_until
                .filter(|until| *until > visitor.person.now)
                .map(|until| until.to_string()),
            may_sign_out,
            may_reset => may_sign_out && !member.user.is_managed(),
            id => member.user.id.as_str(),
            email => member.user.email.as_str(),
            name => &member.user.name,
            role => member.role.as_str(),
            is_self,
            // The owner of the demo signs in with a link, and enrols nowhere.
            is_enrolled => member.user.is_enrolled || is_self,
            is_managed => member.user.is_managed(),
            may_change => may_manage(visitor, member.role) && !member.user.is_managed(),
        });
    }
    let is_refused = shown.fault.is_some() || !shown.elsewhere.is_empty();
    let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let (link, is_mailed, is_reset) = match &shown.invited {
        Some(InvitationResult::Made { link, is_reset }) => {
            (link.as_ref(), link.is_none(), *is_reset)
        }
        Some(InvitationResult::Enrolled) | None => (None, false, false),
    };
    let values = context! {
        members => rows,
        roles => roles(visitor),
        notice => shown.notice,
        fault => shown.fault,
        email => shown.email,
        role_chosen => shown.role.unwrap_or(Role::Viewer).as_str(),
        elsewhere => shown.elsewhere,
        link,
        is_mailed,
        is_reset,
        is_enrolled => matches!(shown.invited, Some(InvitationResult::Enrolled)),
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

/// `POST /people/invite`: shows the link once, where it does not go to the address alone. Where
/// somebody has enrolled with the address through other accounts of which the visitor manages the
/// people, the page asks whether it is the same person.
pub(super) async fn invite(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed = &*fields.visible("email");
    let role = Role::parse(fields.get("role"));
    let (Ok(email), Some(given)) = (typed.parse(), role) else {
        let shown =
            PeoplePage { fault: Some("fault-email"), email: typed, role, ..PeoplePage::default() };
        return page(&state, &visitor, shown).await;
    };
    let other_access = match fields.get("elsewhere") {
        "join" => OtherAccess::Join,
        "apart" => OtherAccess::Apart,
        _ => OtherAccess::Undecided,
    };
    let by = visitor.audit(&state);
    let inviter = Inviter {
        changer: changer(&visitor),
        other_access,
        language: visitor.person.language.tag(),
    };
    match state.enrolments.invite(&email, &visitor.account.id, given, &inviter, &by).await {
        Ok(path) => {
            let invited = Some(invited(&state, &visitor, &email, path).await?);
            page(&state, &visitor, PeoplePage { invited, ..PeoplePage::default() }).await
        }
        Err(error) => {
            let shown = PeoplePage { email: typed, role, ..PeoplePage::default() };
            refuse(&state, &visitor, error, shown).await
        }
    }
}

/// What the page says about an invitation with this link.
async fn invited(
    state: &DashboardState,
    visitor: &Visitor,
    email: &StaffEmail,
    path: Option<String>,
) -> Result<InvitationResult, DashboardError> {
    let Some(path) = path else { return Ok(InvitationResult::Enrolled) };
    let link = shown_link(state, visitor, email, &path).await?;
    Ok(InvitationResult::Made { link, is_reset: false })
}

/// The link with this path, unless it goes to the address alone.
async fn shown_link(
    state: &DashboardState,
    visitor: &Visitor,
    email: &StaffEmail,
    path: &str,
) -> Result<Option<String>, DashboardError> {
    let account = &visitor.account.id;
    let is_shown = state.members.is_link_shown(account, email, state.invitation_links).await?;
    Ok(is_shown.then(|| format!("{}{path}", state.public_url)))
}

/// `POST /people/{user}/role`: changes a person's role in the account. If the person has not
/// enrolled yet, the invitation ends.
pub(super) async fn change_role(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path((_, _, user)): Path<(String, String, String)>,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let member = find(&state, &visitor, &user).await?;
    let role = Role::parse(fields.get("role")).ok_or(DashboardError::NotFound)?;
    let may_change = may_manage(&visitor, member.role) && may_manage(&visitor, role);
    if may_change && !is_confirmed(&fields) {
        let who = member.user.email.as_str().to_owned();
        let action = format!("/people/{user}/role");
        let question = Confirmation {
            what: format!("role-{}", role.as_str()),
            fields: vec![("role", role.as_str().to_owned())],
            ..Confirmation::of("confirm-role", who, action, "/people")
        };
        return Ok(question.page(&visitor));
    }
    let by = visitor.audit(&state);
    match state.members.change_role(&member, role, &changer(&visitor), &by).await {
        Ok(false) => Ok(redirect(&visitor.href("/people"))),
        Ok(true) => Ok(redirect(&visitor.href("/people?done=link-ended"))),
        Err(error) => refuse(&state, &visitor, error, PeoplePage::default()).await,
    }
}

/// `POST /people/{user}/remove`: removes a person's role in the account.
pub(super) async fn remove(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path((_, _, user)): Path<(String, String, String)>,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let member = find(&state, &visitor, &user).await?;
    if may_manage(&visitor, member.role) && !is_confirmed(&fields) {
        let who = member.user.email.as_str().to_owned();
        let action = format!("/people/{user}/remove");
        let question = Confirmation::of("confirm-remove-person", who, action, "/people");
        return Ok(question.page(&visitor));
    }
    let by = visitor.audit(&state);
    match state
        .members
        .remove(&member.user.email, &visitor.account.id, &changer(&visitor), &by)
        .await
    {
        Ok(()) => Ok(redirect(&visitor.href("/people"))),
        Err(error) => refuse(&state, &visitor, error, PeoplePage::default()).await,
    }
}

/// `POST /people/{user}/sign-out`: ends every session of a person, who can sign in again.
pub(super) async fn sign_out(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path((_, _, user)): Path<(String, String, String)>,
) -> Result<Response, DashboardError> {
    let member = find(&state, &visitor, &user).await?;
    let changer = &visitor.person.session.user.id;
    match state.members.sign_out(&member, changer, &visitor.audit(&state)).await {
        Ok(_) => Ok(redirect(&visitor.href("/people?done=person-signed-out"))),
        Err(error) => refuse(&state, &visitor, error, PeoplePage::default()).await,
    }
}

/// `POST /people/{user}/reset`: a new link for a person who has enrolled and can no longer sign in.
/// Every session of the person ends. Password and passkeys are those of before until the link is
/// used.
pub(super) async fn reset(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path((_, _, user)): Path<(String, String, String)>,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let member = find(&state, &visitor, &user).await?;
    if !member.user.is_enrolled {
        return Err(DashboardError::NotFound);
    }
    if !is_confirmed(&fields) {
        let who = member.user.email.as_str().to_owned();
        let action = format!("/people/{user}/reset");
        return Ok(Confirmation::of("confirm-reset", who, action, "/people").page(&visitor));
    }
    let changer = &visitor.person.session.user.id;
    match state.enrolments.reset_member(&member.user, changer, &visitor.audit(&state)).await {
        Ok(path) => {
            let link = shown_link(&state, &visitor, &member.user.email, &path).await?;
            let invited = Some(InvitationResult::Made { link, is_reset: true });
            let shown = PeoplePage { invited, ..PeoplePage::default() };
            page(&state, &visitor, shown).await
        }
        Err(error) => refuse(&state, &visitor, error, PeoplePage::default()).await,
    }
}

fn changer(visitor: &Visitor) -> RoleChanger {
    RoleChanger::Person(visitor.person.session.user.id.clone())
}

/// The member with this id.
async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    user: &str,
) -> Result<Membership, DashboardError> {
    state.members.find(&visitor.account.id, user).await?.ok_or(DashboardError::NotFound)
}

/// Shows why the role stays as it is, with what was typed.
async fn refuse(
    state: &DashboardState,
    visitor: &Visitor,
    error: RoleError,
    typed: PeoplePage<'_>,
) -> Result<Response, DashboardError> {
    let refusal = match error {
        RoleError::Refused(refusal) => refusal,
        RoleError::Store(error) => return Err(error.into()),
    };
    let shown = match refusal {
        RoleRefusal::LastOwner => PeoplePage { fault: Some("people-last-owner"), ..typed },
        RoleRefusal::DecidedByProvider => PeoplePage { fault: Some("people-by-provider"), ..typed },
        RoleRefusal::EnrolledElsewhere(memberships) => {
            PeoplePage { elsewhere: elsewhere(state, &memberships).await?, ..typed }
        }
        RoleRefusal::NotPermitted => return Err(DashboardError::NotPermitted),
        RoleRefusal::NotMember => return Err(DashboardError::NotFound),
    };
    page(state, visitor, shown).await
}

/// The accounts of these memberships, and who gave the roles. The visitor manages the people of all
/// of them.
async fn elsewhere(
    state: &DashboardState,
    memberships: &[Membership],
) -> Result<Vec<Value>, DashboardError> {
    let mut rows = Vec::new();
    for one in memberships {
        let name = state.members.account_name(&one.account).await?;
        rows.push(context! {
            account => name.unwrap_or_else(|| one.account.to_string()),
            role => one.role.as_str(),
            given_by => &one.given_by,
        });
    }
    Ok(rows)
}
