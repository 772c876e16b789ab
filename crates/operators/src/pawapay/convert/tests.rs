use super::*;
use proptest::prelude::*;
use reqwest::header::HeaderMap;
use tua_contract::FailureCode;
use tua_domain::ports::FailureScope;

const REFERENCE: &str = "7b0a3f0e-1c1d-4e5f-8a6b-123456789012";

fn response(status: u16, body: &str) -> Response {
    Response {
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: body.into(),
    }
}

fn send(status: u16, body: &str) -> SendResponse {
    sent(Reply::Response(response(status, body)), OrderKind::Deposit, REFERENCE)
}

fn observed(answer: StatusResponse) -> Option<Observation> {
    match answer {
        StatusResponse::Known(report) => Some(report.observation),
        StatusResponse::NeverReceived | StatusResponse::Unanswered => None,
    }
}

/// A found deposit as pawaPay's reference shows it (2026-11).
fn found(members: &str) -> String {
    format!(
        r#"{{"status":"FOUND","data":{{"depositId":"{REFERENCE}","amount":"12.50","currency":"GHS","country":"GHA",
        "payer":{{"type":"MMO","accountDetails":{{"phoneNumber":"233241234567","provider":"MTN_MOMO_GHA"}}}},
        "created":"2026-11-22T08:00:00Z",{members}}}}}"#
    )
}

fn read(members: &str) -> StatusResponse {
    status(&response(200, &found(members)), OrderKind::Deposit, REFERENCE)
}

