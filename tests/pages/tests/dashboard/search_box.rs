//! The search boxes: copied texts with invisible marks, control characters, and markup.

use serde_json::json;
use tua_domain::Mode;
use tua_test_support::{
    dashboard::{Shop, page},
    test_database,
};
use url::form_urlencoded::byte_serialize;

/// The page of a list with this text in its search box.
async fn search(shop: &Shop, list: &str, text: &str) -> String {
    let text: String = byte_serialize(text.as_bytes()).collect();
    shop.owner.get(&page(&shop.account, Mode::Test, &format!("{list}?q={text}"))).await.is(200).text
}

#[tokio::test]
async fn a_copied_text_finds_the_payment_also_with_marks_of_the_direction_of_text() {
    let shop = Shop::start().await;
    let body = json!({
        "amount": 12.34,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "reference": "order-7",
    });
    let id = shop.key.post("/v1/charge", &body).await.is(202).id();
    for text in [
        "\u{202b}0241234567\u{202c}".to_owned(),
        "\u{200f}+233\u{a0}24 123 4567".to_owned(),
        "\u{2067}order-7\u{2069}".to_owned(),
        "\u{200e}GHS 12.34\u{200e}".to_owned(),
        "\u{feff}or\u{ad}der\u{2060}-7\u{200b}".to_owned(),
        format!("\u{2066}{id}\u{2069}"),
    ] {
        let found = search(&shop, "/payments", &text).await;
        assert!(found.contains(&format!("/payments/{id}")), "{text:?}: {found}");
        let is_marked = |c| {
            matches!(
                c,
                '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            )
        };
        assert!(!found.contains(is_marked), "{text:?} turns the text of the page: {found}");
    }
    // A merchant's reference may have them.
    let marked = json!({
        "amount": 1,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "reference": "\u{200f}order-8",
    });
    let marked = shop.key.post("/v1/charge", &marked).await.is(202).id();
    assert!(
        search(&shop, "/payments", "\u{200f}order-8")
            .await
            .contains(&format!("/payments/{marked}"))
    );
}

#[tokio::test]
async fn control_characters_and_markup_find_nothing_and_break_no_page() {
    let shop = Shop::start().await;
    let body = json!({ "amount": 12.34, "phoneNumber": "0241234567", "network": "MTN" });
    let id = shop.key.post("/v1/charge", &body).await.is(202).id();
    shop.app.payer(&shop.key).await;
    for list in ["/payments", "/checkouts"] {
        for text in
            ["\0", "a\0b", "0241\u{7}234567", "\u{1b}[2J", "a\r\nSet-Cookie: b=c", "\u{85}x\u{9f}"]
        {
            let shown = search(&shop, list, text).await;
            assert!(
                !shown.contains(&id) && !shown.contains("/close\""),
                "{list} {text:?}: {shown}"
            );
        }
        let shown = search(&shop, list, "\"><script>alert(1)</script>").await;
        assert!(
            shown.contains("&lt;script&gt;alert") && !shown.contains("<script>alert"),
            "{list}: {shown}"
        );
    }
    let find = page(&shop.account, Mode::Test, "/payments/find");
    for text in ["\0", "\u{202e}12345", "<script>alert(1)</script>"] {
        let shown = shop.owner.post(&find, &[("q", text)]).await.is(200).text;
        assert!(!shown.contains("<script>alert"), "{text:?}: {shown}");
    }
}

/// In an account with millions of payments, a page that reads all amounts would take seconds.
#[tokio::test(flavor = "multi_thread")]
async fn an_amount_is_looked_for_among_the_newest_payments_and_the_page_says_so() {
    let shop = Shop::start().await;
    let charge = async |amount: f64| {
        let body = json!({ "amount": amount, "phoneNumber": "0241234567", "network": "MTN" });
        shop.key.post("/v1/charge", &body).await.is(202).id()
    };
    let oldest = charge(12.34).await;
    let old = charge(12.34).await;
    let note = "newest 100,000 payments of the period";
    let shown = search(&shop, "/payments", "12.34").await;
    assert!(shown.contains(&oldest) && shown.contains(&old) && !shown.contains(note), "{shown}");
    let folder = shop.app.folder.path();
    let inserted = test_database::execute(folder, &later_payments(&old, 99_999));
    assert_eq!(inserted, 99_999);
    let days =
        "INSERT INTO transaction_days (account_id, mode, day, kind, network, status, shard, \
         payments, pesewas)
                SELECT account_id, mode, created_at / 86400000, kind, network, 'FAILED', 0, 99999, 0
                FROM transactions WHERE id = 'txn_later_1'";
    assert_eq!(test_database::execute(folder, days), 1);
    let shown = search(&shop, "/payments", "12.34").await;
    let row = |id: &str| {
        format!("href=\"{}\"", page(&shop.account, Mode::Test, &format!("/payments/{id}")))
    };
    let is_listed = |id| shown.contains(&format!("class=\"whole\" {}", row(id)));
    assert!(!is_listed(&oldest) && is_listed(&old) && shown.contains(note), "{shown}");
    // The payment before the newest 100,000 is in a downloaded file.
    let address = page(&shop.account, Mode::Test, "/payments/export/csv?q=12.34");
    let file = shop.owner.get(&address).await.is(200).text;
    assert!(file.contains(&oldest) && file.contains(&old) && file.lines().count() == 3, "{file}");
    // Another search has no such limit.
    let shown = search(&shop, "/payments", &oldest).await;
    assert!(shown.contains(&oldest) && !shown.contains(note), "{shown}");
}

/// Inserts this many failed payments of another amount, each a millisecond later than the one
/// before.
fn later_payments(first: &str, count: u32) -> String {
    format!(
        "INSERT INTO transactions (id, account_id, mode, kind, amount, network, phone, reference, \
         status, next_action, failure,
                                   code_attempts, version, created_at, updated_at)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \
         {count})
         SELECT 'txn_later_' || n, account_id, mode, kind, 100, network, phone, 'later', 'FAILED', \
         next_action, 'DECLINED',
                0, version, created_at + n, updated_at
         FROM transactions, numbers WHERE id = '{first}'"
    )
}
