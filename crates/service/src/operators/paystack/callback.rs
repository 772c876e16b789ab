//! Paystack's callbacks: webhooks, and the question whether a transfer is approved.

use super::event::{Event, EventData};
use crate::domain::ports::{
    CallbackRefusal, CallbackRequest, CallbackSubject, SignatureIsRight, TransferQuestion, Verification,
    VerifiedCallback,
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
    // Any body may be a question, until it is known to be something else.
    let event = serde_json::from_slice(&request.body).map_err(|_| CallbackRefusal::UnclearQuestion)?;
    let subject = subject(event)?;
    Ok(VerifiedCallback::new(Verification::Signature(proof), subject))
}

/// Whether the header has the HMAC-SHA512 of the exact bytes of the body under the secret key, in hexadecimal digits. The
/// comparison takes the same time wherever the first difference is.
fn is_signed(request: &CallbackRequest, key: &SecretString) -> bool {
    let Some(signature) = request.header(SIGNATURE).and_then(|digits| hex::decode(digits).ok()) else { return false };
    let Ok(mac) = Hmac::<Sha512>::new_from_slice(key.expose_secret().as_bytes()) else { return false };
    mac.chain_update(&request.body).verify_slice(&signature).is_ok()
}

/// The question whether to execute a transfer.
const QUESTION: &str = "transferrequest.approval-required";

/// The documented events of other products and of other stages, about which nothing is done. A name that is on no list may
/// be a question.
const OTHER_EVENTS: [&str; 20] = [
    "bank.transfer.rejected",
    "charge.failed",
    "customeridentification.failed",
    "customeridentification.success",
    "dedicatedaccount.assign.failed",
    "dedicatedaccount.assign.success",
    "direct_debit.authorization.active",
    "direct_debit.authorization.created",
    "invoice.create",
    "invoice.payment_failed",
    "invoice.update",
    "paymentrequest.pending",
    "paymentrequest.success",
    "subscription.create",
    "subscription.disable",
    "subscription.enable",
    "subscription.expiring_cards",
    "subscription.not_renew",
    "subscription.update",
    "transfer.pending",
];

/// What a body is about.
///
/// # Errors
/// [`CallbackRefusal::Unreadable`] where an event does not name its payment, and [`CallbackRefusal::UnclearQuestion`] where
/// the body is, or may be, a question that is not about exactly one transfer.
fn subject(event: Event) -> Result<CallbackSubject, CallbackRefusal> {
    let order = |reference| CallbackSubject::Order { reference, claim: None };
    let name = event.event.clone();
    let about = match name.as_deref() {
        // Some published samples have the transfer alone.
        Some(QUESTION) | None => return question(event),
        Some("charge.success" | "transfer.success" | "transfer.failed" | "transfer.reversed") => {
            event.data.and_then(|data| data.order.reference).map(order)
        }
        Some("charge.dispute.create" | "charge.dispute.remind" | "charge.dispute.resolve") => {
            let reference = event.data.and_then(EventData::charge_reference);
            reference.map(|reference| CallbackSubject::Dispute { reference })
        }
        // A refund has no reference of ours, so the callback is about its charge.
        Some(
            "refund.pending" | "refund.processing" | "refund.processed" | "refund.failed" | "refund.needs-attention",
        ) => event.data.and_then(EventData::charge_reference).map(order),
        Some(name) if OTHER_EVENTS.contains(&name) => Some(CallbackSubject::Nothing),
        Some(_) => return Err(CallbackRefusal::UnclearQuestion),
    };
    about.ok_or(CallbackRefusal::Unreadable)
}

