use super::*;
use serde_json::json;

fn about_of(body: &Value) -> Result<About, CallbackRefusal> {
    about(&members(body.to_string().as_bytes())?, "live")
}

fn subject_of(body: &Value) -> Result<CallbackSubject, CallbackRefusal> {
    match about_of(body)? {
        About::Subject(subject) => Ok(subject),
        About::Question(question) => panic!("{question:?}"),
    }
}

fn order() -> Result<CallbackSubject, CallbackRefusal> {
    Ok(CallbackSubject::Order { reference: "a".to_owned(), claim: None })
}

#[test]
fn each_event_leads_to_its_payment() {
    for name in ["charge.success", "transfer.success", "transfer.failed", "transfer.reversed"] {
        let body = json!({"event": name, "data": {"reference": "a", "amount": 1}});
        assert_eq!(subject_of(&body), order());
        for nameless in [json!(null), json!({}), json!({"reference": 5}), json!([])] {
            let subject = subject_of(&json!({"event": name, "data": nameless}));
            assert_eq!(subject, Err(CallbackRefusal::Unreadable), "{nameless}");
        }
    }
    for name in [
        "refund.pending",
        "refund.processing",
        "refund.processed",
        "refund.failed",
        "refund.needs-attention",
    ] {
        let data = json!({"transaction_reference": "a", "refund_reference": "9", "amount": "100"});
        assert_eq!(subject_of(&json!({"event": name, "data": data})), order());
    }
    for name in ["charge.dispute.create", "charge.dispute.remind", "charge.dispute.resolve"] {
        let dispute = Ok(CallbackSubject::Dispute { reference: "a".to_owned() });
        for data in
            [json!({"transaction": {"reference": "a"}}), json!({"transaction_reference": "a"})]
        {
            assert_eq!(subject_of(&json!({"event": name, "data": data})), dispute);
        }
    }
    for name in OTHER_EVENTS {
        let subject = subject_of(&json!({"event": name, "data": {}}));
        assert_eq!(subject, Ok(CallbackSubject::Nothing), "{name}");
    }
}

#[test]
fn what_may_be_a_question_and_is_no_clear_one_is_refused() {
    let one = json!({"reference": "a", "amount": 1050});
    let bodies = [
        json!({}),
        json!({"event": null}),
        json!({"event": 1}),
        json!({"event": 1, "data": one}),
        json!({"event": QUESTION}),
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
        assert_eq!(about_of(&body), Err(CallbackRefusal::UnclearQuestion), "{body}");
    }
    for body in [
        "",
        r#"{"reference": "a", "amount": 1050, "reference": "b"}"#,
        r#"{"event": null, "data": {"amount": 1, "reference": "a", "amount": 1050}}"#,
        r#"{"event": "charge.success", "event": null, "data": {"reference": "a"}}"#,
    ] {
        let refusal = members(body.as_bytes()).unwrap_err();
        assert_eq!(refusal, CallbackRefusal::UnclearQuestion, "{body}");
    }
}
