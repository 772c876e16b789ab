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
    let unknown = refused(tua(path).args(["webhook", "resend", "whe_none"]));
    assert!(unknown.contains("whe_none"), "{unknown}");
}
