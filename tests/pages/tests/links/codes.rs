//! Codes of links as people type them, unknown codes, and guesses.

use super::{create, path};
use serde_json::json;
use tua_net::limits::{Limits, Rates};
use tua_test_support::{
    TestApp,
    hosted_page::{FORM_CONTENT_TYPE, assert_page, send_form},
};

#[tokio::test]
async fn codes_are_read_however_they_are_typed() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let link = create(&shop, &json!({ "title": "Dinner", "amount": 1 })).await;
    let code = link["code"].as_str().unwrap();
    let (first, second) = code.split_at(4);
    for spelled in [
        code.to_lowercase(),
        format!("{first}-{second}"),
        format!("%20{first}%20{}", second.to_lowercase()),
    ] {
        assert_page(app.actor("").get(&format!("/l/{spelled}")).await, 200);
        let typed = app.actor("").get(&format!("/l?code={spelled}&lang=fr")).await.is(303);
        assert_eq!(typed.header("location"), format!("/l/{code}?lang=fr"));
        let opened =
            send_form(&app.actor(""), &format!("/l/{spelled}?lang=fr"), "", &[FORM_CONTENT_TYPE])
                .await
                .is(303);
        assert!(opened.header("location").ends_with("&lang=fr"));
    }
    assert_page(app.actor("").get("/l").await, 200);
    let refused = assert_page(app.actor("").get("/l?code=%22%3E%3Cb%3E0").await, 422).text;
    assert!(refused.contains("never has 0, O, 1, I or L") && !refused.contains("<b>"), "{refused}");
    assert!(
        assert_page(app.actor("").get("/l?code=+").await, 422).text.contains("Enter the code.")
    );
}

#[tokio::test]
async fn an_address_with_punctuation_behind_it_is_that_address_and_no_guess() {
    let limits = Limits::On(Rates::default());
    let app = TestApp::with(|config| config.limits = limits, |operators| operators).await;
    let link = create(&app.shop().await, &json!({ "title": "Dinner", "amount": 1 })).await;
    let code = link["code"].as_str().unwrap();
    let endings = [
        ".",
        ")",
        "*",
        ",",
        "!",
        "?",
        ";",
        ":",
        "/",
        "%22",
        "'",
        "%3E",
        "%5D",
        "_",
        "%E2%80%9D",
        "%E2%80%99",
        ".%22",
        "),",
        "%E2%80%8B",
        "%C2%A0",
        "...",
    ];
    for ending in endings {
        let page = assert_page(app.actor("").get(&format!("/l/{code}{ending}")).await, 200).text;
        assert!(page.contains("Dinner"), "{ending}: {page}");
        if ending != "/" {
            let picture = app.actor("").get(&format!("/l/{code}.svg{ending}")).await.is(200);
            assert_eq!(picture.header("content-type"), "image/svg+xml", "{ending}");
        }
    }
    for more in ["&utm=x", "&amp;x=%2F", "'s", ",thanks", ".Thanks"] {
        assert_page(app.actor("").get(&format!("/l/{code}{more}")).await, 200);
    }
    for more in ["//", "/thanks", "/%22"] {
        let led = app.actor("").get(&format!("/l/{code}{more}")).await.is(303);
        assert_eq!(led.header("location"), format!("/l/{code}"), "{more}");
    }
    for pasted in [format!("{}/l/{code}", app.origin), format!("pay.example/l/{code}?lang=fr")] {
        let encoded = pasted.replace('?', "%3F");
        let led = app.actor("").get(&format!("/l?code={encoded}")).await.is(303);
        assert_eq!(led.header("location"), format!("/l/{code}"), "{pasted}");
    }
    let opened =
        send_form(&app.actor(""), &format!("/l/{code}/"), "", &[FORM_CONTENT_TYPE]).await.is(303);
    let paying = opened.header("location").to_owned();
    for ending in [".", ")", "*", ",", "!", "%22", "%E2%80%9D", "%3E", ").", "%E2%80%8B"] {
        assert_page(app.actor("").get(&format!("{paying}{ending}")).await, 200);
    }
}

#[tokio::test]
async fn an_unknown_code_is_404_with_a_field_for_another() {
    let app = TestApp::start().await;
    for code in ["ABCD2345", "x", "%ff", "%00", "ABCD2345.txt", "%22%3E%3Cb%3E"] {
        let page = assert_page(app.actor("").get(&format!("/l/{code}")).await, 404).text;
        assert!(
            page.contains("no payment link with this code") && page.contains(r#"name="code""#),
            "{page}"
        );
        assert!(!page.contains("<b>"), "{page}");
        assert_page(
            send_form(&app.actor(""), &format!("/l/{code}"), "", &[FORM_CONTENT_TYPE]).await,
            404,
        );
    }
    app.actor("").get("/l/ABCD2345.svg").await.is_problem(404, "not_found");
}

#[tokio::test]
async fn guessing_codes_is_limited_by_address_and_known_codes_still_work() {
    let limits = Limits::On(Rates::default());
    let app = TestApp::with(|config| config.limits = limits, |operators| operators).await;
    let shop = app.shop().await;
    let [known, unseen] = [(); 2].map(|()| json!({ "title": "Dinner", "amount": 1 }));
    let known = create(&shop, &known).await;
    let unseen = create(&shop, &unseen).await;
    assert_page(app.actor("").get(&path(&known)).await, 200);
    let mut refused = None;
    for _ in 0..200 {
        let answer = app.actor("").get("/l/ABCD2345").await;
        if answer.status == 429 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.unwrap();
    assert!(!refused.header("retry-after").is_empty());
    assert_page(refused, 429);
    assert_page(app.actor("").get(&path(&known)).await, 200);
    assert_page(app.actor("").get(&path(&unseen)).await, 429);
}