#[test]
fn a_success_carries_what_pawapay_reports() {
    let body = found(r#""status":"COMPLETED","providerTransactionId":"12356789""#);
    let known = |body: &str| match status(&response(200, body), OrderKind::Deposit, REFERENCE) {
        StatusResponse::Known(report) => report,
        answer => panic!("{answer:?} to {body}"),
    };
    let report = known(&body);
    assert_eq!(report.details.transaction_id.as_deref(), Some("12356789"));
    let asked = Amount::from_pesewas(1250).unwrap();
    assert_eq!(report.compare(asked).observation, Observation::Succeeded);
    assert_eq!(
        known(&body.replace("12.50", "12.5000")).compare(asked).observation,
        Observation::Succeeded
    );
    for (from, to) in [
        ("12.50", "12.51"),
        ("GHS", "ZMW"),
        ("depositId", "payoutId"),
        (REFERENCE, "other"),
        ("\"12.50\"", "null"),
    ] {
        assert_eq!(
            known(&body.replace(from, to)).compare(asked).observation,
            Observation::Mismatched,
            "{from}"
        );
    }
}

#[test]
fn each_status_has_its_meaning() {
    let approve = Observation::Awaits(Step::ApproveOnPhone);
    let wait = Observation::Awaits(Step::Wait);
    for (word, observation) in [
        ("ACCEPTED", Some(approve)),
        ("PROCESSING", Some(approve)),
        ("IN_RECONCILIATION", Some(wait)),
        ("ENQUEUED", Some(wait)),
        ("FAILED", Some(Observation::Failed(FailureCode::Unspecified))),
        ("COMPLETED", Some(Observation::Succeeded)),
        ("SUSPENDED", None),
        ("failed", None),
    ] {
        assert_eq!(observed(read(&format!("\"status\":\"{word}\""))), observation, "{word}");
    }
    let reason = r#""status":"FAILED","failureReason":{"failureCode":"PAYER_NOT_FOUND","failureMessage":"…"}"#;
    assert_eq!(observed(read(reason)), Some(Observation::Failed(FailureCode::PayerNotFound)));
    let other = status(
        &response(200, &found(reason)),
        OrderKind::Deposit,
        "00000000-0000-4000-8000-000000000000",
    );
    assert_eq!(other, StatusResponse::Unanswered);
}

#[test]
fn only_not_found_means_that_the_order_never_arrived() {
    let read = |code, body| status(&response(code, body), OrderKind::Deposit, REFERENCE);
    assert_eq!(read(200, r#"{"status":"NOT_FOUND"}"#), StatusResponse::NeverReceived);
    for (code, body) in [
        (404, r#"{"status":"NOT_FOUND"}"#),
        (200, r#"{"status":"NOT_FOUND","data":{"status":"COMPLETED"}}"#),
        (200, r#"{"status":"FOUND"}"#),
        (200, "<html></html>"),
        (200, r#"{"status":"NOT_FO"#),
        (500, r#"{"failureReason":{"failureCode":"UNKNOWN_ERROR"}}"#),
        (403, r#"{"failureReason":{"failureCode":"AUTHENTICATION_ERROR"}}"#),
        (429, ""),
    ] {
        assert_eq!(read(code, body), StatusResponse::Unanswered, "{code} {body}");
    }
}

#[test]
fn a_send_is_accepted_refused_repeated_or_unknown() {
    let failed =
        |code, scope| Report::new(Observation::Failed(code)).with_failure_scope(scope).into();
    let body = |members: &str| format!("{{\"depositId\":\"{REFERENCE}\",{members}}}");
    let approve = Observation::Awaits(Step::ApproveOnPhone).into();
    assert_eq!(send(200, &body(r#""status":"ACCEPTED","nextStep":"FINAL_STATUS""#)), approve);
    assert_eq!(send(200, &body(r#""status":"ACCEPTED""#)), approve);
    let url = body(r#""status":"ACCEPTED","nextStep":"GET_AUTH_URL""#);
    assert_eq!(send(200, &url), Observation::StillPending.into());
    assert_eq!(send(200, &body(r#""status":"DUPLICATE_IGNORED""#)), SendResponse::Duplicate);
    let rejected = |code: &str| {
        body(&format!(r#""status":"REJECTED","failureReason":{{"failureCode":"{code}"}}"#))
    };
    assert_eq!(
        send(200, &rejected("INVALID_PROVIDER")),
        failed(FailureCode::OperatorRefused, FailureScope::Network)
    );
    assert_eq!(
        send(200, &rejected("PROVIDER_TEMPORARILY_UNAVAILABLE")),
        failed(FailureCode::NetworkUnavailable, FailureScope::Network)
    );
    assert_eq!(
        send(200, &body(r#""status":"REJECTED""#)),
        failed(FailureCode::Unspecified, FailureScope::Order)
    );
    let error = |code: &str| {
        format!(r#"{{"failureReason":{{"failureCode":"{code}","failureMessage":""}}}}"#)
    };
    assert_eq!(
        send(400, &error("INVALID_PARAMETER")),
        failed(FailureCode::OperatorRefused, FailureScope::Order)
    );
    assert_eq!(
        send(401, &error("NO_AUTHENTICATION")),
        failed(FailureCode::NetworkUnavailable, FailureScope::Network)
    );
    assert_eq!(
        send(403, &error("HTTP_SIGNATURE_ERROR")),
        failed(FailureCode::NetworkUnavailable, FailureScope::Network)
    );
    for (code, body) in [
        (200, rejected("UNKNOWN_ERROR")),
        (200, body(r#""status":"MAYBE""#)),
        (
            200,
            r#"{"depositId":"00000000-0000-4000-8000-000000000000","status":"REJECTED"}"#
                .to_owned(),
        ),
        (
            200,
            r#"{"status":"REJECTED","failureReason":{"failureCode":"INVALID_PROVIDER"}}"#
                .to_owned(),
        ),
        (200, format!(r#"{{"payoutId":"{REFERENCE}","status":"REJECTED"}}"#)),
        (200, "<html></html>".to_owned()),
        (200, r#"{"status":"REJ"#.to_owned()),
        (202, body(r#""status":"REJECTED""#)),
        (429, error("INVALID_INPUT")),
        (500, error("UNKNOWN_ERROR")),
        (503, error("INVALID_INPUT")),
    ] {
        assert_eq!(send(code, &body), Observation::Ambiguous.into(), "{code} {body}");
    }
    let refused = Report::new(Observation::Ambiguous).with_failure_scope(FailureScope::Network);
    for body in ["<html></html>".to_owned(), error("SOMETHING_ELSE")] {
        assert_eq!(send(403, &body), refused.clone().into(), "the caller is refused: {body}");
    }
}

fn json() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("FAILED"),
        Just("REJECTED"),
        Just("COMPLETED"),
        Just("FOUND"),
        Just("NOT_FOUND"),
        Just("ACCEPTED"),
        Just("INVALID_INPUT"),
        Just("UNKNOWN_ERROR"),
        Just("AUTHENTICATION_ERROR"),
        Just("failed"),
        Just(REFERENCE),
    ];
    let name = prop_oneof![
        Just("status"),
        Just("depositId"),
        Just("failureCode"),
        Just("amount"),
        Just("nextStep")
    ];
    let members = prop::collection::btree_map(name, word, 0..4).prop_map(|members| {
        members
            .iter()
            .map(|(name, word)| format!("\"{name}\":\"{word}\""))
            .collect::<Vec<_>>()
            .join(",")
    });
    let pair = (members.clone(), members);
    prop_oneof![
        2 => pair.clone().prop_map(|(outer, inner)| {
            format!("{{\"status\":\"FOUND\",\"data\":{{{inner}}},\"x\":{{{outer}}}}}")
        }),
        2 => pair.prop_map(|(outer, inner)| {
            if outer.is_empty() {
                format!("{{\"failureReason\":{{{inner}}}}}")
            } else {
                format!("{{{outer},\"failureReason\":{{{inner}}}}}")
            }
        }),
        1 => "\\PC{0,40}",
    ]
}

proptest! {
    #[test]
    fn nothing_fails_without_an_explicit_failure(code in 100_u16..600, body in json()) {
        let response = response(code, &body);
        if let Some(Observation::Failed(_)) =
            observed(status(&response, OrderKind::Deposit, REFERENCE))
        {
            prop_assert!(
                code == 200 && body.contains("\"FAILED\"") && body.contains(REFERENCE),
                "{code} {body}"
            );
        }
        if let SendResponse::Observed(report) =
            sent(Reply::Response(response), OrderKind::Deposit, REFERENCE)
        {
            let is_rejected = code == 200
                && body.contains("\"status\":\"REJECTED\"")
                && body.contains(REFERENCE);
            let is_refused = (code == 400 && body.contains("INVALID_INPUT"))
                || (code == 403 && body.contains("AUTHENTICATION"));
            prop_assert!(
                is_rejected || is_refused || !matches!(report.observation, Observation::Failed(_)),
                "{code} {body}"
            );
        }
    }
}
