//! A refund is known by its `merchant_note` alone.

use super::*;

fn refund(note: &str, status: &str) -> Value {
    json!({
        "id": 7,
        "status": status,
        "amount": 1050,
        "currency": "GHS",
        "merchant_note": note,
    })
}

#[test]
fn another_refund_in_the_answer_decides_nothing_about_ours() {
    let answer = |note: &str, status: &str| {
        refund_response(&fulfilled_with(&refund(note, status)), REFERENCE)
    };
    assert_eq!(observed(answer(REFERENCE, "processed")), Observation::Succeeded);
    let failed = Observation::Failed(FailureCode::Unspecified);
    assert_eq!(observed(answer(REFERENCE, "failed")), failed);
    for status in ["failed", "pending", "processing", "needs-attention"] {
        assert_eq!(answer("another", status), Observation::Ambiguous.into(), "{status}");
    }
    // A success is reported, and the domain compares it.
    assert_eq!(observed(answer("another", "processed")), Observation::Mismatched);
}

#[test]
fn a_refund_of_another_sum_is_a_mismatch() {
    for (member, value) in [
        ("amount", json!(1049)),
        ("amount", json!(1051)),
        ("amount", json!(null)),
        ("currency", json!("NGN")),
        ("currency", json!(null)),
    ] {
        let mut other = refund(REFERENCE, "processed");
        other[member] = value;
        let listed = json!([refund("another", "failed"), other]);
        let StatusResponse::Known(report) = refund_status(&fulfilled_with(&listed), REFERENCE)
        else {
            panic!("{listed}")
        };
        assert_eq!(compared(report).observation, Observation::Mismatched, "{listed}");
    }
}
