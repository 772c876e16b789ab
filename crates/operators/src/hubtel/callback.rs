//! Hubtel's callbacks. It signs nothing, so the secret path is all that verifies them.

use super::{
    codes::{Meaning, meaning},
    members::Members,
    wire::{Body, our_reference},
};
use reqwest::StatusCode;
use tua_contract::Amount;
use tua_domain::{
    Kind,
    ports::{
        CallbackRefusal, CallbackRequest, CallbackSubject, FailureClaim, Verification,
        VerifiedCallback,
    },
};

/// Reads what a callback is about. Its secret path was checked before.
///
/// # Errors
/// [`CallbackRefusal::Unreadable`].
pub(super) fn read(request: &CallbackRequest) -> Result<VerifiedCallback, CallbackRefusal> {
    let body = Body::parse(StatusCode::OK, &request.body).ok_or(CallbackRefusal::Unreadable)?;
    let subject = match (body.data.text("clientreference"), body.data.text("orderid")) {
        (Some(reference), _) => {
            CallbackSubject::Order { claim: claim(&body), reference: our_reference(reference) }
        }
        // The outcome of a refund, which names the order only. It is found in the status of the
        // charge.
        (None, Some(_)) => CallbackSubject::Nothing,
        (None, None) => return Err(CallbackRefusal::Unreadable),
    };
    Ok(VerifiedCallback::new(Verification::SecretPathAlone, subject))
}

/// The failure that a callback claims. The status of a charge has no word for it. That of a payout
/// has one, but gives no reason.
fn claim(body: &Body) -> Option<FailureClaim> {
    let is_payout = is_about_payout(&body.data);
    let amount = body.data.text("amount").and_then(|text| Amount::parse(&text).ok())?;
    let kind = if is_payout { Kind::Payout } else { Kind::Charge };
    match meaning(&body.code, &body.text, kind) {
        Meaning::Failed(code) => Some(FailureClaim { code, amount, is_decisive: !is_payout }),
        Meaning::Accepted | Meaning::Executed | Meaning::Unknown => None,
    }
}

fn is_about_payout(data: &Members) -> bool {
    ["amountdebited", "recipientname"].iter().any(|name| !data.json(name).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_contract::FailureCode;

    fn callback(body: &str) -> Result<CallbackSubject, CallbackRefusal> {
        let request = CallbackRequest {
            method: "POST".to_owned(),
            authority: "pay.example".to_owned(),
            path: "/callbacks/hubtel/secret".to_owned(),
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
        };
        read(&request).map(|verified| {
            assert_eq!(verified.verification(), Verification::SecretPathAlone);
            verified.into_subject()
        })
    }

    fn order(claim: Option<(FailureCode, i64)>) -> Result<CallbackSubject, CallbackRefusal> {
        let amount = |pesewas| Amount::from_pesewas(pesewas).unwrap();
        let claim = claim.map(|(code, pesewas)| FailureClaim {
            code,
            amount: amount(pesewas),
            is_decisive: true,
        });
        Ok(CallbackSubject::Order {
            reference: "0199f3c2-7d5e-4a10-8b6f-123456789abc".to_owned(),
            claim,
        })
    }

    /// The samples of Hubtel's page of 23 December 2025, with a reference of ours.
    #[test]
    fn only_a_documented_failure_of_a_charge_is_claimed() {
        let body = |code: &str, description: &str, more: &str| {
            format!(
                r#"{{"ResponseCode":"{code}","Message":"failed","Data":{{"Amount":0.8,"Charges":0.05,
                "AmountAfterCharges":0.8,"Description":"{description}","AmountCharged":0.85,{more}
                "ClientReference":"0199f3c27d5e4a108b6f123456789abc","TransactionId":"09f84e20a283942e807128e8c21d08d6",
                "ExternalTransactionId":"2116938399","OrderId":"09f84e20a283942e807128e8c21d08d6"}}}}"#
            )
        };
        assert_eq!(callback(&body("0000", "processed", "")), order(None));
        assert_eq!(
            callback(&body("2001", "FAILED", "")),
            order(Some((FailureCode::Unspecified, 80)))
        );
        assert_eq!(
            callback(&body("2001", "Wrong PIN entered", "")),
            order(Some((FailureCode::WrongPin, 80)))
        );
        for code in ["5000", "0005", "0001", "9999"] {
            assert_eq!(callback(&body(code, "FAILED", "")), order(None), "{code}");
        }
        let of_payout = callback(&body("4075", "FAILED", r#""AmountDebited":0.85,"#));
        let Ok(CallbackSubject::Order { claim: Some(claim), .. }) = of_payout else {
            panic!("{of_payout:?}")
        };
        assert_eq!((claim.code, claim.is_decisive), (FailureCode::MerchantFloatLow, false));
        let camel_case = body("2001", "FAILED", "")
            .replace("ResponseCode", "responseCode")
            .replace("Amount", "amount");
        assert_eq!(callback(&camel_case), order(Some((FailureCode::Unspecified, 80))));
        let without_amount = body("2001", "FAILED", "").replace("\"Amount\":0.8,", "");
        assert_eq!(callback(&without_amount), order(None));
    }

    #[test]
    fn a_callback_without_a_reference_is_about_a_refund_or_unreadable() {
        let refund = r#"{"responseCode":"0000","message":"ok","data":{"amount":1.5,"charges":0,"orderId":"09f8"}}"#;
        assert_eq!(callback(refund), Ok(CallbackSubject::Nothing));
        for body in [
            "",
            "<html>",
            "{}",
            "[]",
            r#"{"ResponseCode":"0000"}"#,
            r#"{"Data":{"ClientReference":"a"}}"#,
        ] {
            assert_eq!(callback(body), Err(CallbackRefusal::Unreadable), "{body}");
        }
    }
}
