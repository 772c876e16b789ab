//! Forms that met an ended session or an old proof. What was entered is kept in a sealed cookie,
//! and shown after the sign-in, so that nothing has to be typed again. It is sent only when the
//! person says so.

use super::{
    confirmation, cookies,
    error::{DashboardError, redirect},
    fields::{CREDENTIAL_PREFIX, Fields},
    same_origin::TOKEN_FIELD,
    sealed_cookie::SealedCookie,
    state::DashboardState,
    unsent_question::{self, Question},
    visitor::SignedIn,
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use jiff::{SignedDuration, Timestamp};
use minijinja::context;
use serde::{Deserialize, Serialize};
use tua_domain::UserId;
use url::form_urlencoded;

/// The page that shows what was kept.
pub(super) const PAGE: &str = "/dashboard/kept";

/// For how long it is kept.
const MAX_AGE: SignedDuration = SignedDuration::from_mins(10);

/// A form with one of these fields is not kept.
const SECRET_FIELDS: [&str; 5] = ["password", "code", "pin", "token", "address"];

const COOKIE: SealedCookie = SealedCookie {
    names: cookies::CookieNames { secure: "__Host-tua-form", loopback: "tua-form" },
    purpose: b"tua: kept forms of the dashboard, XChaCha20-Poly1305",
    max_age: MAX_AGE,
};

/// A form that was not sent.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
pub(super) struct UnsentForm {
    /// Who entered it. It is shown to nobody else who signs in with the same browser.
    user: String,
    /// The path that the form is sent to.
    path: String,
    /// The fields with their values, in the form's order, without the form token.
    fields: Vec<(String, String)>,
    /// Until when, in milliseconds since 1970.
    until: i64,
}

impl UnsentForm {
    /// `None` if nothing was entered, or a secret.
    pub(super) fn new(user: &UserId, path: &str, body: &[u8], now: Timestamp) -> Option<Self> {
        let fields = form_urlencoded::parse(body).into_owned();
        let fields: Vec<(String, String)> =
            fields.filter(|(name, _)| name != TOKEN_FIELD).collect();
        let is_empty = fields.iter().all(|(_, value)| value.trim().is_empty());
        let is_secret = fields.iter().any(|(name, _)| {
            SECRET_FIELDS.contains(&name.as_str()) || name.starts_with(CREDENTIAL_PREFIX)
        });
        let until = (now + MAX_AGE).as_millisecond();
        let form = || Self { user: user.as_str().to_owned(), path: path.to_owned(), fields, until };
        (!is_empty && !is_secret).then(form)
    }

    /// Keeps it in a cookie. `false` if it is too large.
    pub(super) fn keep(&self, state: &DashboardState, headers: &mut HeaderMap) -> bool {
        COOKIE.keep(state, headers, self)
    }

    /// The form of the request's cookie, if this person entered it and it is not too old.
    fn of_request(state: &DashboardState, headers: &HeaderMap, user: &UserId) -> Option<Self> {
        let form: Self = COOKIE.open(state, headers)?;
        let is_valid =
            form.user == user.as_str() && state.clock.now().as_millisecond() < form.until;
        is_valid.then_some(form)
    }
}

/// `GET /dashboard/kept`: what was entered, and a button that sends it.
pub(super) async fn show(
    State(state): State<DashboardState>,
    person: SignedIn,
    headers: HeaderMap,
) -> Result<Response, DashboardError> {
    let Some(form) = UnsentForm::of_request(&state, &headers, &person.session.user.id) else {
        return Ok(redirect("/dashboard"));
    };
    let fields = Fields::kept(form.fields.clone());
    let question = unsent_question::question(&state, &person, &form.path, &fields).await?;
    let (texts, hidden) = match question {
        None => return Ok(redirect("/dashboard")),
        Some(Question::Money(confirmation)) => {
            let kept =
                if confirmation.fields.is_empty() { form.fields.clone() } else { Vec::new() };
            (confirmation.texts(), [kept, confirmation.all_fields()].concat())
        }
        Some(Question::Other(verb)) => (
            context! { question => "", verb, amount => "", count => 1, who => "", what => "" },
            // What was confirmed is not shown here, so the page asks again.
            form.fields.iter().filter(|(name, _)| name != confirmation::FIELD).cloned().collect(),
        ),
    };
    let action = unsent_question::action(&form.path);
    let values = context! { action, shown => form.fields, hidden, ..texts };
    let mut page = person.page(StatusCode::OK, "kept.html", values);
    COOKIE.end(&state, page.headers_mut());
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_entered_is_kept_but_no_secret() {
        let keep = |body: &str| {
            UnsentForm::new(&UserId::new("usr_1"), "/x", body.as_bytes(), Timestamp::UNIX_EPOCH)
        };
        let kept = keep("formToken=t&email=a%40b.example&role=viewer").unwrap();
        assert_eq!(
            kept.fields,
            [("email".to_owned(), "a@b.example".to_owned()), ("role".into(), "viewer".into())]
        );
        for body in [
            "formToken=t",
            "formToken=t&note=+",
            "password=x&email=y",
            "code=123456",
            "pin=2580&again=2580",
            "service=telegram&token=1%3Ax&chat=2",
            "service=slack&address=https%3A%2F%2Fhooks.example%2Fx",
            "name=m&credential.api-key=x",
        ] {
            assert_eq!(keep(body), None, "{body}");
        }
    }
}
