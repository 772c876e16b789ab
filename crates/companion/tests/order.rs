//! The cart of a page.
#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

use tua_companion::{
    catalogue::Catalogue,
    order::{Line, Order},
    problem::Problem,
    upstream::CheckoutRequest,
};

fn catalogue() -> Catalogue {
    Catalogue::parse(
        "[items.cocoa]\nname = 'Cocoa'\nprice = '0.29'\n[items.house]\nname = 'House'\n\
         price = '900000000'\n\
         [donation]\nname = 'Fund'\nmin = '1'\nmax = '100'",
    )
    .unwrap()
}

fn read(body: &str) -> Result<Order, Problem> {
    Order::read(body.as_bytes(), &catalogue())
}

fn faults(body: &str) -> Vec<(String, &'static str)> {
    read(body)
        .unwrap_err()
        .errors()
        .iter()
        .map(|fault| (fault.pointer.clone(), fault.code))
        .collect()
}

#[test]
fn prices_come_from_the_catalogue_and_the_total_is_exact() {
    let order = read(concat!(
        r#"{"items":[{"sku":"cocoa","quantity":3},{"sku":"donation","amount":10.10}],"#,
        r#""email":"a@b.gh"}"#
    ));
    let order = order.unwrap();
    assert_eq!(order.total.pesewas(), 87 + 1010);
    assert_eq!(
        serde_json::to_string(&order.lines).unwrap(),
        concat!(
            r#"[{"sku":"cocoa","name":"Cocoa","quantity":3,"price":0.29},"#,
            r#"{"sku":"donation","name":"Fund","quantity":1,"price":10.1}]"#
        )
    );
}

#[test]
fn a_page_may_bring_a_reference_and_metadata_of_its_own() {
    let order = read(
        r#"{"items":[{"sku":"cocoa","quantity":1}],"email":"a@b.gh","reference":"order/17 é",
            "metadata":{"gift":true,"weight":1.50,"note":"für \u0041ma"}}"#,
    );
    let order = order.unwrap();
    assert_eq!(order.reference.as_deref(), Some("order/17 é"));
    let body = serde_json::to_string(&CheckoutRequest::new(&order, "order/17 é")).unwrap();
    let metadata = concat!(
        r#""metadata":{"gift":true,"note":"für \u0041ma","weight":1.50,"#,
        r#""items":[{"sku":"cocoa","name":"Cocoa","quantity":1,"price":0.29}]}}"#
    );
    assert!(body.ends_with(metadata), "values stay as they were written: {body}");
    let plain = read(concat!(
        r#"{"items":[{"sku":"cocoa","quantity":1}],"email":"a@b.gh","#,
        r#""reference":null,"metadata":null}"#
    ));
    assert_eq!(plain.unwrap().reference, None);
}

