//! `tua webhook`.

use tua_test_support::{
    binary::{account, json, refused, tua},
    test_database,
};

#[test]
fn failed_deliveries_of_a_period_are_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, ..) = account(path);
    let url = "http://127.0.0.1:9/hooks";
    let endpoint =
        json(path, &["webhook", "add", "--account", &id, "--mode", "test", "--url", url]);
    let endpoint = endpoint["endpointId"].as_str().unwrap();
    // 2 June, 3 June and 4 June 2026.
    for (number, at) in
        [1_780_444_799_999_i64, 1_780_444_800_000, 1_780_531_200_000].into_iter().enumerate()
    {
        json(path, &["webhook", "ping", endpoint]);
        let fail = format!(
            "UPDATE webhook_deliveries SET status = 'FAILED', due_at = NULL, occurred_at = {at} \
             WHERE status = 'PENDING'"
        );
        assert_eq!(test_database::execute(path, &fail), 1, "{number}");
    }
    let resend = |period: &[&str]| {
        json(path, &[&["webhook", "resend", endpoint], period].concat())["resent"].clone()
    };
    assert_eq!(resend(&["--from", "2026-06-05"]), 0);
    assert_eq!(resend(&["--from", "2026-06-03", "--to", "2026-06-03"]), 1);
    assert_eq!(
        resend(&["--from", "2026-06-03", "--to", "2026-06-03"]),
        0,
        "what waits is not sent twice"
    );
    assert_eq!(resend(&[]), 2);
    let hold = "UPDATE webhook_deliveries SET due_at = NULL";
    assert_eq!(test_database::execute(path, hold), 3);
    let held = json(path, &["webhook", "deliveries", "--endpoint", endpoint, "--status", "HELD"]);
    assert_eq!(held.as_array().unwrap().len(), 3);
    assert_eq!(held[0]["status"], "HELD");
    assert_eq!(resend(&[]), 3, "what was recorded while it was disabled");
    let listed = json(path, &["webhook", "deliveries", "--status", "PENDING"]);
    assert_eq!(listed.as_array().unwrap().len(), 3);
    let unknown = refused(tua(path).args(["webhook", "resend", "whe_none"]));
    assert!(unknown.contains("whe_none"), "{unknown}");
}

#[test]
fn a_disabled_endpoint_is_not_pinged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, ..) = account(path);
    let url = "http://127.0.0.1:9/hooks";
    let endpoint =
        json(path, &["webhook", "add", "--account", &id, "--mode", "test", "--url", url]);
    let endpoint = endpoint["endpointId"].as_str().unwrap();
    let disable = "UPDATE webhook_endpoints SET disabled_at = 1780444800000";
    assert_eq!(test_database::execute(path, disable), 1);
    let refused = tua(path).args(["webhook", "ping", endpoint]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let fault = String::from_utf8(refused.stderr).unwrap();
    assert!(fault.contains("disabled") && fault.contains("tua webhook enable"), "{fault}");
    assert_eq!(json(path, &["webhook", "deliveries"]), serde_json::json!([]));
}
