//! MTN's callbacks. MTN signs nothing and may send them by `POST` and by `PUT`, once or repeatedly:
//! two of its pages differ. So a callback only brings the status read forward.

use crate::exact::ExactText;
use serde::Deserialize;
use tua_domain::ports::{
    CallbackRefusal, CallbackRequest, CallbackSubject, Verification, VerifiedCallback,
};
use uuid::Uuid;

/// The part of a callback that is read: our reference, which `X-Reference-Id` of the order is not
/// repeated in.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallbackBody {
    external_id: Option<ExactText>,
}

/// Reads a callback that arrived at the secret path.
pub(super) fn verify(request: &CallbackRequest) -> Result<VerifiedCallback, CallbackRefusal> {
    if !matches!(request.method.as_str(), "POST" | "PUT") {
        return Err(CallbackRefusal::Unreadable);
    }
    let body: CallbackBody =
        serde_json::from_slice(&request.body).map_err(|_| CallbackRefusal::Unreadable)?;
    let reference =
        body.external_id.map(|ExactText(id)| id).filter(|id| Uuid::try_parse(id).is_ok());
    // An order that was made elsewhere with the same API user has another name.
    let subject = reference.map_or(CallbackSubject::Nothing, |reference| CallbackSubject::Order {
        reference,
        claim: None,
    });
    Ok(VerifiedCallback::new(Verification::SecretPathAlone, subject))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, body: &str) -> CallbackRequest {
        CallbackRequest {
            method: method.to_owned(),
            authority: "pay.example".to_owned(),
            path: "/callbacks/mtn/secret".to_owned(),
            headers: Vec::new(),
            body: body.into(),
        }
    }

    const REFERENCE: &str = "7b0a3f0e-1c1d-4e5f-8a6b-123456789012";

    #[test]
    fn a_callback_by_post_or_put_names_our_reference_and_nothing_else() {
        let body = format!(
            "{{\"externalId\":\"{REFERENCE}\",\"status\":\"FAILED\",\"reason\":\"EXPIRED\"}}"
        );
        for method in ["POST", "PUT"] {
            let verified = verify(&request(method, &body)).unwrap();
            assert_eq!(verified.verification(), Verification::SecretPathAlone);
            let order = CallbackSubject::Order { reference: REFERENCE.to_owned(), claim: None };
            assert_eq!(verified.into_subject(), order);
        }
    }

    #[test]
    fn other_bodies_and_methods_are_refused_and_foreign_orders_ignored() {
        for (method, body) in [
            ("GET", "{}"),
            ("POST", ""),
            ("POST", "<html>"),
            ("PUT", "{\"externalId\":"),
            ("PUT", "[]"),
        ] {
            assert_eq!(
                verify(&request(method, body)),
                Err(CallbackRefusal::Unreadable),
                "{method} {body}"
            );
        }
        for body in ["{}", "{\"externalId\":\"INV-1\"}", "{\"externalId\":12}"] {
            assert_eq!(
                verify(&request("PUT", body)).unwrap().into_subject(),
                CallbackSubject::Nothing,
                "{body}"
            );
        }
    }
}
