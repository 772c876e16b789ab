//! Paystack's callbacks: webhooks, and the question whether a transfer is approved.

use super::wire::{Event, TransferPart};
use crate::domain::ports::{
    CallbackRefusal, CallbackRequest, CallbackSubject, SignatureIsRight, Verification, VerifiedCallback,
};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha512;

/// The header of the signature.
const SIGNATURE: &str = "x-paystack-signature";

/// Verifies the signature, then reads what the callback is about.
///
/// # Errors
/// [`CallbackRefusal`].
pub(super) fn verify(request: &CallbackRequest, key: &SecretString) -> Result<VerifiedCallback, CallbackRefusal> {
    let proof = SignatureIsRight::from_check(is_signed(request, key))?;
    let event = serde_json::from_slice(&request.body).map_err(|_| CallbackRefusal::Unreadable)?;
    let subject = subject(event).ok_or(CallbackRefusal::Unreadable)?;
    Ok(VerifiedCallback::new(Verification::Signature(proof), subject))
}

/// Whether the header has the HMAC-SHA512 of the exact bytes of the body under the secret key, in hexadecimal digits. The
/// comparison takes the same time wherever the first difference is.
fn is_signed(request: &CallbackRequest, key: &SecretString) -> bool {
    let Some(signature) = request.header(SIGNATURE).and_then(|digits| hex::decode(digits).ok()) else { return false };
    let Ok(mac) = Hmac::<Sha512>::new_from_slice(key.expose_secret().as_bytes()) else { return false };
    mac.chain_update(&request.body).verify_slice(&signature).is_ok()
}

/// What a body is about; `None` where it should name a payment and does not.
fn subject(event: Event) -> Option<CallbackSubject> {
    let data = event.data.unwrap_or_default();
    let order = |reference| CallbackSubject::Order { reference, claim: None };
    match event.event.as_deref() {
        Some("charge.success" | "transfer.success" | "transfer.failed" | "transfer.reversed") => {
            data.order.reference.map(order)
        }
        Some(name) if name.starts_with("charge.dispute.") => {
            data.charge_reference().map(|reference| CallbackSubject::Dispute { reference })
        }
        // A refund has no reference of ours, so the callback is about its charge.
        Some(name) if name.starts_with("refund.") => data.charge_reference().map(order),
        Some("transferrequest.approval-required") => match <[TransferPart; 1]>::try_from(data.transfers) {
            Ok([transfer]) => approval(transfer),
            Err(none) if none.is_empty() => approval(data.order),
            // Every payout of ours is a transfer of its own, so these are not ours.
            Err(_) => None,
        },
        Some(_) => Some(CallbackSubject::Nothing),
        // Some published samples have the transfer alone.
        None => approval(event.transfer),
    }
}

fn approval(transfer: TransferPart) -> Option<CallbackSubject> {
    let amount = transfer.amount();
    Some(CallbackSubject::Approval { reference: transfer.reference?, amount })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tua_contract::Amount;

    fn subject_of(body: serde_json::Value) -> Option<CallbackSubject> {
        subject(serde_json::from_value(body).unwrap())
    }

    fn order() -> Option<CallbackSubject> {
        Some(CallbackSubject::Order { reference: "a".to_owned(), claim: None })
    }

    #[test]
    fn each_event_leads_to_its_payment() {
        for name in ["charge.success", "transfer.success", "transfer.failed", "transfer.reversed"] {
            assert_eq!(subject_of(json!({"event": name, "data": {"reference": "a", "amount": 1}})), order());
            assert_eq!(subject_of(json!({"event": name, "data": null})), None);
        }
        for name in
            ["refund.pending", "refund.processing", "refund.processed", "refund.failed", "refund.needs-attention"]
        {
            let data = json!({"transaction_reference": "a", "refund_reference": "9", "amount": "100"});
            assert_eq!(subject_of(json!({"event": name, "data": data})), order());
        }
        for name in ["charge.dispute.create", "charge.dispute.remind", "charge.dispute.resolve"] {
            let dispute = Some(CallbackSubject::Dispute { reference: "a".to_owned() });
            assert_eq!(subject_of(json!({"event": name, "data": {"transaction": {"reference": "a"}}})), dispute);
            assert_eq!(subject_of(json!({"event": name, "data": {"transaction_reference": "a"}})), dispute);
        }
        assert_eq!(subject_of(json!({"event": "subscription.create", "data": {}})), Some(CallbackSubject::Nothing));
    }

    #[test]
    fn a_question_about_one_transfer_is_read_in_every_published_form() {
        let amount = Amount::from_pesewas(1050).ok();
        let question = Some(CallbackSubject::Approval { reference: "a".to_owned(), amount });
        let transfer = json!({"reference": "a", "amount": 1050, "transfer_code": "TRF_1"});
        let event = "transferrequest.approval-required";
        assert_eq!(subject_of(transfer.clone()), question);
        assert_eq!(subject_of(json!({"event": event, "data": transfer})), question);
        assert_eq!(subject_of(json!({"event": event, "data": {"id": 1, "transfers": [transfer]}})), question);
        assert_eq!(subject_of(json!({"event": event, "data": {"transfers": [transfer, transfer]}})), None);
        assert_eq!(subject_of(json!({"event": event, "data": {}})), None);
        assert_eq!(subject_of(json!({})), None);
    }
}