#[test]
fn the_metadata_of_a_page_cannot_replace_the_items() {
    let cart = |members: &str| {
        format!(r#"{{"items":[{{"sku":"cocoa","quantity":1}}],"email":"a@b.gh",{members}}}"#)
    };
    for (members, pointer, code) in [
        (r#""metadata":{"items":[]}"#, "/metadata", "field_not_allowed"),
        (r#""metadata":{"\u0069tems":[]}"#, "/metadata", "field_not_allowed"),
        (r#""metadata":[1]"#, "/metadata", "invalid_type"),
        (r#""metadata":"a""#, "/metadata", "invalid_type"),
        (r#""reference":17"#, "/reference", "invalid_type"),
    ] {
        assert_eq!(faults(&cart(members)), [(pointer.to_owned(), code)], "{members}");
    }
    assert_eq!(read(&cart(r#""metadata":{"a":1,"a":2}"#)).unwrap_err().code(), "malformed_json");
}

#[test]
fn all_faults_are_reported_at_once() {
    let body = concat!(
        r#"{"items":[{"sku":"cocoa","quantity":0},{"sku":"nothing","quantity":1},"#,
        r#"{"sku":"cocoa","price":1},{"sku":"donation","amount":0.5,"quantity":1},"#,
        r#"{"quantity":2},7,{"sku":"cocoa","quantity":"1","amount":2},"#,
        r#"{"sku":"donation","amount":1e400}],"email":"nobody","amount":1,"a/b":2}"#
    );
    let expected = [
        ("/items/0/quantity", "invalid_quantity"),
        ("/items/1/sku", "unknown_sku"),
        ("/items/2/quantity", "field_required"),
        ("/items/2/price", "unknown_field"),
        ("/items/3/amount", "donation_out_of_range"),
        ("/items/3/quantity", "field_not_allowed"),
        ("/items/4/sku", "field_required"),
        ("/items/5", "invalid_type"),
        ("/items/6/quantity", "invalid_type"),
        ("/items/6/amount", "field_not_allowed"),
        ("/items/7/amount", "invalid_amount"),
        ("/email", "invalid_email"),
        ("/amount", "unknown_field"),
        ("/a~1b", "unknown_field"),
    ];
    let expected: Vec<_> =
        expected.into_iter().map(|(pointer, code)| (pointer.to_owned(), code)).collect();
    assert_eq!(faults(body), expected);
    assert_eq!(read(body).unwrap_err().code(), "validation_failed");
}

#[test]
fn a_single_fault_gives_its_code_to_the_request() {
    for (body, code) in [
        ("[1]", "invalid_type"),
        (r#"{"items":[],"email":"a@b.gh"}"#, "empty_cart"),
        (r#"{"items":{},"email":"a@b.gh"}"#, "invalid_type"),
        (r#"{"email":"a@b.gh"}"#, "field_required"),
        (r#"{"items":[{"sku":"cocoa","quantity":1}],"email":null}"#, "field_required"),
        (
            concat!(
                r#"{"items":[{"sku":"cocoa","quantity":1},{"sku":"cocoa","quantity":1}],"#,
                r#""email":"a@b.gh"}"#
            ),
            "duplicate_sku",
        ),
        (r#"{"items":[{"sku":"house","quantity":2}],"email":"a@b.gh"}"#, "invalid_amount"),
    ] {
        assert_eq!(read(body).unwrap_err().code(), code, "{body}");
    }
    for quantity in ["0", "-1", "1.0", "1e1", "1000", "99999999999999999999"] {
        let body =
            format!(r#"{{"items":[{{"sku":"cocoa","quantity":{quantity}}}],"email":"a@b.gh"}}"#);
        assert_eq!(read(&body).unwrap_err().code(), "invalid_quantity", "{quantity}");
    }
    let many = vec![r#"{"sku":"cocoa","quantity":1}"#; 31].join(",");
    assert_eq!(
        read(&format!(r#"{{"items":[{many}],"email":"a@b.gh"}}"#)).unwrap_err().code(),
        "too_many_items"
    );
}

#[test]
fn a_body_that_is_not_json_is_malformed() {
    for body in [
        "",
        "{",
        "{} {}",
        "{'items':1}",
        r#"{"items":1,"items":2}"#,
        r#"{"items":[{"sku":"cocoa","sku":"cocoa"}],"email":"a@b.gh"}"#,
        r#"{"items":[],"email":"\ud800"}"#,
        r#"{"items":[{"sku":"donation","amount":01}],"email":"a@b.gh"}"#,
    ] {
        assert_eq!(read(body).unwrap_err().code(), "malformed_json", "{body}");
    }
    assert_eq!(Order::read(b"\"\xff\"", &catalogue()).unwrap_err().code(), "malformed_json");
    let deep = "[".repeat(30_000);
    assert_eq!(read(&deep).unwrap_err().code(), "malformed_json");
}

#[test]
fn the_longest_cart_fits_into_the_metadata() {
    let line = |index: usize| Line {
        sku: format!("{index:0>32}"),
        name: "\"".repeat(60),
        quantity: 999,
        price: tua_contract::Amount::from_pesewas(tua_contract::Amount::MAX_PESEWAS - 1).unwrap(),
    };
    let lines: Vec<_> = (0..30).map(line).collect();
    assert!(serde_json::to_vec(&lines).unwrap().len() < 8 * 1024 - 100);
}
