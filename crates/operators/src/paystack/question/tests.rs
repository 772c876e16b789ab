use super::*;
use crate::paystack::named_recipient::NamedWallet;
use serde_json::json;
use tua_contract::{Network, Phone};

const EVENT: &str = "transferrequest.approval-required";

fn read(body: &Value) -> Option<Question> {
    Question::read(body.as_object()?, "live")
}

fn asked(recipients: &[NamedRecipient]) -> Option<Question> {
    let amount = Some(Amount::from_pesewas(1050).unwrap());
    Some(Question { reference: "a".to_owned(), amount, recipients: recipients.to_vec() })
}

fn one() -> Value {
    json!({"reference": "a", "amount": 1050, "transfer_code": "TRF_1"})
}

/// The transfer with more members.
fn with(more: &Value) -> Value {
    let mut transfer = one();
    transfer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    transfer
}

#[test]
fn one_transfer_is_read_in_every_place_where_it_may_stand() {
    let one = one();
    for body in [
        one.clone(),
        json!({"event": null, "data": one}),
        json!({"transfers": [one]}),
        json!({"event": EVENT, "data": one}),
        json!({
            "event": EVENT,
            "data": {"id": 1, "status": "pending", "count": 1, "transfers": [one]},
        }),
        with(&json!({
            "domain": "live",
            "currency": "GHS",
            "source": "balance",
            "source_details": null,
            "failures": null,
            "integration": {"id": 1, "is_live": true},
            "session": {"provider": null, "id": null},
            "metadata": {},
            "status": "otp",
            "titan_code": null,
            "reason": "for Ama",
            "createdAt": "2026-01-01T00:00:00.000Z",
        })),
    ] {
        assert_eq!(read(&body), asked(&[NamedRecipient::Unnamed]), "{body}");
    }
}

#[test]
fn a_body_that_is_not_clearly_about_one_transfer_is_no_question() {
    let one = one();
    for body in [
        json!({}),
        json!({"data": null}),
        json!({"data": {}}),
        json!({"data": [one]}),
        json!({"data": {"transfers": null}}),
        json!({"data": {"transfers": []}}),
        json!({"data": {"transfers": one}}),
        json!({"data": {"transfers": [one, one]}}),
        json!({"data": {"transfers": [{"amount": 1050}]}}),
        json!({"data": {"transfers": [{"reference": null, "amount": 1050}]}}),
        json!({"data": {"reference": "a", "amount": 1050, "transfers": [one]}}),
        json!({"data": {"transfers": [one]}, "transfers": [one]}),
        json!({"data": {"transfers": [one]}, "reference": "b", "amount": 1}),
        json!({"reference": "a", "amount": 1050, "transfers": [one]}),
        json!({"data": one, "transfers": []}),
        json!({"data": {"data": one}}),
        json!({"transfers": [{"transfers": [one]}]}),
    ] {
        assert_eq!(read(&body), None, "{body}");
    }
}

#[test]
fn nothing_beside_the_transfer_may_be_about_something_else() {
    for more in [
        json!({"transfer": {"reference": "b"}}),
        json!({"bulk": [one()]}),
        json!({"Transfers": [one()]}),
        json!({"transfer_requests": [one()]}),
        json!({"count": 5}),
        json!({"count": "2"}),
        json!({"Count": 1}),
        json!({"currency": "NGN"}),
        json!({"currency": 1}),
        json!({"Currency": "GHS"}),
        json!({"domain": "test"}),
        json!({"domain": 1}),
        json!({"status": "success"}),
        json!({"status": "Reversed"}),
        json!({"status": "blocked"}),
        json!({"status": false}),
        json!({"status": {}}),
        json!({"Reference": "b"}),
        json!({"AMOUNT": 1}),
        json!({"recipient_code": "RCP_else"}),
        json!({"account_number": "0209999999"}),
        json!({"bankCode": "VOD"}),
        json!({"phone": "0209999999"}),
        json!({"destination": "0209999999"}),
    ] {
        let mut framed = json!({"event": EVENT, "data": {"transfers": [one()]}});
        framed.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut inner = more.clone();
        inner.as_object_mut().unwrap().insert("transfers".to_owned(), json!([one()]));
        for body in [framed, with(&more), json!({"data": with(&more)}), json!({"data": inner})] {
            assert_eq!(read(&body), None, "{body}");
        }
    }
    for unclear in [json!({"amount": 1050.5}), json!({"amount": null}), json!({"amount": "1,050"})]
    {
        assert_eq!(read(&with(&unclear)).unwrap().amount, None, "{unclear}");
    }
}

