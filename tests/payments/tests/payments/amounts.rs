//! Amounts on the wire: JSON text in, digits out, no float in between (docs/reference/values.md).

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashMap;
use tua_test_support::{ApiClient, TestApp};

/// The text of a response's amount.
fn digits(text: &str) -> String {
    #[derive(Deserialize)]
    struct Priced<'a> {
        #[serde(borrow)]
        amount: &'a RawValue,
    }
    serde_json::from_str::<Priced<'_>>(text).unwrap().amount.get().to_owned()
}

async fn charge(shop: &ApiClient, amount: &str) -> tua_test_support::Response {
    let body = format!(r#"{{"amount":{amount},"phoneNumber":"0241230007","network":"MTN"}}"#);
    shop.post_text("/v1/charge", &body).await
}

#[tokio::test]
async fn an_amount_is_returned_in_its_shortest_form() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for (sent, shown) in [
        ("10.5", "10.5"),
        ("10.50", "10.5"),
        ("10.500", "10.5"),
        ("10.00", "10"),
        ("0.01", "0.01"),
        ("0.1", "0.1"),
        ("0.29", "0.29"),
        ("0.57", "0.57"),
        ("1.10", "1.1"),
        ("19.99", "19.99"),
        ("1e2", "100"),
        ("1E+2", "100"),
        ("1e-2", "0.01"),
        ("1.5e1", "15"),
        ("123456789e-2", "1234567.89"),
        ("1234567.89", "1234567.89"),
        ("999999999.99", "999999999.99"),
        ("1000000000", "1000000000"),
        ("1000000000.00", "1000000000"),
        ("1e9", "1000000000"),
        ("90071992.54740993", "invalid_amount"),
        ("0.1000000000000000055511151231257827", "invalid_amount"),
    ] {
        let answer = charge(&shop, sent).await;
        if shown == "invalid_amount" {
            answer.is_problem(422, shown);
            continue;
        }
        let accepted = answer.is(202);
        assert_eq!(digits(&accepted.text), shown, "{sent}");
        let status = shop.get(&format!("/v1/status/{}", accepted.id())).await.is(200);
        assert_eq!(digits(&status.text), shown, "{sent}");
    }
}

#[tokio::test]
async fn every_route_rejects_an_invalid_amount_with_its_pointer() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let payment = r#","phoneNumber":"0241234567","network":"MTN"}"#;
    for (path, rest) in [
        ("/v1/charge", payment),
        ("/v1/payout", payment),
        ("/v1/checkout", r#","email":"ama@example.com"}"#),
    ] {
        for (amount, code) in [
            ("0", "invalid_amount"),
            ("0.00", "invalid_amount"),
            ("-0", "invalid_amount"),
            ("0e5", "invalid_amount"),
            ("-1", "invalid_amount"),
            ("-0.01", "invalid_amount"),
            ("0.001", "invalid_amount"),
            ("10.505", "invalid_amount"),
            ("1e-3", "invalid_amount"),
            ("1e400", "invalid_amount"),
            ("1e99999999999999999999", "invalid_amount"),
            ("1e-99999999999999999999", "invalid_amount"),
            ("1000000000.01", "invalid_amount"),
            ("1000000001", "invalid_amount"),
            ("18446744073709551617", "invalid_amount"),
            (r#""10.5""#, "invalid_type"),
            (r#""""#, "invalid_type"),
            ("true", "invalid_type"),
            ("[10.5]", "invalid_type"),
            (r#"{"value":10.5}"#, "invalid_type"),
            ("null", "field_required"),
        ] {
            let refused = shop
                .post_text(path, &format!(r#"{{"amount":{amount}{rest}"#))
                .await
                .is_problem(422, code);
            let errors = refused.json()["errors"].clone();
            assert_eq!(
                (&errors[0]["pointer"], &errors[0]["code"]),
                (&"/amount".into(), &code.into()),
                "{path} {amount}"
            );
            assert_eq!(errors.as_array().unwrap().len(), 1, "{path} {amount}");
        }
    }
}

#[tokio::test]
async fn an_amount_that_is_not_a_json_number_is_a_malformed_body() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    for amount in [
        "NaN", "Infinity", "+1", "01", ".5", "5.", "1_000", "0x10", "1,5", "", "1e", "1e+", "-",
        "٣",
    ] {
        charge(&shop, amount).await.is_problem(400, "malformed_json");
    }
}

/// An amount in pesewas, and one of its many JSON notations.
fn written() -> impl Strategy<Value = (i64, String)> {
    let pesewas = prop_oneof![1..=100_000_000_000_i64, 1..=9_999_i64, Just(100_000_000_000)];
    (pesewas, 0..4_u8, 0..5_usize).prop_map(|(pesewas, form, zeros)| {
        let cedis = pesewas / 100;
        let rest = pesewas % 100;
        let text = match form {
            0 => format!("{cedis}.{rest:02}{}", "0".repeat(zeros)),
            1 => format!("{pesewas}e-2"),
            2 => format!("{}.{:06}E+4", pesewas / 1_000_000, pesewas % 1_000_000),
            _ => format!("{pesewas}{}e-{}", "0".repeat(zeros), zeros + 2),
        };
        (pesewas, text)
    })
}

/// The shortest decimal text. The service computes it in another way.
fn shortest(pesewas: i64) -> String {
    let padded = format!("{pesewas:03}");
    let (cedis, rest) = padded.split_at(padded.len() - 2);
    format!("{cedis}.{rest}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[test]
fn every_amount_in_every_notation_is_returned_exactly() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (_app, shop) = runtime.block_on(async {
        let app = TestApp::start().await;
        let shop = app.shop().await;
        (app, shop)
    });
    let settings =
        ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(settings, |((pesewas, text) in written())| {
        let shown = runtime.block_on(async {
            let charge = charge(&shop, &text).await.is(202);
            let status = shop.get(&format!("/v1/status/{}", charge.id())).await.is(200);
            HashMap::from([("charge", digits(&charge.text)), ("status", digits(&status.text))])
        });
        let wanted = shortest(pesewas);
        prop_assert_eq!(shown, HashMap::from([("charge", wanted.clone()), ("status", wanted)]));
    });
}

#[test]
fn an_amount_with_three_decimals_is_rejected() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (_app, shop) = runtime.block_on(async {
        let app = TestApp::start().await;
        let shop = app.shop().await;
        (app, shop)
    });
    let settings =
        ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(settings, |(
        mills in (0..1_000_000_000_i64).prop_filter("a third decimal", |mills| mills % 10 != 0)
    )| {
        for text in [format!("{}.{:03}", mills / 1000, mills % 1000), format!("{mills}e-3")] {
            let code =
                runtime.block_on(async { charge(&shop, &text).await.json()["code"].clone() });
            prop_assert_eq!(&code, "invalid_amount", "{}", text);
        }
    });
}
