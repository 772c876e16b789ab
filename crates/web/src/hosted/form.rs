//! A posted form, read leniently: what is missing is empty, what is not known is left out.

use super::{language::Language, server_flow::SubmittedForm, state::HostedState};
use crate::http::{ApiError, FormSender, read_body};
use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::HeaderMap,
};
use std::borrow::Cow;
use tua_checkout::flow::facts::SecretText;
use tua_contract::{Amount, ErrorCode, Network};
use tua_domain::{Transaction, secret::CHECKOUT_PREFIX};
use tua_http_json::body::has_media_type;
use url::form_urlencoded;

/// A form or button of the page, as the browser posted it.
#[derive(Debug)]
pub(super) enum PostedAction {
    /// The number, the network, and the sum that the form showed.
    Form(String, Option<Network>, Option<Amount>),
    /// A passcode or voucher.
    Code(SecretText),
    /// The number and network of the latest charge once more.
    Retry,
    /// Back to the form, to change number or network.
    ChangeNumber,
    /// Anything else reloads the page.
    Refresh,
}

impl PostedAction {
    fn parse(body: &[u8]) -> Self {
        let field = |name: &str| {
            let mut fields = form_urlencoded::parse(body);
            fields.find(|field| field.0 == name).map(|field| field.1.into_owned())
        };
        let network = field("network");
        // A network without a number is a form too, whose fault is the number.
        let number = field("phoneNumber").or_else(|| network.as_ref().map(|_| String::new()));
        match (number, field("otp")) {
            (Some(number), _) => {
                let seen_amount = field("payerPays").and_then(|sum| Amount::parse(&sum).ok());
                Self::Form(number, network.as_deref().and_then(Network::parse), seen_amount)
            }
            (None, Some(code)) => Self::Code(SecretText(code)),
            _ if field("again").is_some() => Self::Retry,
            _ if field("change").is_some() => Self::ChangeNumber,
            _ => Self::Refresh,
        }
    }

    /// The sum that the payer has seen, if the form names one. `latest` is the session's latest
    /// charge.
    pub(super) fn seen_amount(&self, latest: Option<&Transaction>) -> Option<Amount> {
        match self {
            Self::Form(_, _, seen_amount) => *seen_amount,
            Self::Retry => latest.map(|charge| charge.order.price.payer_pays),
            Self::Code(_) | Self::ChangeNumber | Self::Refresh => None,
        }
    }

    /// The form for the state machine; `None` for a button that submits none.
    /// `latest` is the session's latest charge.
    pub(super) fn into_submitted(self, latest: Option<&Transaction>) -> Option<SubmittedForm> {
        match self {
            Self::Form(number, network, _) => Some(SubmittedForm::Form(number, network)),
            Self::Code(code) => Some(SubmittedForm::Code(code)),
            Self::Retry => latest.map(|charge| {
                SubmittedForm::Again(
                    charge.order.transfer.phone.clone(),
                    charge.order.transfer.network,
                )
            }),
            Self::ChangeNumber | Self::Refresh => None,
        }
    }
}

/// A form that a merchant's page posts, where the component could not start: the token is in it, so
/// that no address holds what was typed.
#[derive(Debug)]
pub(super) struct HandedOverForm {
    /// The token, where there is one and only one.
    pub(super) token: Option<String>,
    /// The language that the payer has read.
    pub(super) language: Option<Language>,
    /// The number, as typed.
    pub(super) phone: String,
    /// The network, where one was chosen.
    pub(super) network: Option<Network>,
}

impl HandedOverForm {
    fn parse(body: &[u8]) -> Self {
        let fields =
            |name: &'static str| form_urlencoded::parse(body).filter(move |field| field.0 == name);
        let field = |name| fields(name).next().map(|field| field.1);
        let token = match (fields("key").count(), field("key")) {
            (1, Some(key)) if key.starts_with(CHECKOUT_PREFIX) => Some(key.into_owned()),
            _ => None,
        };
        Self {
            token,
            language: field("lang").as_deref().and_then(Language::parse),
            phone: field("phoneNumber").map(Cow::into_owned).unwrap_or_default(),
            network: field("network").as_deref().and_then(Network::parse),
        }
    }
}

