//! Responses with any body: only an explicit final status or code is a failure.

use super::*;
use proptest::prelude::*;

const FINAL_CODES: [&str; 18] = [
    "2001", "2050", "2051", "2100", "2101", "2102", "2103", "2152", "2153", "2154", "2200", "2201",
    "3000", "3050", "4000", "4070", "4075", "4103",
];

fn is_failure(response: &SendResponse) -> bool {
    matches!(
        response,
        SendResponse::Observed(report) if matches!(report.observation, Observation::Failed(_)),
    )
}

fn reports_failure(response: &StatusResponse) -> bool {
    matches!(
        response,
        StatusResponse::Known(report) if matches!(report.observation, Observation::Failed(_))
    )
}

proptest! {
    #[test]
    fn nothing_fails_without_an_explicit_failure(
        http in 200_u16..600,
        code in prop::sample::select(
            [
                &FINAL_CODES[..],
                &["0000", "0001", "0005", "4101", "4509", "5000", "success", "x"],
            ]
            .concat()
        ),
        status in prop::sample::select(vec![
            "Paid", "Unpaid", "Refunded", "Failed", "failed", "pending", "success", "x",
        ]),
        has_our_reference in any::<bool>(),
        is_camel in any::<bool>(),
    ) {
        let reference = if has_our_reference { SENT } else { "another" };
        let body = json!({
            "ResponseCode": code,
            "Message": status,
            "Data": {
                "status": status,
                "transactionStatus": status,
                "clientReference": reference,
                "amount": 0.8,
                "TransactionId": "1",
                "OrderId": "1",
            },
        });
        let text = if is_camel {
            body.to_string().replace("ResponseCode", "responseCode")
        } else {
            body.to_string()
        };
        let reply = raw(http, &text);
        let is_final =
            http < 500 && (FINAL_CODES.contains(&code) || matches!(code, "4101" | "4509"));
        for kind in [Kind::Charge, Kind::Payout] {
            let fails = is_failure(&send_response(&reply, REFERENCE, kind));
            prop_assert!(!fails || (is_final && has_our_reference), "{http} {text}");
        }
        prop_assert!(!is_failure(&refund_response(&reply)) || is_final, "{http} {text}");
        prop_assert!(!reports_failure(&charge_status(&reply, REFERENCE)), "no status of a \
            charge is a failure");
        prop_assert!(!reports_failure(&refund_status(&reply, REFERENCE)));
        let payout_fails = reports_failure(&payout_status(&reply, REFERENCE));
        prop_assert!(
            !payout_fails
                || (http < 300 && has_our_reference && status.eq_ignore_ascii_case("failed")),
            "{http} {text}"
        );
    }

    #[test]
    fn a_response_that_is_not_hubtels_decides_nothing(http in 200_u16..600, body in "\\PC{0,60}") {
        prop_assume!(http != 403);
        let reply = raw(http, &body);
        prop_assert_eq!(
            observed(send_response(&reply, REFERENCE, Kind::Charge)),
            Observation::Ambiguous
        );
        prop_assert_eq!(observed(refund_response(&reply)), Observation::Ambiguous);
        prop_assert_eq!(charge_status(&reply, REFERENCE), StatusResponse::Unanswered);
        prop_assert_eq!(payout_status(&reply, REFERENCE), StatusResponse::Unanswered);
    }
}
