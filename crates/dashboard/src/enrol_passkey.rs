//! Enrolment with a passkey instead of a password. The form of the link's page leads to a page
//! whose script asks the device, and that page's form brings what the device has made. The
//! challenge belongs to the link.

use super::{
    device::Browser,
    enrol::{self, EnrolmentPage},
    error::DashboardError,
    fields::Fields,
    language::Language,
    passkey_verifier::NewCredential,
    passkeys::{self, FAILED},
    same_origin,
    state::DashboardState,
    templates,
};
use axum::{
    Extension,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use minijinja::context;
use serde::{Deserialize, Serialize};
use tua_domain::UserId;
use tua_net::Client;
use tua_use_cases::OpenLink;

/// What is stored of a challenge, as JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Registration {
    /// The digest of the link's token, in hexadecimal. The challenge is good for this link alone.
    link: String,
    /// For whom the device makes the passkey: devices store it as the person's name.
    user: String,
    /// The state of the verification.
    verification: String,
}

/// `POST /dashboard/enrol/{token}/passkey`: the page that asks the device for a new passkey.
pub(super) async fn begin(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Path(token): Path<String>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let verifier = passkeys::verifier(&state)?;
    let link = enrol::open(&state, &token).await?;
    let answers = enrol::answers(&fields);
    let (user, person) = match state.enrolments.passkey_person(&link, &answers).await {
        Ok(found) => found,
        Err(error) => {
            return enrol::refusal(
                &state,
                language,
                &EnrolmentPage::new(&token, &link, &answers),
                error,
            );
        }
    };
    // Passkeys from before are not excluded: they end with this enrolment, and the device may
    // replace its own.
    let ceremony = verifier
        .begin_registration(&user, person.email.as_str(), &person.name, &[])
        .ok_or(FAILED)?;
    let registration = Registration {
        link: hex::encode(link.digest.0),
        user: user.as_str().to_owned(),
        verification: ceremony.state,
    };
    let stored = serde_json::to_string(&registration).map_err(|_| FAILED)?;
    let name = state.stored_passkeys.begin_challenge(link_user(&link), stored).await?;
    let hidden =
        ["name", "email", "account"].map(|name| context! { name, value => fields.get(name) });
    let without = format!("/dashboard/enrol/{token}");
    let values = context! {
        action => format!("{without}/passkey/finish"),
        method => "create",
        text => "passkey-enrol",
        back => "",
        without,
        origin => state.public_url.as_str(),
        hidden => hidden.to_vec(),
        challenge => name,
        options => ceremony.options,
    };
    Ok(templates::render(language, StatusCode::OK, "passkey.html", values))
}

/// `POST /dashboard/enrol/{token}/passkey/finish`: enrols the person, and signs the person in.
pub(super) async fn finish(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Extension(client): Extension<Client>,
    Path(token): Path<String>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let link = enrol::open(&state, &token).await?;
    let answers = enrol::answers(&fields);
    let page = EnrolmentPage::new(&token, &link, &answers);
    let Some((user, made)) = verify(&state, &link, &fields).await? else {
        let page = EnrolmentPage { is_passkey_refused: true, ..page };
        return Ok(enrol::form(&state, language, StatusCode::UNPROCESSABLE_ENTITY, &page));
    };
    let passkey = passkeys::new_passkey(&state, user, made, &headers);
    let browser = Browser::of(&headers, client, state.is_https());
    let by = |email: &str| state.audit(email, &browser.device.name, client);
    match state.enrolments.complete_with_passkey(&link, &answers, passkey, by).await {
        Ok((user, codes)) => {
            enrol::begin_session(&state, language, &browser, user, &codes, true).await
        }
        Err(error) => enrol::refusal(&state, language, &page, error),
    }
}

fn link_user(link: &OpenLink) -> Option<&UserId> {
    link.user.as_ref().map(|user| &user.id)
}

/// The passkey that the device has made to a challenge of this link, and for whom.
async fn verify(
    state: &DashboardState,
    link: &OpenLink,
    fields: &Fields,
) -> Result<Option<(UserId, NewCredential)>, DashboardError> {
    let verifier = passkeys::verifier(state)?;
    let Some(taken) = passkeys::take_challenge(state, link_user(link), fields).await? else {
        return Ok(None);
    };
    let registration = serde_json::from_str::<Registration>(&taken.state).ok();
    let Some(registration) = registration.filter(|one| one.link == hex::encode(link.digest.0))
    else {
        return Ok(None);
    };
    let made = verifier.finish_registration(&registration.verification, fields.get("credential"));
    Ok(made.map(|made| (UserId::new(registration.user), made)))
}