#[test]
fn the_request_that_made_the_transfer_must_describe_the_same() {
    let framed = |details: Value| json!({"data": {"transfers": [one()], "details": details}});
    let code = NamedRecipient::Registered { code: "RCP_1".to_owned(), wallet: None };
    let body = json!({"reference": "a", "amount": 1050, "currency": "GHS", "recipient": "RCP_1"});
    let read_body = read(&framed(json!({"method": "POST", "body": body})));
    assert_eq!(read_body, asked(&[NamedRecipient::Unnamed, code]));
    for details in [
        json!([body]),
        json!("0209999999"),
        json!({"body": [body]}),
        json!({"body": {"reference": "b", "amount": 1050}}),
        json!({"body": {"reference": "a", "amount": 1051}}),
        json!({"body": {"amount": 1050}}),
        json!({"body": {"reference": "a", "amount": 1050, "currency": "NGN"}}),
        json!({"body": {"reference": "a", "amount": 1050, "transfers": [body]}}),
        json!({"body": body, "more": {"reference": "b"}}),
        json!({"body": body, "recipient": "RCP_2"}),
        json!({"account_number": "0209999999"}),
    ] {
        assert_eq!(read(&framed(details.clone())), None, "{details}");
    }
    assert_eq!(read(&json!({"transfers": [one()], "details": {"body": body}})), None);
}

#[test]
fn a_recipient_is_a_code_an_id_or_the_published_object() {
    let recipient = |value: &Value| NamedRecipient::read(value, "live");
    let phone = Phone::parse("0241234567").unwrap();
    let wallet = |network| NamedWallet { phone: phone.clone(), network };
    let registered =
        |code: &str, wallet| NamedRecipient::Registered { code: code.to_owned(), wallet };
    let details = json!({
        "authorization_code": null,
        "account_number": "0241234567",
        "account_name": null,
        "bank_code": "MTN",
        "bank_name": "MTN",
    });
    for (value, expected) in [
        (json!(null), NamedRecipient::Unnamed),
        (json!("RCP_1"), registered("RCP_1", None)),
        (json!(7), registered("7", None)),
        (json!({"id": 7}), registered("7", None)),
        (json!({"recipient_code": "RCP_1", "details": {}}), registered("RCP_1", None)),
        (json!({"details": details}), NamedRecipient::Wallet(wallet(Some(Network::Mtn)))),
        (
            json!({"details": {"account_number": "0241234567"}}),
            NamedRecipient::Wallet(wallet(None)),
        ),
        (
            json!({
                "active": true,
                "currency": "GHS",
                "domain": "live",
                "email": null,
                "id": 7,
                "integration": 1,
                "metadata": {"a": 1},
                "name": "Ama",
                "recipient_code": "RCP_1",
                "type": "mobile_money",
                "details": details,
            }),
            registered("RCP_1", Some(wallet(Some(Network::Mtn)))),
        ),
        (
            json!({
                "recipient_code": "RCP_1",
                "details": details,
                "recipient_account": "0241234567",
                "institution_code": "MTN",
            }),
            registered("RCP_1", Some(wallet(Some(Network::Mtn)))),
        ),
    ] {
        assert_eq!(recipient(&value), expected, "{value}");
    }
    for value in [
        json!(""),
        json!("RCP_1/../transfer"),
        json!(-7),
        json!(7.5),
        json!(true),
        json!([details]),
        json!({}),
        json!({"account_number": "0241234567", "bank_code": "MTN"}),
        json!({"recipient_code": "RCP_1", "account_number": "0241234567"}),
        json!({"recipient_code": ["RCP_1"]}),
        json!({"recipient_code": "RCP_1", "type": "nuban"}),
        json!({"recipient_code": "RCP_1", "domain": "test"}),
        json!({"recipient_code": "RCP_1", "currency": "NGN"}),
        json!({"recipient_code": "RCP_1", "wallet": {"account_number": "0241234567"}}),
        json!({"details": [details]}),
        json!({"details": "0241234567"}),
        json!({"details": {"accountNumber": "0241234567"}}),
        json!({"details": {"account_number": "0241234567", "account": "0209999999"}}),
        json!({"details": {"account_number": "0241234567", "bank_code": "GCB"}}),
        json!({"details": {"account_number": "0241234567", "bank_code": 7}}),
        json!({"details": {"account_number": "1234567890123", "bank_code": "MTN"}}),
        json!({"details": {"account_number": 241_234_567, "bank_code": "MTN"}}),
        json!({"details": {"bank_code": "MTN"}}),
        json!({"recipient_code": "RCP_1", "details": details, "recipient_account": "0209999999"}),
        json!({"recipient_code": "RCP_1", "details": details, "institution_code": "VOD"}),
        json!({"recipient_code": "RCP_1", "recipient_account": "0241234567"}),
    ] {
        assert_eq!(recipient(&value), NamedRecipient::Other, "{value}");
    }
}
