//! The pages of an account with payments in it.

use reqwest::Method;
use serde_json::json;
use tua_contract::Amount;
use tua_domain::{Generation, Mode, TransactionId, people::Role};
use tua_test_support::{
    Response,
    dashboard::{Shop, page},
    test_database,
};

/// A text that must never reach a page as markup.
const MARKUP: &str = "<script>alert(1)</script>";

/// Requests for the shop's pages in test mode.
trait ShopPages {
    /// The address of a page.
    fn path(&self, path: &str) -> String;
    /// Gets a page as the owner. Asserts that [`MARKUP`] is not in it.
    async fn get(&self, path: &str) -> Response;
    /// Sends a form as the owner.
    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response;
    /// As [`Self::post`], and confirms what is asked.
    async fn confirm(&self, path: &str, fields: &[(&str, &str)]) -> Response;
    /// Creates a charge of GHS 10.50; returns its id.
    async fn charge(&self, phone: &str, reference: &str) -> String;
}

impl ShopPages for Shop {
    fn path(&self, path: &str) -> String {
        page(&self.account, Mode::Test, path)
    }

    async fn get(&self, path: &str) -> Response {
        let response = self.owner.get(&self.path(path)).await;
        assert!(!response.text.contains(MARKUP), "{path}: {}", response.text);
        response
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        self.owner.post(&self.path(path), fields).await
    }

    async fn confirm(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        self.owner.post_confirmed(&self.path(path), fields).await
    }

