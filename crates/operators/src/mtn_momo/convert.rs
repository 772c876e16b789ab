//! From MTN's responses to what they reveal. Pure functions.

use super::{
    reasons::{OrderKind, failed, refused},
    wire::{ErrorBody, StatusBody},
};
use crate::{
    connection::{Reply, Response},
    exact::ExactText,
};
use reqwest::StatusCode;
use tua_contract::{
    Amount, FailureCode,
    lifecycle::{Observation, Step},
};
use tua_domain::{
    ports::{FailureScope, Receipt, Report, SendResponse, StatusResponse},
    transfer::OperatorDetails,
};

/// An order, as far as responses are compared with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpectedOrder<'a> {
    pub kind: OrderKind,
    /// Our reference of the order, which MTN returns as `externalId`.
    pub reference: &'a str,
    /// The currency of the environment.
    pub currency: &'a str,
}

/// What an order waits for that MTN has and has not decided: a charge for the payer's approval.
const fn pending(kind: OrderKind) -> Observation {
    match kind {
        OrderKind::Charge => Observation::Awaits(Step::ApproveOnPhone),
        OrderKind::Payout | OrderKind::Refund => Observation::StillPending,
    }
}

/// The response to a send.
pub(super) fn sent(reply: Reply, kind: OrderKind) -> SendResponse {
    let unclear = reply.unclear();
    let response = match reply {
        Reply::NotSent => return SendResponse::NotSent,
        Reply::NoResponse => return unclear.into(),
        Reply::Response(response) => response,
    };
    match response.status {
        StatusCode::ACCEPTED => pending(kind).into(),
        // The reference is known, so an earlier send may have been accepted.
        StatusCode::CONFLICT => SendResponse::Duplicate,
        // Documented as a request that does not follow the specification: nothing was accepted.
        StatusCode::BAD_REQUEST if refuses(&response) => {
            refused(error_code(&response).as_deref(), kind).into()
        }
        _ if is_access_denied(&response) => {
            let denied = Report::new(Observation::Failed(FailureCode::NetworkUnavailable));
            denied.with_failure_scope(FailureScope::Network).into()
        }
        // MTN responds, and names the order's own number. Whether it accepted the order is not
        // promised.
        StatusCode::INTERNAL_SERVER_ERROR if is_about_number(&response) => {
            Report::new(Observation::Ambiguous).with_failure_scope(FailureScope::Order).into()
        }
        // Among them 500 with codes of refused settings, such as INVALID_CURRENCY: no page promises
        // that such an order is never executed, and a status read reveals it soon.
        _ => unclear.into(),
    }
}

/// Whether the code is about the payer's or recipient's number.
fn is_about_number(response: &Response) -> bool {
    matches!(error_code(response).as_deref(), Some("PAYER_NOT_FOUND" | "PAYEE_NOT_FOUND"))
}

fn error_code(response: &Response) -> Option<String> {
    response.json().and_then(|body: ErrorBody| body.code)
}

/// Whether MTN's gateway refuses the credentials, or this machine's address. It does so before the
/// order reaches the system that executes it, in JSON of its own: `{"statusCode":401,…}`,
/// `{"error":"invalid_token",…}`, or `{"code":"FORBIDDEN_IP",…}`. A page of HTML may be anybody's,
/// so it is no refusal.
pub(super) fn is_access_denied(response: &Response) -> bool {
    matches!(response.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) && refuses(response)
}

/// Whether the body is an error in one of MTN's forms.
fn refuses(response: &Response) -> bool {
    let body: Option<ErrorBody> = response.json();
    body.is_some_and(|body| {
        let is_status = body.status_code.is_some_and(|code| code == response.status.as_u16());
        is_status || body.code.is_some() || body.error.is_some()
    })
}

/// Whether MTN refused an order because the host of the callback address is not the registered one.
pub(super) fn is_callback_host_refused(reply: &Reply) -> bool {
    let Reply::Response(response) = reply else { return false };
    response.status.is_server_error()
        && error_code(response).as_deref() == Some("INVALID_CALLBACK_URL_HOST")
}

/// The response to a status read.
pub(super) fn status(response: &Response, expected: ExpectedOrder<'_>) -> StatusResponse {
    match response.status {
        StatusCode::OK => response
            .json()
            .and_then(|body| known(body, expected))
            .map_or(StatusResponse::Unanswered, StatusResponse::Known),
        StatusCode::NOT_FOUND if is_unknown_resource(response) => StatusResponse::NeverReceived,
        _ => StatusResponse::Unanswered,
    }
}

