//! The mail server of the account: its form, its test and its removal. It is for owners alone,
//! because the administrators of the server can read every message of the account.

use super::{
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::Fields,
    notice::Notice,
    state::DashboardState,
    texts,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use fluent_bundle::FluentArgs;
use minijinja::{HtmlEscape, Value, context};
use tua_domain::{
    account_mail_server::{AccountMailServer, MailServerRefusal, SealedMailServer},
    mail::Message,
    mail_server::{MAIL_PORTS, MailEncryption, MailServer, MailServerField, MailServerForm},
    mail_server_fault::{MailServerFault, MailServerProblem},
    ports::ChangeMailServerError,
};
use tua_use_cases::{MailServerTest, MailSource};

/// The page, below the account and mode.
const PAGE: &str = "/settings/mail";

/// The form before anything was typed. Its port and encryption are those of all [`PROVIDERS`].
const EMPTY_FORM: MailServerForm<'static> = MailServerForm {
    host: "",
    port: "587",
    encryption: MailEncryption::StartTls.as_str(),
    user: "",
    password: "",
    from_address: "",
    from_name: "",
};

/// Servers that people often use: name and host.
const PROVIDERS: [(&str, &str); 7] = [
    ("Gmail, Google Workspace", "smtp.gmail.com"),
    ("Microsoft 365", "smtp.office365.com"),
    ("Outlook.com", "smtp-mail.outlook.com"),
    ("Zoho Mail", "smtp.zoho.com"),
    ("Amazon SES (Ireland)", "email-smtp.eu-west-1.amazonaws.com"),
    ("Brevo", "smtp-relay.brevo.com"),
    ("Mailgun", "smtp.mailgun.org"),
];

/// What the page shows besides what is stored.
#[derive(Default)]
struct MailServerPage {
    notice: &'static str,
    /// The key of a text that says why nothing was changed; empty for none.
    fault: &'static str,
    /// Why a test message was not sent.
    failed: Option<MailServerFault>,
    /// The values of a form that was refused, without the password.
    typed: Option<Value>,
    faults: Vec<MailServerField>,
}

/// `GET /settings/mail`: what is in force, what waits for its test, and the form.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let shown = MailServerPage { notice: notice.key(), ..MailServerPage::default() };
    page(&state, &visitor, shown).await
}

/// `POST /settings/mail`: stores settings, which wait for their test.
pub(super) async fn save(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let before = editable(&state, &visitor).await?;
    let host = fields.visible("host");
    let port = fields.visible("port");
    let from_address = fields.visible("from-address");
    let form = MailServerForm {
        host: &host,
        port: &port,
        encryption: fields.get("encryption"),
        user: fields.get("user"),
        password: fields.credential("password"),
        from_address: &from_address,
        from_name: fields.get("from-name"),
    };
    let server = match state.mail_servers.read(&form) {
        Ok(server) => server,
        Err(faults) => {
            let typed = Some(form_values(&form));
            return page(
                &state,
                &visitor,
                MailServerPage { typed, faults, ..MailServerPage::default() },
            )
            .await;
        }
    };
    if !fields.has_version(before.version) {
        return refuse(&state, &visitor, MailServerRefusal::Changed.into()).await;
    }
    let by = visitor.audit(&state);
    match state.mail_servers.replace(&before, &server, &by).await {
        Ok(_) => Ok(back(&visitor, "mail-server-stored")),
        Err(error) => refuse(&state, &visitor, error).await,
    }
}

/// `POST /settings/mail/test`: sends a message to the person with the settings that wait, or
/// else with those in force. Settings that waited are in force once the server accepts the message.
pub(super) async fn test(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let tested = editable(&state, &visitor).await?;
    if !fields.has_version(tested.version) {
        return refuse(&state, &visitor, MailServerRefusal::Changed.into()).await;
    }
    let by = visitor.audit(&state);
    match state.mail_servers.test(&tested, &test_message(&visitor), &by).await {
        Ok(MailServerTest::Failed(fault)) => {
            let shown = MailServerPage { failed: Some(fault), ..MailServerPage::default() };
            page(&state, &visitor, shown).await
        }
        Ok(MailServerTest::Accepted) => Ok(back(&visitor, "mail-server-accepted")),
        Ok(MailServerTest::Sent) => Ok(back(&visitor, "mail-server-sent")),
        Ok(MailServerTest::TooSoon) => Ok(back(&visitor, "test-too-soon")),
        Err(error) => refuse(&state, &visitor, error).await,
    }
}