    async fn charge(&self, phone: &str, reference: &str) -> String {
        let body = json!({
            "amount": 10.5,
            "phoneNumber": phone,
            "network": "MTN",
            "reference": reference,
            "payerMessage": MARKUP,
        });
        self.key.post("/v1/charge", &body).await.is(202).id()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_drawn_without_data_and_with_it() {
    let shop = Shop::start().await;
    let pages =
        ["/home", "/payments", "/review", "/payouts", "/checkouts", "/webhooks", "/operators"];
    for path in pages {
        let empty = shop.get(path).await.is(200);
        assert!(empty.text.contains("aria-current=\"page\""), "{path}");
    }
    let id = shop.charge("0241230006", MARKUP).await;
    let session = json!({
        "amount": 1,
        "email": "a@example.com",
        "reference": MARKUP,
        "metadata": { "note": MARKUP },
    });
    let opened = shop.key.post("/v1/checkout", &session).await.is(201).json();
    let payer = shop.app.actor(opened["checkoutToken"].as_str().unwrap());
    let waiting = payer.charge("0241230007", "MTN").await.is(202).id();
    let more =
        [format!("/payments/{id}"), format!("/payments/{waiting}"), "/home?range=month".to_owned()];
    for path in
        pages.into_iter().chain(more.iter().map(String::as_str)).chain(["/payments?q=%3Cscript%3E"])
    {
        let english = shop.get(path).await.is(200);
        assert!(english.text.contains("<html lang=\"en\">"), "{path}");
        let request =
            shop.owner.request(Method::GET, &shop.path(path)).header("accept-language", "fr");
        let french = Response::read(request.send().await.unwrap()).await.is(200);
        assert!(
            french.text.contains("<html lang=\"fr\">") && !french.text.contains(MARKUP),
            "{path}"
        );
        assert_ne!(english.text, french.text);
    }
    let shown = shop.get(&format!("/payments/{id}")).await;
    for text in ["&lt;script&gt;", "The payer has no wallet", "What happened", "024 123 0006"] {
        assert!(shown.text.contains(text), "{text}: {}", shown.text);
    }
    assert!(
        shown.text.contains("No money moved. Ask the payer for the number and the network again.")
    );
    let explained = format!("{}/docs/failures/payer_not_found", shop.app.origin);
    assert!(shown.text.contains(&explained), "{}", shown.text);
    shop.owner.get("/docs/failures/payer_not_found").await.is(200);
    shop.get("/payments/txn_0").await.is(404);
    let other = shop.app.account("Other").await;
    let other_key = shop.app.key(&other, Mode::Test, Generation::V2).await;
    let body = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" });
    let foreign = other_key.post("/v1/charge", &body).await.is(202).id();
    shop.get(&format!("/payments/{foreign}")).await.is(404);
    shop.owner.get(&page(&shop.account, Mode::Live, &format!("/payments/{id}"))).await.is(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_shows_its_filter_and_downloads_exactly_its_rows() {
    let shop = Shop::start().await;
    let failed = shop.charge("0241230006", "=2+3").await;
    for n in 0..26 {
        shop.charge("0241234567", &format!("order-{n}")).await;
    }
    let all = shop.get("/payments").await.is(200);
    assert!(
        all.text.contains("<strong>27 payments</strong>") && all.text.contains("rel=\"next\""),
        "{}",
        all.text
    );
    let next = all.text.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let next = shop.owner.get(&next.replace("&amp;", "&")).await.is(200);
    assert_eq!(next.text.matches("class=\"whole\"").count(), 2, "{}", next.text);
    assert!(next.text.contains("rel=\"prev\"") && next.text.contains(&failed), "{}", next.text);

    let filtered = shop.get("/payments?q=024+123+0006&status=FAILED&colour=red").await.is(200);
    assert!(
        filtered.text.contains("<strong>1 payment</strong>") && filtered.text.contains(&failed),
        "{}",
        filtered.text
    );
    assert!(filtered.text.contains("not applied: colour"), "{}", filtered.text);
    assert!(
        filtered.text.contains("payments?status&#x3d;FAILED\"")
            || filtered.text.contains("payments?status=FAILED\"")
    );
    let none = shop.get("/payments?q=nothing").await.is(200);
    assert!(none.text.contains("Remove a filter to see more"), "{}", none.text);

    let csv = shop.owner.get(&shop.path("/payments/export/csv?status=FAILED")).await.is(200);
    assert!(
        csv.header("content-type").starts_with("text/csv")
            && csv.header("content-disposition").contains(".csv")
    );
    assert_eq!(csv.text.lines().count(), 2, "{}", csv.text);
    assert!(csv.text.contains(&failed) && csv.text.contains(",'=2+3,"), "{}", csv.text);
    let all = shop.owner.get(&shop.path("/payments/export/csv?")).await.is(200);
    assert_eq!(all.text.lines().count(), 28);
    shop.owner.get(&shop.path("/payments/export/xlsx?status=FAILED")).await.is(200);
    shop.owner.get(&shop.path("/payments/export/csv?colour=red")).await.is(404);
    let support = shop.app.browser_of(&shop.account, Role::Support).await;
    support.get(&shop.path("/payments/export/csv?")).await.is(403);
    let sums =
        shop.owner.get(&shop.path("/home/export/csv?from=2020-01-01&to=2099-12-31")).await.is(200);
    assert!(
        sums.text.starts_with("day,accountId,")
            && sums.header("content-disposition").contains("adom-stores-summary-test-")
    );
    shop.owner.get(&shop.path("/home/export/xlsx?from=2020-01-01&to=2099-12-31")).await.is(200);
    shop.owner.get(&shop.path("/home/export/csv?from=2020-01-01&to=yesterday")).await.is(404);
    support.get(&shop.path("/home/export/csv?from=2020-01-01&to=2099-12-31")).await.is(403);
    let exports = "SELECT count(*) FROM audit_log WHERE action = 'transactions.exported' AND \
        source = 'dashboard'";
    assert_eq!(shop.app.query_number(exports), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_checked_resent_and_settled() {
    let shop = Shop::start().await;
    shop.post("/webhooks", &[("url", "ftp://x")]).await.is(422);
    let added = shop.post("/webhooks", &[("url", "http://127.0.0.1:9/hook")]).await.is(200);
    assert!(added.text.contains("whsec_"), "{}", added.text);
    let list = shop.get("/webhooks").await;
    assert!(!list.text.contains("whsec_"), "the secret is shown once");
    let id = shop.charge("0241230007", "order-1").await;
    shop.post(&format!("/payments/{id}/check"), &[]).await.is(303);
    shop.post(&format!("/payments/{id}/resend"), &[]).await.is(303);
    let shown = shop.get(&format!("/payments/{id}?done=resent")).await.is(200);
    assert!(
        shown.text.contains("<code>charge.") && shown.text.contains("sent again"),
        "{}",
        shown.text
    );

    let decision = [("outcome", "successful"), ("note", "seen in the portal")];
    let refused = shop.confirm(&format!("/payments/{id}/settle"), &decision).await.is(422);
    assert!(refused.text.contains("does not wait for a decision any more"), "{}", refused.text);
    let flag = format!(
        "UPDATE transactions SET review_at = created_at WHERE id = '{id}' AND status = 'PENDING'"
    );
    assert_eq!(test_database::execute(shop.app.folder.path(), &flag), 1);
    assert!(shop.get("/review").await.text.contains(&id));
    let faulty = shop
        .post(&format!("/payments/{id}/settle"), &[("outcome", "failed"), ("note", "")])
        .await
        .is(422);
    assert!(faulty.text.contains("1 to 500 characters"), "{}", faulty.text);
    let question = shop.post(&format!("/payments/{id}/settle"), &decision).await.is(200).text;
    let asked = "Record GH₵10.50 of 024 123 0007 as successful?";
    assert!(question.contains(asked), "{question}");
    assert!(shop.get("/review").await.text.contains(&id), "it was only asked about");
    shop.confirm(&format!("/payments/{id}/settle"), &decision).await.is(303);
    let settled =
        shop.app.running().store.transaction(&TransactionId::new(&*id)).await.unwrap().unwrap();
    assert_eq!(settled.state.status().as_str(), "SUCCESSFUL");
    assert!(!shop.get("/review").await.text.contains(&id));
    let home = shop.get("/home").await;
    assert!(home.text.contains("GH₵10.50"), "{}", home.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_success_for_another_sum_is_settled_with_the_sum_that_moved_whatever_the_outcome() {
    let shop = Shop::start().await;
    let id = shop.charge("0241230007", "order-1").await;
    let reported = format!(
        "UPDATE transactions SET review_at = created_at, mismatched = 1, mismatch_received = 950
         WHERE id = '{id}' AND status = 'PENDING'"
    );
    assert_eq!(test_database::execute(shop.app.folder.path(), &reported), 1);
    let settle = async |outcome: &str, received: &str| {
        let fields = [("outcome", outcome), ("note", "seen"), ("received", received)];
        shop.confirm(&format!("/payments/{id}/settle"), &fields).await
    };
    for outcome in ["successful", "failed"] {
        let refused = settle(outcome, "").await.is(422);
        assert!(refused.text.contains("Enter the sum that moved."), "{}", refused.text);
        let field = r#"inputmode="decimal" required value="9.5""#;
        assert!(refused.text.contains(field), "{}", refused.text);
    }
    settle("failed", "9.50").await.is(303);
    let settled =
        shop.app.running().store.transaction(&TransactionId::new(&*id)).await.unwrap().unwrap();
    assert_eq!(settled.settled_amount, Some(Amount::from_pesewas(950).unwrap()));
}