impl FromRequest<HostedState> for HandedOverForm {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &HostedState) -> Result<Self, ApiError> {
        Ok(Self::parse(&read_form(request, state).await?))
    }
}

impl FromRequest<HostedState> for PostedAction {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &HostedState) -> Result<Self, ApiError> {
        Ok(Self::parse(&read_form(request, state).await?))
    }
}

/// The body of a form.
pub(super) async fn read_form(request: Request, state: &HostedState) -> Result<Bytes, ApiError> {
    if !has_media_type(request.headers(), "application/x-www-form-urlencoded") {
        return Err(ApiError::new(
            ErrorCode::UnsupportedMediaType,
            "This page accepts forms only: `Content-Type: application/x-www-form-urlencoded`.",
        ));
    }
    read_body(request, state.body_timeout).await
}

/// Refuses a form that a page of another site sent. Where an old browser does not report that, the
/// token alone protects the form.
///
/// # Errors
/// `credential_not_allowed`.
pub(super) fn refuse_other_site(state: &HostedState, headers: &HeaderMap) -> Result<(), ApiError> {
    if FormSender::of(headers, &state.public_url) != FormSender::OtherSite {
        return Ok(());
    }
    let detail = "A page of another site sent this form. The form had no effect.";
    Err(ApiError::new(ErrorCode::CredentialNotAllowed, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_field_counts_and_what_is_missing_is_empty() {
        let form = |body: &str| match PostedAction::parse(body.as_bytes()) {
            PostedAction::Form(number, network, _) => Some((number, network)),
            _ => None,
        };
        assert_eq!(
            form("phoneNumber=%2B233+24&network=MTN"),
            Some(("+233 24".to_owned(), Some(Network::Mtn)))
        );
        assert_eq!(
            form("phoneNumber=1&phoneNumber=2&network=ORANGE"),
            Some(("1".to_owned(), None))
        );
        assert_eq!(form("phoneNumber="), Some((String::new(), None)));
        assert_eq!(form("phone=0241234567&network=MTN"), Some((String::new(), Some(Network::Mtn))));
        assert_eq!(form("payerPays=10.50"), None);
    }

    #[test]
    fn a_form_of_another_page_names_one_token() {
        let token = |body: &str| HandedOverForm::parse(body.as_bytes()).token;
        assert_eq!(token("key=tua_checkout_a&phoneNumber=1").as_deref(), Some("tua_checkout_a"));
        for body in [
            "",
            "key=",
            "key=sk_test_a",
            "key=tua_checkout_a&key=tua_checkout_a",
            "KEY=tua_checkout_a",
        ] {
            assert_eq!(token(body), None, "{body}");
        }
        let form = HandedOverForm::parse(
            b"key=x&lang=FR-ca&phoneNumber=024+1&network=TELECEL&network=MTN",
        );
        assert_eq!((form.phone.as_str(), form.network), ("024 1", Some(Network::Telecel)));
        assert_eq!(form.language.map(Language::code), Some("fr"));
    }

    #[test]
    fn a_button_is_known_by_its_name() {
        assert!(matches!(PostedAction::parse(b"again="), PostedAction::Retry));
        assert!(matches!(PostedAction::parse(b"change="), PostedAction::ChangeNumber));
        assert!(matches!(PostedAction::parse(b"otp=1234"), PostedAction::Code(_)));
        for body in ["", "check=", "copy=", "again2", "%ff%00=&&&", "=again"] {
            assert!(
                matches!(PostedAction::parse(body.as_bytes()), PostedAction::Refresh),
                "{body}"
            );
        }
    }
}
