//! The question of a payment link: payers answer it before they pay, and the shop finds the answer
//! beside the payment.

use super::{create, open, path, press};
use serde_json::{Value, json};
use tua_contract::Phone;
use tua_domain::{
    Mode,
    people::Role,
    privacy::{Person, Retention},
};
use tua_test_support::{
    ApiClient, TestApp,
    dashboard::page,
    hosted_page::{FORM_CONTENT_TYPE, assert_page, send_form},
    idempotency::count,
};

const QUESTION: &str = "Name of the pupil";

async fn school(shop: &ApiClient) -> Value {
    let body = json!({ "title": "School fees", "amount": 10.5, "question": QUESTION });
    create(shop, &body).await
}

#[tokio::test]
async fn a_payer_must_answer_before_a_session_is_opened() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = school(&shop).await;
    assert_eq!(link["question"], QUESTION);
    let shown = assert_page(app.actor("").get(&path(&link)).await, 200).text;
    let label = format!(r#"<label class="tua-label" for="answer">{QUESTION}</label>"#);
    assert!(shown.contains(&label) && shown.contains("Adom Stores asks this"), "{shown}");
    let empty = ["", "answer=", "answer=+%09+", "answer=%E2%80%8B"];
    let long = format!("answer={}", "x".repeat(101));
    let refused = empty.map(|fields| (fields, "Fill this in."));
    for (fields, fault) in refused.into_iter().chain([(&*long, "Use at most 100 characters.")]) {
        let page = assert_page(press(&app, &link, fields).await, 422).text;
        assert!(page.contains(fault) && page.contains(r#"aria-invalid="true" autofocus"#));
    }
    let address = format!("{}?lang=fr", path(&link));
    let french = send_form(&app.actor(""), &address, "", &[FORM_CONTENT_TYPE]).await;
    let french = assert_page(french, 422).text;
    assert!(french.contains("Remplissez ce champ."), "{french}");
    assert_eq!(count(&app, "checkouts"), 0);
    open(&app, &link, &format!("answer={}", "%C3%A9".repeat(100))).await;
    assert_eq!(count(&app, "checkouts"), 1);
}

#[tokio::test]
async fn a_question_is_one_line_of_at_most_60_characters() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let long = "x".repeat(61);
    for (question, code) in [
        (&*long, "too_long"),
        ("", "invalid_text"),
        ("  ", "invalid_text"),
        ("\u{200b}\u{202e} ", "invalid_text"),
        ("a\nb", "invalid_text"),
    ] {
        let body = json!({ "title": "School fees", "amount": 10.5, "question": question });
        let problem = shop.post("/v1/links", &body).await.is(422).json();
        assert_eq!(problem["errors"][0]["code"], code, "{question:?}");
    }
    let question = format!(" {QUESTION}\u{202e} ");
    let body = json!({ "title": "School fees", "amount": 10.5, "question": question });
    assert_eq!(create(&shop, &body).await["question"], QUESTION, "what payers see");
    // An answer to no question is left out.
    let link = create(&shop, &json!({ "title": "Dinner", "amount": 10.5 })).await;
    assert!(link.get("question").is_none(), "{link}");
    let payer = open(&app, &link, "answer=Kofi").await;
    let charge = payer.charge("0241234567", "MTN").await.is(202).id();
    assert!(shop.status(&charge).await.get("answer").is_none());
}

#[tokio::test]
async fn the_shop_finds_the_answer_beside_the_payment() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let account = app.running().store.accounts().await.unwrap().remove(0).id;
    let link = school(&shop).await;
    let payer = open(&app, &link, "answer=+%3DKofi+Mensah%00+").await;
    let session = payer.get("/v1/checkout").await.is(200).json();
    assert!(session.get("answer").is_none(), "payers may share a session's token: {session}");
    let id = session["checkoutId"].as_str().unwrap();
    let seen = shop.get(&format!("/v1/checkout/{id}")).await.is(200).json();
    assert_eq!(seen["answer"], "=Kofi Mensah");
    let charge = payer.charge("0241234567", "MTN").await.is(202).id();
    assert_eq!(shop.status(&charge).await["answer"], "=Kofi Mensah");

    let owner = app.browser_of(&account, Role::Owner).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let payment = owner.get(&at(&format!("/payments/{charge}"))).await.is(200).text;
    let row = format!("<dt>{QUESTION}</dt><dd>=Kofi Mensah</dd>");
    assert!(payment.contains(&row), "{payment}");
    let of_link = at(&format!("/links/{}", link["linkId"].as_str().unwrap()));
    let of_link = owner.get(&of_link).await.is(200).text;
    assert!(of_link.contains(">=Kofi Mensah</a>"), "{of_link}");
    let list = owner.get(&at("/payments?q=kofi")).await.is(200).text;
    let reference = link["reference"].as_str().unwrap();
    let both = format!("=Kofi Mensah<span class=\"wide-only\"> · {reference}</span>");
    assert!(list.contains(&both), "{list}");
    let form = owner.get(&at("/links")).await.is(200).text;
    for text in ["aria-describedby=\"question-help\"", "id=\"question-help\""] {
        assert!(form.contains(text), "{text}: {form}");
    }
    let csv = owner.get(&at(&format!("/payments/export/csv?q={reference}"))).await.is(200).text;
    let mut lines = csv.lines();
    assert!(lines.next().unwrap().ends_with(",answer"), "{csv}");
    assert!(lines.next().unwrap().ends_with(",'=Kofi Mensah"), "{csv}");
}

