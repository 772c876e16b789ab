//! A person's own page: sessions, password, recovery codes, and reports and alerts by e-mail. A
//! password and recovery codes need a fresh proof. Passkeys are on the same page.

use super::{
    alert_choices,
    error::{DashboardError, ReturnTo, redirect},
    fields::Fields,
    notice::Notice,
    state::DashboardState,
    visitor::SignedIn,
};
use axum::{
    Extension,
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::context;
use tua_domain::{
    SessionId,
    mail::{AlertTopic, ReportInterval},
};
use tua_net::Client;
use tua_use_cases::EnrolError;

/// The page of a person's own security.
pub(super) const PAGE: &str = "/dashboard/security";

/// The page after a change was stored.
pub(super) const SAVED_PATH: &str = "/dashboard/security?done=saved";

/// The page after a new password, which says what else opens the dashboard.
const PASSWORD_SAVED: &str = "/dashboard/security?done=password";

/// The page after another session was ended.
const SESSION_ENDED: &str = "/dashboard/security?done=session-ended";

/// `GET /dashboard/security`: the person's sessions, credentials and reports.
pub(super) async fn show(
    State(state): State<DashboardState>,
    person: SignedIn,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    draw(&state, &person, notice.key(), None).await
}

/// The page, with the key of the text of a fault.
pub(super) async fn page(
    state: &DashboardState,
    person: &SignedIn,
    fault: Option<&str>,
) -> Result<Response, DashboardError> {
    draw(state, person, "", fault).await
}

async fn draw(
    state: &DashboardState,
    person: &SignedIn,
    notice: &str,
    fault: Option<&str>,
) -> Result<Response, DashboardError> {
    let overview = state.person_security.overview(&person.session).await?;
    let sessions = overview.sessions.iter().map(|one| {
        context! {
            id => one.id.as_str(),
            device => &one.device,
            created_at => one.created_at.to_string(),
            seen_at => one.seen_at.to_string(),
            is_this => one.id == person.session.id,
        }
    });
    let sessions = sessions.collect::<Vec<_>>();
    let passkeys = overview.passkeys.iter().map(|one| {
        context! {
            id => one.id.as_str(),
            device => &one.device,
            created_at => one.created_at.to_string(),
            used_at => one.used_at.map(|at| at.to_string()),
        }
    });
    let user = &person.session.user;
    let identities = overview.identities.iter().map(|one| {
        context! {
            id => one.id.as_str(),
            issuer => &one.identity.issuer,
            created_at => one.created_at.to_string(),
            used_at => one.used_at.map(|at| at.to_string()),
        }
    });
    let identities = identities.collect::<Vec<_>>();
    let alerts = alert_choices::forms(state, person).await?;
    let values = context! {
        notice,
        alerts,
        is_mail_on => overview.is_mail_on,
        report_interval => overview.report_interval.map_or("never", ReportInterval::as_str),
        report_intervals => [
            "never",
            ReportInterval::Daily.as_str(),
            ReportInterval::Weekly.as_str(),
        ],
        sessions,
        codes_left => overview.recovery_codes_left,
        fault,
        passkeys => passkeys.collect::<Vec<_>>(),
        has_passkeys => state.passkeys.is_some() && !user.is_managed(),
        has_password => !user.needs_provider() && !user.has_only_passkeys(),
        has_only_passkeys => user.has_only_passkeys(),
        is_managed => user.is_managed(),
        identities,
        provider => state.provider_name(),
    };
    let status = if fault.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(person.page(status, "security.html", values))
}

/// `POST /dashboard/security/password`: changes the password. It needs a fresh proof, and refuses
/// people who have only passkeys.
pub(super) async fn change_password(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    fields: Fields,
) -> Result<Response, DashboardError> {
    require_password(&person)?;
    // A first password needs one-time codes too.
    if person.session.user.has_only_passkeys() {
        return Err(DashboardError::NotPermitted);
    }
    require_fresh(&state, &person)?;
    let by = person.audit(&state, client);
    match state.enrolments.change_password(&person.session, fields.get("password"), &by).await {
        Ok(()) => Ok(redirect(PASSWORD_SAVED)),
        Err(EnrolError::Faults(_)) => page(&state, &person, Some("fault-password")).await,
        Err(EnrolError::LinkEnded) => Err(session_ended()),
        Err(EnrolError::Store(error)) => Err(error.into()),
    }
}

/// `POST /dashboard/security/reports`: how often the person gets a report by e-mail.
pub(super) async fn choose_reports(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let interval = match fields.get("interval") {
        "never" => None,
        typed => Some(ReportInterval::parse(typed).ok_or(DashboardError::NotFound)?),
    };
    let by = person.audit(&state, client);
    state.person_security.choose_reports(&person.session.user, interval, &by).await?;
    Ok(redirect(SAVED_PATH))
}

/// `POST /dashboard/security/alerts/{account}`: what the person is told about an account by e-mail.
pub(super) async fn choose_alerts(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    Path(account): Path<String>,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let member = person.accounts.iter().find(|(one, _)| one.id.as_str() == account);
    let (account, role) = member.ok_or(DashboardError::NotFound)?;
    let wanted: Option<Vec<AlertTopic>> = fields.all("topic").map(AlertTopic::parse).collect();
    let wanted = wanted.ok_or(DashboardError::NotFound)?;
    let by = person.audit(&state, client);
    let user = &person.session.user;
    state.person_security.choose_alerts(user, (&account.id, *role), &wanted, &by).await?;
    Ok(redirect(SAVED_PATH))
}

/// `POST /dashboard/security/recovery-codes`: new codes, which are shown once.
pub(super) async fn replace_recovery_codes(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
) -> Result<Response, DashboardError> {
    require_password(&person)?;
    require_fresh(&state, &person)?;
    let by = person.audit(&state, client);
    let has_only_passkeys = person.session.user.has_only_passkeys();
    let codes = state
        .enrolments
        .replace_recovery_codes(&person.session, &by)
        .await?
        .ok_or_else(session_ended)?;
    let codes: Vec<String> = codes.iter().map(|code| code.as_str().to_owned()).collect();
    Ok(person.page(StatusCode::OK, "recovery_codes.html", context! { codes, has_only_passkeys }))
}

/// `POST /dashboard/security/sessions/{session}/end`: ends one of the person's own sessions.
pub(super) async fn end_session(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, DashboardError> {
    let by = person.audit(&state, client);
    if state.sessions.end(&person.session, &SessionId::new(id), &by).await? {
        Ok(redirect(SESSION_ENDED))
    } else {
        Err(DashboardError::NotFound)
    }
}

/// Refuses passwords and recovery codes to people who sign in with a provider and have none.
fn require_password(person: &SignedIn) -> Result<(), DashboardError> {
    if person.session.user.needs_provider() { Err(DashboardError::NotPermitted) } else { Ok(()) }
}

/// The session was ended while the request was under way, such as by an enrolment.
fn session_ended() -> DashboardError {
    DashboardError::SignInRequired(ReturnTo::path(PAGE))
}

/// Refuses a change without a fresh proof.
pub(super) fn require_fresh(
    state: &DashboardState,
    person: &SignedIn,
) -> Result<(), DashboardError> {
    if person.session.is_fresh(state.clock.now()) {
        Ok(())
    } else {
        Err(DashboardError::ProofRequired(ReturnTo::path(PAGE)))
    }
}