/// `POST /settings/mail/remove`: no message of the account is sent any more, except to the
/// owners, who are told through this server that it was removed.
pub(super) async fn remove(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let before = state.mail_servers.find(&visitor.account.id).await?;
    if !is_confirmed(&fields) {
        let shown = before.in_force.as_ref().or(before.waiting.as_ref());
        let who = shown.map(|one| one.shown.clone()).ok_or(DashboardError::NotFound)?;
        let action = format!("{PAGE}/remove");
        let mut question = Confirmation::of("confirm-remove-mail-server", who, action, PAGE);
        question.fields.push(("version", before.version.to_string()));
        return Ok(question.page(&visitor));
    }
    if !fields.has_version(before.version) {
        return refuse(&state, &visitor, MailServerRefusal::Changed.into()).await;
    }
    let by = visitor.audit(&state);
    match state.mail_servers.remove(&before, &by).await {
        Ok(_) => Ok(back(&visitor, "mail-server-removed")),
        Err(error) => refuse(&state, &visitor, error).await,
    }
}

/// What is stored, where the settings file has no mail server: that one would send everything.
async fn editable(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<AccountMailServer, DashboardError> {
    if state.mail_servers.source == MailSource::Settings {
        return Err(DashboardError::NotFound);
    }
    Ok(state.mail_servers.find(&visitor.account.id).await?)
}

/// The page with the reason why nothing was changed. A fault of the store has no text.
async fn refuse(
    state: &DashboardState,
    visitor: &Visitor,
    error: ChangeMailServerError,
) -> Result<Response, DashboardError> {
    let fault = match error {
        ChangeMailServerError::Refused(MailServerRefusal::Changed) => "mail-server-changed",
        ChangeMailServerError::Refused(MailServerRefusal::Missing) => "mail-server-missing",
        ChangeMailServerError::Store(error) => return Err(error.into()),
    };
    page(state, visitor, MailServerPage { fault, ..MailServerPage::default() }).await
}

fn back(visitor: &Visitor, done: &str) -> Response {
    redirect(&visitor.href(&format!("{PAGE}?done={done}")))
}

/// The test message, in the language of the page.
fn test_message(visitor: &Visitor) -> Message {
    let arguments = FluentArgs::from_iter([("account", visitor.account.name.as_str())]);
    let text = |key| texts::text(visitor.person.language, key, &arguments).unwrap_or_default();
    let body = text("mail-server-test-text");
    Message {
        id: None,
        to: visitor.person.session.user.email.as_str().to_owned(),
        // One line, also where the name of the account has a line break.
        subject: text("mail-server-test-subject").replace(char::is_control, " "),
        html: format!("<p>{}</p>", HtmlEscape(&body)),
        text: body,
    }
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    shown: MailServerPage,
) -> Result<Response, DashboardError> {
    let stored = state.mail_servers.find(&visitor.account.id).await?;
    let details = |sealed: &Option<SealedMailServer>| {
        let sealed = sealed.as_ref()?;
        let server = state.mail_servers.open(&stored, sealed);
        Some(context! {
            shown => &sealed.shown,
            values => server.as_ref().map(values),
        })
    };
    let latest = stored.waiting.as_ref().or(stored.in_force.as_ref());
    let latest = latest.and_then(|sealed| state.mail_servers.open(&stored, sealed));
    let typed = shown.typed.or_else(|| latest.as_ref().map(values));
    let providers = PROVIDERS.map(|(name, host)| context! { name => name, host => host });
    let is_refused = !shown.faults.is_empty() || shown.failed.is_some();
    let values = context! {
        notice => shown.notice,
        fault => shown.fault,
        is_of_settings => state.mail_servers.source == MailSource::Settings,
        version => stored.version,
        in_force => details(&stored.in_force),
        untested => details(&stored.waiting),
        typed => typed.unwrap_or_else(|| form_values(&EMPTY_FORM)),
        faults => shown.faults.iter().map(|field| field.as_str()).collect::<Vec<_>>(),
        problem => shown.failed.as_ref().map(|fault| problem_text(fault.problem)),
        reply => shown.failed.as_ref().map(ToString::to_string),
        encryptions => MailEncryption::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
        ports => MAIL_PORTS.map(|port| port.to_string()).join(", "),
        providers => providers,
        provider_port => EMPTY_FORM.port,
        provider_encryption => EMPTY_FORM.encryption,
        email => visitor.person.session.user.email.as_str(),
    };
    let status = if is_refused {
        StatusCode::UNPROCESSABLE_ENTITY
    } else if shown.fault.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::CONFLICT
    };
    Ok(visitor.page_with(status, "mail_server.html", values))
}

fn problem_text(problem: MailServerProblem) -> String {
    format!("mail-server-problem-{}", problem.as_str())
}

fn values(server: &MailServer) -> Value {
    form_values(&MailServerForm {
        host: &server.host,
        port: &server.port.to_string(),
        encryption: server.encryption.as_str(),
        user: server.sign_in.as_ref().map_or("", |one| one.user.as_str()),
        password: "",
        from_address: &server.from_address,
        from_name: &server.from_name,
    })
}

/// The values that a page may show: all but the password.
fn form_values(form: &MailServerForm<'_>) -> Value {
    context! {
        host => form.host,
        port => form.port,
        encryption => form.encryption,
        user => form.user,
        from_address => form.from_address,
        from_name => form.from_name,
    }
}