#[tokio::test]
async fn other_payments_with_the_reference_of_a_link_hide_no_answer() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let account = app.running().store.accounts().await.unwrap().remove(0).id;
    let link = school(&shop).await;
    let payer = open(&app, &link, "answer=Kofi+Mensah").await;
    payer.charge("0241234567", "MTN").await.is(202);
    for n in 0..21 {
        let body = json!({
            "amount": 1,
            "phoneNumber": format!("02412345{n:02}"),
            "network": "MTN",
            "reference": link["reference"],
        });
        shop.post("/v1/charge", &body).await.is(202);
    }
    let owner = app.browser_of(&account, Role::Owner).await;
    let shown = format!("/links/{}", link["linkId"].as_str().unwrap());
    let shown = owner.get(&page(&account, Mode::Test, &shown)).await.is(200).text;
    assert!(shown.contains("Kofi Mensah"), "{shown}");
}

#[tokio::test]
async fn an_answer_is_erased_with_its_payer_and_found_by_a_number_in_it() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = school(&shop).await;
    for answer in ["answer=Kofi+Mensah", "answer=Call+0201234567"] {
        let payer = open(&app, &link, answer).await;
        let charge = payer.charge("0241234567", "MTN").await.is(202).id();
        app.advance(3);
        shop.until(&charge, |status| status["status"] == "SUCCESSFUL").await;
    }
    let store = &app.running().store;
    let other = Person::Phone(Phone::parse("0201234567").unwrap());
    let found = store.persons_data(&other).await.unwrap();
    assert_eq!((found.transactions.len(), found.checkouts.len()), (1, 1));
    app.advance(31 * 60);
    let held = |table: &str, text: &str| {
        app.query_number(&format!("SELECT count(*) FROM {table} LIKE '%{text}%'"))
    };
    let places =
        ["checkouts WHERE answer", "transactions WHERE answer", "transaction_events WHERE event"];
    for (person, gone, kept) in [
        (other, "0201234567", Some("Kofi Mensah")),
        (Person::Phone(Phone::parse("0241234567").unwrap()), "Kofi Mensah", None),
    ] {
        store.erase_person(&person, Retention::Days(0), &app.audit()).await.unwrap();
        for place in places {
            assert_eq!(held(place, gone), 0, "{place}");
            assert!(kept.is_none_or(|text| held(place, text) > 0), "{place}");
        }
    }
}
