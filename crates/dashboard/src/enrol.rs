//! Enrolment with a link: name, password, one-time codes, and the recovery codes, which are shown
//! once. An enrolment with a passkey begins on the same page.

use super::{
    cookies, device::Browser, error::DashboardError, fields::Fields, language::Language,
    same_origin, security_headers, state::DashboardState, templates,
};
use axum::{
    Extension,
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use minijinja::context;
use qrcode::{QrCode, render::svg};
use tua_domain::people::{RecoveryCode, SignInWay, TotpSecret, User};
use tua_net::Client;
use tua_use_cases::{EnrolError, EnrolmentFault, EnrolmentForm, OpenLink};

/// `GET /dashboard/enrol/{token}`: the form of the enrolment, while its link is open.
pub(super) async fn show(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Path(token): Path<String>,
) -> Result<Response, DashboardError> {
    let link = open(&state, &token).await?;
    Ok(form(
        &state,
        language,
        StatusCode::OK,
        &EnrolmentPage::new(&token, &link, &EnrolmentForm::default()),
    ))
}

/// `GET /dashboard/enrol/{token}/code.svg`: the key of the one-time codes as a QR code.
pub(super) async fn draw_code(
    State(state): State<DashboardState>,
    Path(token): Path<String>,
) -> Result<Response, DashboardError> {
    let link = open(&state, &token).await?;
    code_image(&link.totp, link.user.as_ref().map_or("dashboard", |user| user.email.as_str()))
}

/// The key of one-time codes as a QR code.
pub(super) fn code_image(totp: &TotpSecret, label: &str) -> Result<Response, DashboardError> {
    let code = QrCode::new(totp.to_url(label))
        .map_err(|_| DashboardError::Failed(StatusCode::INTERNAL_SERVER_ERROR))?;
    let image = code.render::<svg::Color<'_>>().min_dimensions(240, 240).build();
    let mut response = image.into_response();
    security_headers::add(response.headers_mut());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    Ok(response)
}

/// `POST /dashboard/enrol/{token}`: enrols the person, and signs the person in.
pub(super) async fn enrol(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Extension(client): Extension<Client>,
    Path(token): Path<String>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let link = open(&state, &token).await?;
    let answers = answers(&fields);
    let browser = Browser::of(&headers, client, state.is_https());
    let by = |email: &str| state.audit(email, &browser.device.name, client);
    match state.enrolments.complete(link.clone(), answers.clone(), by).await {
        Ok((user, codes)) => begin_session(&state, language, &browser, user, &codes, false).await,
        Err(error) => {
            refusal(&state, language, &EnrolmentPage::new(&token, &link, &answers), error)
        }
    }
}

/// The response to a request that has enrolled nobody.
pub(super) fn refusal(
    state: &DashboardState,
    language: Language,
    page: &EnrolmentPage<'_>,
    error: EnrolError,
) -> Result<Response, DashboardError> {
    match error {
        EnrolError::Faults(faults) => {
            let page = EnrolmentPage { faults: &faults, ..*page };
            Ok(form(state, language, StatusCode::UNPROCESSABLE_ENTITY, &page))
        }
        EnrolError::LinkEnded => Err(DashboardError::LinkEnded),
        EnrolError::Store(error) => Err(error.into()),
    }
}

/// What the person has filled in.
pub(super) fn answers(fields: &Fields) -> EnrolmentForm {
    let field = |name: &str| fields.get(name).to_owned();
    EnrolmentForm {
        name: field("name"),
        email: field("email"),
        account: field("account"),
        password: field("password"),
        code: field("code"),
    }
}

/// Signs the enrolled person in, and shows the recovery codes.
pub(super) async fn begin_session(
    state: &DashboardState,
    language: Language,
    browser: &Browser,
    user: User,
    codes: &[RecoveryCode],
    has_only_passkeys: bool,
) -> Result<Response, DashboardError> {
    let user = User { language: language.tag(), ..user };
    let way = if has_only_passkeys { SignInWay::Passkey } else { SignInWay::Password };
    let (_, token) = state.sessions.begin(user, browser.device.clone(), way).await?;
    let codes: Vec<String> = codes.iter().map(|code| code.as_str().to_owned()).collect();
    let mut page = templates::render(
        language,
        StatusCode::OK,
        "recovery_codes.html",
        context! { codes, has_only_passkeys },
    );
    cookies::begin_session(page.headers_mut(), &token, state.is_https());
    Ok(browser.remember(page, state.is_https()))
}

pub(super) async fn open(state: &DashboardState, token: &str) -> Result<OpenLink, DashboardError> {
    state.enrolments.open(token).await?.ok_or(DashboardError::LinkEnded)
}

/// The values of the form: what was filled in, and its faults.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnrolmentPage<'a> {
    /// The token of the link.
    pub(super) token: &'a str,
    pub(super) link: &'a OpenLink,
    pub(super) answers: &'a EnrolmentForm,
    pub(super) faults: &'a [EnrolmentFault],
    /// Whether the passkey that the device has made does not count.
    pub(super) is_passkey_refused: bool,
}

impl<'a> EnrolmentPage<'a> {
    /// The form without a fault.
    pub(super) const fn new(
        token: &'a str,
        link: &'a OpenLink,
        answers: &'a EnrolmentForm,
    ) -> Self {
        Self { token, link, answers, faults: &[], is_passkey_refused: false }
    }
}

/// The form with what was filled in, but for the password and the code.
pub(super) fn form(
    state: &DashboardState,
    language: Language,
    status: StatusCode,
    page: &EnrolmentPage<'_>,
) -> Response {
    let EnrolmentPage { token, link, answers, faults, is_passkey_refused } = page;
    let has = |fault| faults.contains(&fault);
    let values = context! {
        token => *token,
        provider => state.provider_name().filter(|_| link.user.is_some()),
        has_passkeys => state.passkeys.is_some(),
        is_passkey_refused => *is_passkey_refused,
        is_first => link.user.is_none(),
        needs_account => link.needs_account,
        email => link.user.as_ref().map_or(answers.email.as_str(), |user| user.email.as_str()),
        name => &answers.name,
        account => &answers.account,
        secret => link.totp.to_base32(),
        faults => context! {
            name => has(EnrolmentFault::Name),
            email => has(EnrolmentFault::Email),
            account => has(EnrolmentFault::Account),
            password => has(EnrolmentFault::Password),
            code => has(EnrolmentFault::Code),
            any => !faults.is_empty(),
        },
    };
    templates::render(language, status, "enrol.html", values)
}