/// Every payout of ours is a transfer of its own, so a question about several is not about ours.
fn question(event: Event) -> Result<CallbackSubject, CallbackRefusal> {
    let transfers = <[_; 1]>::try_from(event.into_transfers());
    let [transfer] = transfers.map_err(|_| CallbackRefusal::UnclearQuestion)?;
    let (amount, recipient) = (transfer.amount(), transfer.recipient());
    let reference = transfer.reference.ok_or(CallbackRefusal::UnclearQuestion)?;
    Ok(CallbackSubject::Approval(TransferQuestion { reference, amount, recipient }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ports::QuestionedRecipient;
    use serde_json::json;
    use tua_contract::{Amount, Network, Phone};

    fn subject_of(body: serde_json::Value) -> Result<CallbackSubject, CallbackRefusal> {
        let event = serde_json::from_value(body).map_err(|_| CallbackRefusal::UnclearQuestion)?;
        subject(event)
    }

    fn order() -> Result<CallbackSubject, CallbackRefusal> {
        Ok(CallbackSubject::Order { reference: "a".to_owned(), claim: None })
    }

    #[test]
    fn each_event_leads_to_its_payment() {
        for name in ["charge.success", "transfer.success", "transfer.failed", "transfer.reversed"] {
            assert_eq!(subject_of(json!({"event": name, "data": {"reference": "a", "amount": 1}})), order());
            let nameless = subject_of(json!({"event": name, "data": null}));
            assert_eq!(nameless, Err(CallbackRefusal::Unreadable));
        }
        for name in
            ["refund.pending", "refund.processing", "refund.processed", "refund.failed", "refund.needs-attention"]
        {
            let data = json!({"transaction_reference": "a", "refund_reference": "9", "amount": "100"});
            assert_eq!(subject_of(json!({"event": name, "data": data})), order());
        }
        for name in ["charge.dispute.create", "charge.dispute.remind", "charge.dispute.resolve"] {
            let dispute = Ok(CallbackSubject::Dispute { reference: "a".to_owned() });
            assert_eq!(subject_of(json!({"event": name, "data": {"transaction": {"reference": "a"}}})), dispute);
            assert_eq!(subject_of(json!({"event": name, "data": {"transaction_reference": "a"}})), dispute);
        }
        for name in OTHER_EVENTS {
            assert_eq!(subject_of(json!({"event": name, "data": {}})), Ok(CallbackSubject::Nothing), "{name}");
        }
    }

    fn asked(amount: Option<i64>, recipient: QuestionedRecipient) -> Result<CallbackSubject, CallbackRefusal> {
        let amount = amount.map(|pesewas| Amount::from_pesewas(pesewas).unwrap());
        Ok(CallbackSubject::Approval(TransferQuestion { reference: "a".to_owned(), amount, recipient }))
    }

    #[test]
    fn a_question_about_one_transfer_is_read_in_every_published_form() {
        let question = asked(Some(1050), QuestionedRecipient::Unnamed);
        let transfer = json!({"reference": "a", "amount": 1050, "transfer_code": "TRF_1"});
        assert_eq!(subject_of(transfer.clone()), question);
        assert_eq!(subject_of(json!({"event": null, "data": transfer})), question);
        assert_eq!(subject_of(json!({"transfers": [transfer]})), question);
        assert_eq!(subject_of(json!({"event": QUESTION, "data": transfer})), question);
        assert_eq!(subject_of(json!({"event": QUESTION, "data": {"id": 1, "transfers": [transfer]}})), question);
    }

    #[test]
    fn a_question_that_is_not_about_exactly_one_transfer_is_unclear() {
        let one = json!({"reference": "a", "amount": 1050});
        let bodies = [
            json!({}),
            json!({"event": null}),
            json!({"event": 1}),
            json!({"event": QUESTION}),
            json!({"event": QUESTION, "data": null}),
            json!({"event": QUESTION, "data": {}}),
            json!({"event": QUESTION, "data": [one]}),
            json!({"event": QUESTION, "data": {"transfers": null}}),
            json!({"event": QUESTION, "data": {"transfers": []}}),
            json!({"event": QUESTION, "data": {"transfers": [one, one]}}),
            json!({"event": QUESTION, "data": {"transfers": [{"amount": 1050}]}}),
            json!({"event": QUESTION, "data": {"transfers": [{"reference": null, "amount": 1050}]}}),
            json!({"event": QUESTION, "data": {"reference": "a", "amount": 1050, "transfers": [one]}}),
            json!({"event": QUESTION, "data": {"transfers": [one]}, "transfers": [one]}),
            json!({"event": QUESTION, "data": {"transfers": [one]}, "reference": "b", "amount": 1}),
            json!({"reference": "a", "amount": 1050, "transfers": [one]}),
            json!({"event": "transferrequest.approval_required", "data": one}),
            json!({"event": "TransferRequest.Approval-Required", "data": one}),
            json!({"event": "transfer.approval-required", "data": one}),
            json!({"event": "charge.approval-required", "data": one}),
            json!({"event": "refund.approval-required", "data": one}),
            json!({"event": "", "data": one}),
            json!([one]),
            json!(null),
        ];
        for body in bodies {
            assert_eq!(subject_of(body.clone()), Err(CallbackRefusal::UnclearQuestion), "{body}");
        }
    }

    #[test]
    fn a_question_says_how_much_would_go_to_which_wallet() {
        let transfer = |more: serde_json::Value| {
            let mut transfer = json!({"reference": "a", "amount": 1050, "currency": "GHS"});
            transfer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            subject_of(transfer)
        };
        let phone = Phone::parse("0241234567").unwrap();
        let wallet = |network| asked(Some(1050), QuestionedRecipient::Wallet { phone: phone.clone(), network });
        let details = |details: serde_json::Value| transfer(json!({"recipient": {"details": details}}));
        assert_eq!(details(json!({"account_number": "0241234567", "bank_code": "MTN"})), wallet(Some(Network::Mtn)));
        assert_eq!(details(json!({"account_number": "0241234567"})), wallet(None));
        for other in [
            json!({"account_number": "0241234567", "bank_code": "GCB"}),
            json!({"account_number": "0241234567", "bank_code": 7}),
            json!({"account_number": "1234567890123", "bank_code": "MTN"}),
            json!({"account_number": 241_234_567, "bank_code": "MTN"}),
            json!({"bank_code": "MTN"}),
        ] {
            assert_eq!(details(other.clone()), asked(Some(1050), QuestionedRecipient::Other), "{other}");
        }
        for unnamed in [json!({"recipient": 7}), json!({"recipient": "RCP_1"}), json!({"recipient": null})] {
            assert_eq!(transfer(unnamed), asked(Some(1050), QuestionedRecipient::Unnamed));
        }
        for unclear in [
            json!({"currency": "NGN"}),
            json!({"currency": 1}),
            json!({"amount": 1050.5}),
            json!({"amount": null}),
            json!({"amount": "1,050"}),
        ] {
            assert_eq!(transfer(unclear.clone()), asked(None, QuestionedRecipient::Unnamed), "{unclear}");
        }
    }
}
