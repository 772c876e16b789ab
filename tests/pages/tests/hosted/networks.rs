//! The hosted page while networks are down, and the operator's transaction id on the receipt.

use std::sync::{Arc, atomic::Ordering};
use tua_contract::lifecycle::Observation;
use tua_domain::{Generation, Mode, ports::Report, transfer::OperatorDetails};
use tua_test_support::{
    Response, TestApp,
    hosted_page::{assert_page, send_form},
    scripted_operator::ScriptedOperator,
};

const DOWN: &str = "Not available now";
const ALL_DOWN: &str = "No network is available right now";

/// The page of a session of live mode, in which this operator serves MTN and nobody the other
/// networks.
async fn live_page(operator: &Arc<ScriptedOperator>) -> (TestApp, String) {
    let app = TestApp::with(|_| {}, operator.behind_live()).await;
    let payer = app.payer(&app.merchant(Mode::Live, Generation::V2).await).await;
    (app, format!("/pay?key={}", payer.credential))
}

async fn post(app: &TestApp, path: &str, fields: &str) -> Response {
    let form = [("content-type", "application/x-www-form-urlencoded")];
    send_form(&app.actor(""), path, fields, &form).await
}

/// The markup of the network's radio button.
fn radio<'a>(page: &'a str, network: &str) -> &'a str {
    let inputs =
        page.split("<input").filter(|input| input.contains(&format!("value=\"{network}\"")));
    inputs.map(|input| input.split('>').next().unwrap()).next().unwrap()
}

#[tokio::test]
async fn a_network_that_is_down_cannot_be_chosen_and_the_others_can() {
    let operator = Arc::new(ScriptedOperator::new());
    let (app, path) = live_page(&operator).await;
    let page = assert_page(app.actor("").get(&path).await, 200).text;
    assert_eq!(page.matches(DOWN).count(), 2, "{page}");
    assert!(!page.contains("Test mode"), "{page}");
    assert!(!radio(&page, "MTN").contains("disabled"));
    assert!(
        radio(&page, "TELECEL").contains("disabled")
            && radio(&page, "AIRTELTIGO").contains("disabled")
    );

    let page =
        assert_page(post(&app, &path, "phoneNumber=0201234567&network=TELECEL").await, 422).text;
    assert!(page.contains("This network is not available right now."), "{page}");
    assert!(page.contains("value=\"0201234567\"") && !page.contains(" checked"), "{page}");
    assert_eq!(operator.count("send"), 0);
    post(&app, &path, "phoneNumber=0201234567&network=MTN").await.is(303);
    assert_eq!(operator.count("send"), 1);
}

#[tokio::test]
async fn with_every_network_down_the_page_offers_to_try_again() {
    let operator = Arc::new(ScriptedOperator::new());
    let (app, path) = live_page(&operator).await;
    operator.is_down.store(true, Ordering::SeqCst);
    let page = assert_page(app.actor("").get(&path).await, 200).text;
    for text in [ALL_DOWN, "No money was taken.", "name=\"check\""] {
        assert!(page.contains(text), "{text:?} is not in {page}");
    }
    assert!(!page.contains("phoneNumber"), "{page}");
    let page = assert_page(post(&app, &path, "phoneNumber=0241234567&network=MTN").await, 422).text;
    assert!(page.contains(ALL_DOWN), "{page}");
    post(&app, &path, "check=").await.is(303);
    operator.is_down.store(false, Ordering::SeqCst);
    let page = assert_page(app.actor("").get(&path).await, 200).text;
    assert!(page.contains("phoneNumber") && !page.contains(ALL_DOWN), "{page}");
    assert_eq!(operator.count("send"), 0);
}

#[tokio::test]
async fn the_receipt_shows_the_operators_transaction_id_if_it_is_known() {
    for (id, is_shown) in [(Some("1234567890"), true), (None, false)] {
        let details =
            OperatorDetails { transaction_id: id.map(str::to_owned), ..OperatorDetails::NONE };
        let paid = Report::new(Observation::Succeeded).with_details(details);
        let operator = ScriptedOperator::new().responds(move |_| Some(paid.clone().into()));
        let (app, path) = live_page(&Arc::new(operator)).await;
        post(&app, &path, "phoneNumber=0241234567&network=MTN").await.is(303);
        let page = assert_page(app.actor("").get(&path).await, 200).text;
        assert!(page.contains("Payment successful"), "{page}");
        assert_eq!(page.contains("Transaction id at MTN"), is_shown, "{page}");
        assert_eq!(page.contains("1234567890"), is_shown);
    }
}