/// Whether the API reports that it does not have what was asked for. The gateway's own 404 for a
/// wrong path has no code.
pub(super) fn is_unknown_resource(response: &Response) -> bool {
    response.status == StatusCode::NOT_FOUND
        && error_code(response).as_deref() == Some("RESOURCE_NOT_FOUND")
}

/// The order as MTN has it; `None` where its status is not known to us, or where it is another
/// order that has failed.
fn known(body: StatusBody, expected: ExpectedOrder<'_>) -> Option<Report> {
    let is_reference_right =
        body.external_id.as_ref().is_some_and(|id| id.as_str() == expected.reference);
    let is_other_order = body.external_id.is_some() && !is_reference_right;
    let report: Report = match body.status.as_str() {
        "SUCCESSFUL" => Observation::Succeeded.into(),
        "PENDING" | "CREATED" => pending(expected.kind).into(),
        "FAILED" if is_other_order => return None,
        "FAILED" => failed(body.reason.code.as_deref(), &body.reason.text, expected.kind),
        _ => return None,
    };
    let receipt = Receipt {
        amount: body.amount.and_then(|amount| Amount::parse(amount.as_str()).ok()),
        is_currency_right: body.currency.as_deref() == Some(expected.currency),
        is_reference_right,
    };
    let transaction_id = body.financial_transaction_id.map(|ExactText(id)| id);
    let details = OperatorDetails { transaction_id, ..OperatorDetails::NONE };
    Some(report.with_receipt(receipt).with_details(details))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use reqwest::header::HeaderMap;

    const REFERENCE: &str = "7b0a3f0e-1c1d-4e5f-8a6b-123456789012";
    const EXPECTED: ExpectedOrder<'_> =
        ExpectedOrder { kind: OrderKind::Charge, reference: REFERENCE, currency: "GHS" };

    fn response(status: u16, body: &str) -> Response {
        Response {
            status: StatusCode::from_u16(status).unwrap(),
            headers: HeaderMap::new(),
            body: body.into(),
        }
    }

    fn observed(answer: StatusResponse) -> Option<Observation> {
        match answer {
            StatusResponse::Known(report) => Some(report.observation),
            StatusResponse::NeverReceived | StatusResponse::Unanswered => None,
        }
    }

    /// The body of a successful order as MTN's API reference shows it (2026-11), with the amount as
    /// it normalises it.
    #[test]
    fn a_success_carries_what_mtn_reports() {
        let body = format!(
            r#"{{"financialTransactionId":"23503452","externalId":"{REFERENCE}","amount":"12.5","currency":"GHS",
            "payer":{{"partyIdType":"MSISDN","partyId":"233241234567"}},"status":"SUCCESSFUL"}}"#
        );
        let StatusResponse::Known(report) = status(&response(200, &body), EXPECTED) else {
            panic!("not known")
        };
        assert_eq!(report.details.transaction_id.as_deref(), Some("23503452"));
        let compare =
            |pesewas| report.clone().compare(Amount::from_pesewas(pesewas).unwrap()).observation;
        assert_eq!(compare(1250), Observation::Succeeded);
        assert_eq!(compare(1251), Observation::Mismatched);
        for (from, to) in
            [("GHS", "EUR"), (REFERENCE, "other"), ("12.5", "12.505"), ("\"externalId\"", "\"x\"")]
        {
            let StatusResponse::Known(report) =
                status(&response(200, &body.replace(from, to)), EXPECTED)
            else {
                panic!("{from}")
            };
            assert_eq!(
                report.compare(Amount::from_pesewas(1250).unwrap()).observation,
                Observation::Mismatched
            );
        }
    }

    #[test]
    fn a_failure_with_a_pending_reason_or_of_another_order_is_none() {
        let failed = |members: &str| {
            observed(status(
                &response(200, &format!("{{\"status\":\"FAILED\"{members}}}")),
                EXPECTED,
            ))
        };
        assert_eq!(failed(""), Some(Observation::Failed(FailureCode::Unspecified)));
        let expired = Some(Observation::Failed(FailureCode::ApprovalTimeout));
        assert_eq!(failed(",\"reason\":\"EXPIRED\""), expired);
        assert_eq!(failed(",\"reason\":{\"code\":\"EXPIRED\",\"message\":\"\"}"), expired);
        for code in ["ONGOING", "PAYER_DELAYED", "PENDING", "DELAYED", "TRANSACTION_NOT_COMPLETED"]
        {
            assert_eq!(
                failed(&format!(",\"reason\":\"{code}\"")),
                Some(Observation::StillPending),
                "{code}"
            );
        }
        assert_eq!(failed(",\"externalId\":\"another\",\"reason\":\"EXPIRED\""), None);
    }

    #[test]
    fn only_the_apis_own_404_means_that_the_order_never_arrived() {
        let api = r#"{"code":"RESOURCE_NOT_FOUND","message":"Requested resource was not found."}"#;
        assert_eq!(status(&response(404, api), EXPECTED), StatusResponse::NeverReceived);
        for (code, body) in [
            (404, r#"{"statusCode":404,"message":"Resource not found"}"#),
            (404, "<html></html>"),
            (404, ""),
            (500, api),
            (200, api),
            (200, r#"{"status":"SUSPENDED"}"#),
            (200, r#"{"status":"FAILED""#),
            (429, r#"{"statusCode":429,"message":"Rate limit is exceeded."}"#),
            (401, r#"{"statusCode":401,"message":"Access denied"}"#),
        ] {
            assert_eq!(
                status(&response(code, body), EXPECTED),
                StatusResponse::Unanswered,
                "{code} {body}"
            );
        }
    }

    #[test]
    fn a_send_fails_only_where_mtn_documents_that_nothing_was_accepted() {
        let sent = |code, body| sent(Reply::Response(response(code, body)), OrderKind::Charge);
        let sent = |code, body| match sent(code, body) {
            // Which other orders would be refused is tested with the reasons.
            SendResponse::Observed(report) => report.observation.into(),
            response => response,
        };
        let failed = |code| SendResponse::from(Observation::Failed(code));
        assert_eq!(sent(202, ""), Observation::Awaits(Step::ApproveOnPhone).into());
        assert_eq!(sent(409, r#"{"code":"RESOURCE_ALREADY_EXIST"}"#), SendResponse::Duplicate);
        assert_eq!(sent(400, r#"{"code":"BAD_REQUEST"}"#), failed(FailureCode::OperatorRefused));
        assert_eq!(
            sent(403, r#"{"code":"FORBIDDEN_IP"}"#),
            failed(FailureCode::NetworkUnavailable)
        );
        let denied =
            r#"{"statusCode":401,"message":"Access denied due to invalid subscription key."}"#;
        assert_eq!(sent(401, denied), failed(FailureCode::NetworkUnavailable));
        for (code, body) in [
            (200, "{}"),
            (302, ""),
            (400, "<html></html>"),
            (401, ""),
            (403, "<html>Microsoft-Azure-Application-Gateway</html>"),
            (404, r#"{"code":"RESOURCE_NOT_FOUND"}"#),
            (408, "{}"),
            (429, r#"{"statusCode":429}"#),
            (500, r#"{"code":"INVALID_CURRENCY"}"#),
            (500, r#"{"code":"NOT_ALLOWED"}"#),
            (503, r#"{"code":"SERVICE_UNAVAILABLE"}"#),
        ] {
            assert_eq!(sent(code, body), Observation::Ambiguous.into(), "{code} {body}");
        }
    }

    fn json() -> impl Strategy<Value = String> {
        let words = prop_oneof![
            Just("\"SUCCESSFUL\""),
            Just("\"FAILED\""),
            Just("\"PENDING\""),
            Just("\"failed\""),
            Just("\"REJECTED\""),
            Just("null"),
            Just("1"),
            Just("{}"),
            Just("\"ONGOING\""),
            Just("\"EXPIRED\""),
        ];
        let members = prop_oneof![
            Just("status"),
            Just("reason"),
            Just("code"),
            Just("error"),
            Just("amount"),
            Just("externalId"),
            Just("statusCode"),
        ];
        let object = prop::collection::vec((members, words), 0..4).prop_map(|members| {
            let members: Vec<_> =
                members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
            format!("{{{}}}", members.join(","))
        });
        prop_oneof![3 => object, 1 => "\\PC{0,40}"]
    }

    proptest! {
        #[test]
        fn nothing_fails_without_an_explicit_failure(code in 100_u16..600, body in json()) {
            let response = response(code, &body);
            if let Some(Observation::Failed(_)) = observed(status(&response, EXPECTED)) {
                prop_assert!(
                    code == 200 && body.contains("\"status\":\"FAILED\""),
                    "{code} {body}"
                );
            }
            if let SendResponse::Observed(report) =
                sent(Reply::Response(response), OrderKind::Payout)
            {
                let has_error = body.contains("\"code\":\"")
                    || body.contains("\"error\":\"")
                    || body.contains("statusCode");
                let is_refusal = matches!(code, 400 | 401 | 403) && has_error;
                prop_assert!(
                    is_refusal || !matches!(report.observation, Observation::Failed(_)),
                    "{code} {body}"
                );
            }
        }
    }
}
