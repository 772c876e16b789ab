//! What the audit log shows of people: their roles, sessions and credentials.

use super::change::change;
use serde_json::{Value, json};
use tua_domain::{
    AccountId, SessionId, UserId,
    audit::{Action, AuditChange},
    mail::AlertChoices,
    people::{EnrolmentLink, Role, Session, User},
};

/// The address of a member of the staff is not a payer's data.
pub(crate) fn role_set(
    user: &User,
    account: &AccountId,
    before: Option<Role>,
    after: Role,
) -> AuditChange {
    let values = |role: Role| {
        json!({
            "email": user.email.as_str(),
            "accountId": account.as_str(),
            "role": role.as_str(),
        })
    };
    change(Action::RoleSet, user.id.as_str(), before.map(values), Some(values(after)))
}

pub(crate) fn role_removed(user: &User, account: &AccountId, before: Role) -> AuditChange {
    let before = json!({
        "email": user.email.as_str(),
        "accountId": account.as_str(),
        "role": before.as_str(),
    });
    change(Action::RoleRemoved, user.id.as_str(), Some(before), None)
}

pub(crate) fn link_created(link: &EnrolmentLink) -> AuditChange {
    let subject = link.user.as_ref().map_or("first set-up", UserId::as_str);
    change(
        Action::EnrolmentLinkCreated,
        subject,
        None,
        Some(json!({ "expiresAt": link.expires_at.to_string() })),
    )
}

/// An entry about a person's own credentials, which are never in it.
pub(crate) fn user_changed(action: Action, user: &User) -> AuditChange {
    change(action, user.id.as_str(), None, Some(json!({ "email": user.email.as_str() })))
}

/// A sign-in: how the person proved who they are, and with which browser and system. `None` for a
/// session that nobody signed in for.
pub(crate) fn session_begun(action: Action, session: &Session) -> Option<AuditChange> {
    let way = session.way?;
    let values = json!({
        "email": session.user.email.as_str(),
        "sessionId": session.id.as_str(),
        "way": way.as_str(),
        "device": session.device,
    });
    Some(change(action, session.user.id.as_str(), None, Some(values)))
}

/// A second factor that was refused, behind a right password. Without the code.
pub(crate) fn code_refused(user: &User, device: Option<&str>) -> AuditChange {
    let values = json!({ "email": user.email.as_str(), "device": device });
    change(Action::CodeRefused, user.id.as_str(), None, Some(values))
}

/// The session's id gives no access.
pub(crate) fn session_ended(action: Action, user: &User, id: &SessionId) -> AuditChange {
    change(action, user.id.as_str(), Some(session_values(user, id)), None)
}

/// Without the PIN.
pub(crate) fn till_pin_changed(action: Action, session: &Session) -> AuditChange {
    let values = session_values(&session.user, &session.id);
    change(action, session.user.id.as_str(), None, Some(values))
}

fn session_values(user: &User, id: &SessionId) -> Value {
    json!({ "email": user.email.as_str(), "sessionId": id.as_str() })
}

/// Without the provider's identifier of the person.
pub(crate) fn identity_changed(action: Action, user: &User, issuer: &str) -> AuditChange {
    change(
        action,
        user.id.as_str(),
        None,
        Some(json!({ "email": user.email.as_str(), "issuer": issuer })),
    )
}

/// What a person wants to be told about an account by e-mail: topics, those that are off behind a
/// `-`.
pub(crate) fn alerts_chosen(
    user: &User,
    account: &AccountId,
    before: &AlertChoices,
    after: &AlertChoices,
) -> AuditChange {
    let values = |choices: &AlertChoices| {
        json!({
            "email": user.email.as_str(),
            "accountId": account.as_str(),
            "topics": choices.to_text(),
        })
    };
    change(Action::AlertsChosen, user.id.as_str(), Some(values(before)), Some(values(after)))
}
