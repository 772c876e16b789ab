//! Passkeys: a sign-in and a fresh proof with one, and the passkeys of a person. Each is two forms:
//! the first leads to a page whose script asks the device, and the second brings what the device
//! has signed.

use super::{
    device::{self, Browser},
    error::{DashboardError, redirect},
    fields::Fields,
    language::Language,
    passkey_verifier::{Ceremony, NewCredential, PasskeyVerifier},
    same_origin, security,
    sign_in::{self, SignInRefusal},
    state::DashboardState,
    templates,
    visitor::SignedIn,
};
use axum::{
    Extension,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use minijinja::{Value, context};
use tua_domain::{
    PasskeyId, UserId,
    people::{Passkey, PasskeyChallenge, PasskeyRemoval, User},
};
use tua_net::Client;
use tua_use_cases::{Attempt, SignInError};

/// The text of a response that does not count.
const REFUSED: SignInRefusal = SignInRefusal {
    status: StatusCode::UNPROCESSABLE_ENTITY,
    text: "passkey-refused",
    retry_after: None,
};

/// `POST /dashboard/sign-in/passkey`: the page that asks the device for a passkey.
pub(super) async fn begin_sign_in(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let back = fields.return_path();
    let browser = Browser::of(&headers, client, state.is_https());
    if let Err(error) = state
        .sessions
        .count_attempt(Attempt::Browser(&browser.device), client.limited_address())
        .await
    {
        return Ok(sign_in::sign_in_page(
            &state,
            language,
            back,
            "",
            Some(SignInRefusal::of(error)?),
        ));
    }
    let ceremony = verifier(&state)?.begin_use().ok_or(FAILED)?;
    let values = challenge(&state, None, &ceremony, SIGN_IN, back).await?;
    Ok(templates::render(language, StatusCode::OK, "passkey.html", values))
}

/// `POST /dashboard/sign-in/passkey/finish`: signs the person in.
pub(super) async fn sign_in(
    State(state): State<DashboardState>,
    Extension(language): Extension<Language>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    same_origin::check_origin(&state, &headers)?;
    let back = fields.return_path();
    let browser = Browser::of(&headers, client, state.is_https());
    let refused = || {
        state.sessions.refuse(
            SignInError::Wrong,
            Attempt::Browser(&browser.device),
            client.limited_address(),
            &[],
        );
        sign_in::sign_in_page(&state, language, back, "", Some(REFUSED))
    };
    let Some(VerifiedPasskey { user, passkey, credential }) = verify(&state, None, &fields).await?
    else {
        return Ok(refused());
    };
    let user = User { language: language.tag(), ..user };
    let begun = state
        .sessions
        .begin_with_passkey(user, browser.device.clone(), &passkey, credential)
        .await?;
    let Some(token) = begun else { return Ok(refused()) };
    Ok(browser.remember(sign_in::redirect_with_session(&state, back, &token), state.is_https()))
}

/// `POST /dashboard/proof/passkey`: the page that asks the device for a passkey.
pub(super) async fn begin_proof(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let back = fields.return_path();
    if let Err(error) = state
        .sessions
        .count_attempt(Attempt::Session(&person.session), client.limited_address())
        .await
    {
        return Ok(sign_in::proof_page(&state, &person, back, Some(SignInRefusal::of(error)?)));
    }
    let ceremony = verifier(&state)?.begin_use().ok_or(FAILED)?;
    let values = challenge(&state, Some(&person.session.user.id), &ceremony, PROVE, back).await?;
    Ok(person.page(StatusCode::OK, "passkey.html", values))
}

/// `POST /dashboard/proof/passkey/finish`: makes the session's proof fresh.
pub(super) async fn prove(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let back = fields.return_path();
    let user = &person.session.user.id;
    let used = verify(&state, Some(user), &fields).await?.filter(|used| used.user.id == *user);
    let is_proven = match used {
        Some(used) => used.store_counter(&state).await?,
        None => false,
    };
    let token = if is_proven { state.sessions.renew(&person.session).await? } else { None };
    let Some(token) = token else {
        state.sessions.refuse(
            SignInError::Wrong,
            Attempt::Session(&person.session),
            client.limited_address(),
            &[],
        );
        return Ok(sign_in::proof_page(&state, &person, back, Some(REFUSED)));
    };
    Ok(sign_in::redirect_with_session(&state, back, &token))
}

/// `POST /dashboard/security/passkeys/new`: the page that asks the device for a new passkey.
pub(super) async fn begin_registration(
    State(state): State<DashboardState>,
    person: SignedIn,
) -> Result<Response, DashboardError> {
    security::require_fresh(&state, &person)?;
    let user = &person.session.user;
    // With one, somebody whom the provider has let go could still sign in.
    if user.is_managed() {
        return Err(DashboardError::NotPermitted);
    }
    let known = state.stored_passkeys.of_person(&user.id).await?;
    let name = user.name.as_deref().unwrap_or(user.email.as_str());
    let ceremony = verifier(&state)?
        .begin_registration(&user.id, user.email.as_str(), name, &known)
        .ok_or(FAILED)?;
    let values = challenge(&state, Some(&user.id), &ceremony, CREATE, security::PAGE).await?;
    Ok(person.page(StatusCode::OK, "passkey.html", values))
}

/// `POST /dashboard/security/passkeys`: adds the passkey that the device has made.
pub(super) async fn register(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    // Without another proof: only a session with a fresh one got the challenge, which is good for 5
    // minutes, and the device has made the passkey already.
    let user = &person.session.user;
    let taken = take_challenge(&state, Some(&user.id), &fields).await?;
    let made = match taken {
        Some(taken) => {
            verifier(&state)?.finish_registration(&taken.state, fields.get("credential"))
        }
        None => None,
    };
    let Some(made) = made else {
        return security::page(&state, &person, Some("passkey-refused")).await;
    };
    let passkey = new_passkey(&state, user.id.clone(), made, &headers);
    let by = person.audit(&state, client);
    if state.stored_passkeys.add(passkey, &person.session, &by).await? {
        Ok(redirect(security::SAVED_PATH))
    } else {
        security::page(&state, &person, Some("passkey-not-added")).await
    }
}

/// The passkey that this browser's device has made for a person.
pub(super) fn new_passkey(
    state: &DashboardState,
    user: UserId,
    made: NewCredential,
    headers: &HeaderMap,
) -> Passkey {
    Passkey {
        id: PasskeyId::mint(),
        user,
        credential_id: made.id,
        credential: made.json,
        device: device::name(headers),
        created_at: state.clock.now(),
        used_at: None,
    }
}

/// `POST /dashboard/security/passkeys/{passkey}/remove`: removes a passkey, unless it is the only
/// way to sign in. It needs a fresh proof.
pub(super) async fn remove(
    State(state): State<DashboardState>,
    Extension(client): Extension<Client>,
    person: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, DashboardError> {
    security::require_fresh(&state, &person)?;
    let by = person.audit(&state, client);
    match state
        .stored_passkeys
        .remove(&person.session.user, &PasskeyId::new(id), state.issuer(), &by)
        .await?
    {
        PasskeyRemoval::Removed => Ok(redirect(security::SAVED_PATH)),
        PasskeyRemoval::Missing => Err(DashboardError::NotFound),
        PasskeyRemoval::OnlyWayIn => {
            security::page(&state, &person, Some("passkey-only-way-in")).await
        }
    }
}

pub(super) const FAILED: DashboardError = DashboardError::Failed(StatusCode::INTERNAL_SERVER_ERROR);

/// The page that asks the device for a passkey: for a sign-in, a proof or a new passkey.
#[derive(Debug)]
struct ChallengePage {
    /// Where the page sends the response.
    action: &'static str,
    /// The method of `navigator.credentials`.
    method: &'static str,
    /// With what the keys of the texts begin.
    text: &'static str,
    /// The page for those who use no passkey.
    without: &'static str,
}

const SIGN_IN: ChallengePage = ChallengePage {
    action: "/dashboard/sign-in/passkey/finish",
    method: "get",
    text: "passkey-sign-in",
    without: "/dashboard/sign-in",
};
const PROVE: ChallengePage = ChallengePage {
    action: "/dashboard/proof/passkey/finish",
    method: "get",
    text: "passkey-prove",
    without: "/dashboard/proof",
};
const CREATE: ChallengePage = ChallengePage {
    action: "/dashboard/security/passkeys",
    method: "create",
    text: "passkey-create",
    without: security::PAGE,
};

/// The verifier. Where passkeys are not offered, the pages about them do not exist.
pub(super) fn verifier(state: &DashboardState) -> Result<&PasskeyVerifier, DashboardError> {
    state.passkeys.as_ref().ok_or(DashboardError::NotFound)
}

/// Stores a challenge, and returns the values of the page that asks the device.
async fn challenge(
    state: &DashboardState,
    user: Option<&UserId>,
    ceremony: &Ceremony,
    page: ChallengePage,
    back: &str,
) -> Result<Value, DashboardError> {
    let name = state.stored_passkeys.begin_challenge(user, ceremony.state.clone()).await?;
    let ChallengePage { action, method, text, without } = page;
    let hidden = Vec::<Value>::new();
    let options = &ceremony.options;
    let origin = state.public_url.as_str();
    Ok(context! { action, method, text, back, without, origin, hidden, challenge => name, options })
}

/// Uses up the challenge that this form names, if it is of this person and has not ended.
pub(super) async fn take_challenge(
    state: &DashboardState,
    user: Option<&UserId>,
    fields: &Fields,
) -> Result<Option<PasskeyChallenge>, DashboardError> {
    Ok(state.stored_passkeys.take_challenge(user, fields.get("challenge")).await?)
}

/// A passkey whose signature was verified.
#[derive(Debug)]
struct VerifiedPasskey {
    user: User,
    passkey: PasskeyId,
    /// The credential with its new counter.
    credential: String,
}

impl VerifiedPasskey {
    /// Stores the new counter. `false` if the passkey was removed meanwhile.
    async fn store_counter(self, state: &DashboardState) -> Result<bool, DashboardError> {
        Ok(state.stored_passkeys.record_use(&self.passkey, self.credential).await?)
    }
}

/// The passkey that has signed the challenge of this form.
async fn verify(
    state: &DashboardState,
    user: Option<&UserId>,
    fields: &Fields,
) -> Result<Option<VerifiedPasskey>, DashboardError> {
    let verifier = verifier(state)?;
    let response = fields.get("credential");
    let Some(taken) = take_challenge(state, user, fields).await? else { return Ok(None) };
    let Some(id) = PasskeyVerifier::credential_id(response) else { return Ok(None) };
    let Some((passkey, user)) = state.stored_passkeys.find(&id).await? else { return Ok(None) };
    let credential = verifier.finish_use(&taken.state, response, &passkey);
    Ok(credential.map(|credential| VerifiedPasskey { user, passkey: passkey.id, credential }))
}
