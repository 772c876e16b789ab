//! pawaPay's callbacks: `POST` to one address for each operation, signed where the account is set
//! so.

use super::{
    connector::PawaPay,
    signatures::{self, Addressed},
};
use secrecy::ExposeSecret;
use serde::Deserialize;
use tua_domain::ports::{
    CallbackRefusal, CallbackRequest, CallbackSubject, SignatureIsRight, Verification,
    VerifiedCallback,
};
use uuid::Uuid;

/// The part of a callback that is read: our reference. A refund's callback may name its deposit
/// too.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallbackBody {
    refund_id: Option<String>,
    payout_id: Option<String>,
    deposit_id: Option<String>,
}

impl PawaPay {
    pub(super) async fn verify(
        &self,
        request: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        let verification = if self.settings.signed_callbacks {
            Verification::Signature(SignatureIsRight::from_check(self.is_signed(request).await)?)
        } else {
            Verification::SecretPathAlone
        };
        if request.method != "POST" {
            return Err(CallbackRefusal::Unreadable);
        }
        Ok(VerifiedCallback::new(verification, subject(&request.body)?))
    }

    async fn is_signed(&self, request: &CallbackRequest) -> bool {
        let Some(id) = signatures::key_id(request) else { return false };
        let keys = self.keys.for_callback(&id).await;
        let addresses = Addressed::of(self.callback_url.expose_secret(), request);
        signatures::verify(request, &addresses, &keys, self.connection.clock().now())
    }
}

fn subject(body: &[u8]) -> Result<CallbackSubject, CallbackRefusal> {
    let body: CallbackBody =
        serde_json::from_slice(body).map_err(|_| CallbackRefusal::Unreadable)?;
    let reference = body.refund_id.or(body.payout_id).or(body.deposit_id);
    // Statements have callbacks too.
    let reference = reference.filter(|reference| Uuid::try_parse(reference).is_ok());
    Ok(reference.map_or(CallbackSubject::Nothing, |reference| CallbackSubject::Order {
        reference,
        claim: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_names_our_reference_and_nothing_else() {
        let id = "7b0a3f0e-1c1d-4e5f-8a6b-123456789012";
        for name in ["depositId", "payoutId", "refundId"] {
            let body = format!("{{\"{name}\":\"{id}\",\"status\":\"FAILED\"}}");
            let expected = CallbackSubject::Order { reference: id.to_owned(), claim: None };
            assert_eq!(subject(body.as_bytes()), Ok(expected), "{name}");
        }
        for body in ["{}", "{\"statementId\":\"x\"}", "{\"depositId\":\"INV-1\"}"] {
            assert_eq!(subject(body.as_bytes()), Ok(CallbackSubject::Nothing), "{body}");
        }
        for body in ["", "<html>", "{\"depositId\":", "[]", "{\"depositId\":1}"] {
            assert_eq!(subject(body.as_bytes()), Err(CallbackRefusal::Unreadable), "{body}");
        }
    }
}
