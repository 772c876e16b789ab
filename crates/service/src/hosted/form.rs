//! A posted form, read leniently: what is missing is empty, what is not known is left out.

use super::walk::Sent;
use crate::{
    app::App,
    domain::Transaction,
    http::{ApiError, read_body},
};
use axum::{
    extract::{FromRequest, Request},
    http::{HeaderMap, HeaderName, header},
};
use std::sync::Arc;
use tua_checkout::flow::facts::Typed;
use tua_contract::{ErrorCode, Network};
use url::form_urlencoded;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What a payer pressed or filled in.
#[derive(Debug)]
pub(super) enum Posted {
    /// The number and the network.
    Form(String, Option<Network>),
    /// A passcode or voucher.
    Code(Typed),
    /// The same once more.
    Again,
    /// Back to the form.
    Change,
    /// Anything else looks again.
    Look,
}

impl Posted {
    fn parse(body: &[u8]) -> Self {
        let field = |name: &str| {
            let mut fields = form_urlencoded::parse(body);
            fields.find(|field| field.0 == name).map(|field| field.1.into_owned())
        };
        let network = field("network");
        match (field("phoneNumber"), field("otp")) {
            (Some(number), _) => Self::Form(number, network.as_deref().and_then(Network::parse)),
            (None, Some(code)) => Self::Code(Typed(code)),
            _ if field("again").is_some() => Self::Again,
            _ if field("change").is_some() => Self::Change,
            _ => Self::Look,
        }
    }

    /// What is to be sent for it, where anything is. `latest` is the session's latest charge.
    pub(super) fn sent(self, latest: Option<&Transaction>) -> Option<Sent> {
        match self {
            Self::Form(number, network) => Some(Sent::Form(number, network)),
            Self::Code(code) => Some(Sent::Code(code)),
            Self::Again => latest.map(|charge| Sent::Again(charge.begun.phone.clone(), charge.begun.network)),
            Self::Change | Self::Look => None,
        }
    }
}

impl FromRequest<Arc<App>> for Posted {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let sent = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let kind = sent.and_then(|text| text.parse::<mime::Mime>().ok());
        if kind.is_none_or(|kind| kind.essence_str() != mime::APPLICATION_WWW_FORM_URLENCODED.essence_str()) {
            return Err(ApiError::new(
                ErrorCode::UnsupportedMediaType,
                "This page accepts its own forms only: `Content-Type: application/x-www-form-urlencoded`.",
            ));
        }
        Ok(Self::parse(&read_body(request, app).await?))
    }
}

/// Whether another site's page sent this. A browser too old to say so has only the token to go by, which
/// no other site has.
pub(super) fn is_foreign(headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all(FETCH_SITE).iter();
    sites.any(|site| site != "same-origin" && site != "none")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_field_counts_and_what_is_missing_is_empty() {
        let form = |body: &str| match Posted::parse(body.as_bytes()) {
            Posted::Form(number, network) => Some((number, network)),
            _ => None,
        };
        assert_eq!(form("phoneNumber=%2B233+24&network=MTN"), Some(("+233 24".to_owned(), Some(Network::Mtn))));
        assert_eq!(form("phoneNumber=1&phoneNumber=2&network=ORANGE"), Some(("1".to_owned(), None)));
        assert_eq!(form("phoneNumber="), Some((String::new(), None)));
        assert_eq!(form("network=MTN"), None);
    }

    #[test]
    fn a_button_is_known_by_its_name() {
        assert!(matches!(Posted::parse(b"again="), Posted::Again));
        assert!(matches!(Posted::parse(b"change="), Posted::Change));
        assert!(matches!(Posted::parse(b"otp=1234"), Posted::Code(_)));
        for body in ["", "check=", "copy=", "again2", "%ff%00=&&&", "=again"] {
            assert!(matches!(Posted::parse(body.as_bytes()), Posted::Look), "{body}");
        }
    }
}
