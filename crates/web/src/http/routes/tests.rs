//! The document agrees with the parsers, the router and the reference.

use super::{ALL, create_charge, create_checkout, create_payout, list_transactions, submit_otp};
use crate::http::{
    document::document,
    error_codes,
    openapi::{ABOUT, examples::EXAMPLE_URL, operation::OperationSpec},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tua_contract::ErrorCode;
use tua_domain::KeyScope;
use tua_http_json::JsonObject;
use utoipa::{ToSchema, openapi::HttpMethod};

fn operations() -> impl Iterator<Item = &'static OperationSpec> {
    ALL.iter().map(|route| &route.operation)
}

fn written() -> Value {
    serde_json::to_value(document(EXAMPLE_URL)).unwrap()
}

/// The fields of a documented body, and whether each is required.
fn documented(document: &Value, name: &str) -> BTreeMap<String, bool> {
    let schema = &document["components"]["schemas"][name];
    assert_eq!(schema["additionalProperties"], false, "{name} refuses what it does not name");
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let fields = schema["properties"].as_object().unwrap().keys();
    fields.map(|field| (field.clone(), required.contains(&field.as_str()))).collect()
}

/// Whether a body of this type may have the member, whatever its value, and whether it must have
/// it.
fn parsed<T: for<'de> Deserialize<'de>>(name: &str) -> (bool, bool) {
    let code_at = |body: String| -> Option<&'static str> {
        let faults = JsonObject::parse(body.as_bytes()).unwrap().read::<T>().err()?;
        faults.iter().find(|fault| fault.pointer == format!("/{name}")).map(|fault| fault.code)
    };
    let is_known = code_at(format!("{{\"{name}\":[]}}")) != Some("unknown_field");
    (is_known, code_at("{}".to_owned()) == Some("field_required"))
}

/// Compares what a schema says of every field, and of one that does not exist, with what the type
/// accepts.
fn is_documented<T: ToSchema + for<'de> Deserialize<'de>>(document: &Value) {
    let name = T::name();
    for (field, required) in documented(document, &name) {
        assert_eq!(parsed::<T>(&field), (true, required), "{name}: {field}");
    }
    assert_eq!(parsed::<T>("nonsense"), (false, false), "{name}");
}

#[test]
fn every_documented_field_of_a_body_is_parsed_and_required_as_documented() {
    let document = written();
    is_documented::<create_charge::ChargeRequest>(&document);
    is_documented::<create_charge::CheckoutChargeRequest>(&document);
    is_documented::<create_payout::PayoutRequest>(&document);
    is_documented::<create_checkout::CheckoutRequest>(&document);
    is_documented::<submit_otp::CodeRequest>(&document);
}

#[test]
fn every_documented_filter_is_one_that_the_parser_knows() {
    let document = written();
    let parameters = document["paths"]["/transactions"]["get"]["parameters"].as_array().unwrap();
    let filters = parameters.iter().filter(|parameter| parameter["in"] == "query");
    let names: Vec<&str> = filters.filter_map(|parameter| parameter["name"].as_str()).collect();
    assert_eq!(names.len(), 12);
    for name in names {
        let faults = list_transactions::parse(vec![(name.to_owned(), "?".to_owned())])
            .err()
            .map(|error| error.faults);
        let known = faults.is_none_or(|faults| {
            faults.iter().all(|fault| fault.code != ErrorCode::UnknownField.as_str())
        });
        assert!(known, "{name}");
    }
}

#[test]
fn every_error_code_is_documented_on_a_route_or_said_of_all_paths() {
    let listed: BTreeSet<&str> =
        operations().flat_map(OperationSpec::error_codes).map(ErrorCode::as_str).collect();
    for code in ErrorCode::ALL {
        let of_all_paths = matches!(code, ErrorCode::MethodNotAllowed | ErrorCode::InvalidRequest)
            && ABOUT.contains(code.as_str());
        assert!(
            listed.contains(code.as_str()) || of_all_paths,
            "{}: add it to a route in http/routes",
            code.as_str()
        );
    }
}

/// A request with several faults has the code `validation_failed`.
#[test]
fn a_route_that_can_find_several_faults_documents_their_code() {
    let is_fault = |code: &&ErrorCode| error_codes::status(**code) == 422 && !ALONE.contains(*code);
    for route in operations() {
        let codes = || route.errors.iter().copied().flatten();
        assert_eq!(
            codes().any(|code| is_fault(&code) && *code != ErrorCode::ValidationFailed),
            codes().any(|code| *code == ErrorCode::ValidationFailed),
            "{}",
            route.id
        );
    }
}

/// The codes of 422 that concern the whole request.
const ALONE: [ErrorCode; 3] =
    [ErrorCode::IdempotencyKeyReused, ErrorCode::PayoutLimitExceeded, ErrorCode::AmountOutOfRange];

#[test]
fn every_error_response_has_the_one_schema_of_problems() {
    let document = written();
    let mut checked = 0;
    for item in document["paths"].as_object().unwrap().values() {
        for response in item.as_object().unwrap().values().flat_map(|operation| {
            operation["responses"].as_object().into_iter().flat_map(|all| all.values())
        }) {
            let schema = &response["content"]["application/problem+json"]["schema"];
            if !schema.is_null() {
                assert_eq!(schema, &json!({ "$ref": "#/components/schemas/Problem" }));
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn the_body_of_a_link_is_text_with_the_values_of_the_response() {
    let document = written();
    let body = |path: &str, method: &str, status: &str, link: &str| {
        let link = &document["paths"][path][method]["responses"][status]["links"][link];
        let body = link["requestBody"].as_str().unwrap().to_owned();
        let evaluated = body
            .replace("{$response.body#/amount}", "10.5")
            .replace("{$response.body#/transactionId}", "txn_1");
        serde_json::from_str::<Value>(&evaluated).unwrap()
    };
    assert_eq!(body("/checkout", "get", "200", "charge"), json!({ "amount": 10.5 }));
    let code = json!({ "transactionId": "txn_1" });
    assert_eq!(body("/charge", "post", "202", "submitCode"), code);
}

#[test]
fn no_route_names_a_code_twice_and_every_link_leads_to_a_route() {
    let ids: BTreeSet<&str> = operations().map(|operation| operation.id).collect();
    assert_eq!(ids.len(), operations().count());
    for route in operations() {
        let codes: Vec<&str> = route.error_codes().map(ErrorCode::as_str).collect();
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len(), "{}", route.id);
        for link in route.responses.iter().flat_map(|response| response.links) {
            assert!(ids.contains(link.to), "{}: {}", route.id, link.to);
        }
    }
}

/// Reads the source of the routers, since axum does not list their routes. They register the
/// documented routes from the list, and these pages by name.
#[test]
fn every_route_of_the_router_is_documented() {
    let pages = [
        "/pay",
        "/pay/",
        "/assets/{*file}",
        "/branding/{file}",
        "/sdk/{*file}",
        "/docs/errors/{code}",
        // Without anything below them.
        "/v1/",
        "/sdk/",
    ];
    let sources = [include_str!("../mod.rs"), include_str!("../../hosted/mod.rs")].concat();
    let served = sources.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next());
    assert_eq!(served.collect::<BTreeSet<_>>(), BTreeSet::from(pages));
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_referred_to() {
    let document = written();
    let mut found = BTreeSet::new();
    collect(&document, &mut found);
    for reference in &found {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(
            found.contains(&format!("#/components/schemas/{name}")),
            "nothing refers to {name}"
        );
    }
}

fn collect(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| collect(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

#[test]
fn an_example_of_an_error_is_the_document_that_the_service_writes() {
    let example = &written()["components"]["examples"]["invalid_amount"];
    assert_eq!(
        example["value"]["type"],
        json!(format!("{EXAMPLE_URL}/docs/errors/invalid_amount"))
    );
    assert_eq!(example["value"]["errors"][0]["pointer"], "/amount");
    assert_eq!(example["value"]["status"], 422);
}

/// The cells of the table rows of a section.
fn table(section: &str) -> Vec<(String, String)> {
    let reference = include_str!("../../../../../docs/reference/credentials.md");
    let (_, section) = reference.split_once(section).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows =
        section.lines().filter(|line| line.starts_with("| `POST") || line.starts_with("| `GET"));
    let cells = rows.map(|row| row.split('|').map(|cell| cell.replace('`', "").trim().to_owned()));
    cells.map(|mut cells| (cells.nth(1).unwrap(), cells.next().unwrap())).collect()
}

#[test]
fn the_reference_lists_the_scopes_of_every_route() {
    let expected: Vec<_> = operations()
        .filter_map(|operation| {
            let scopes = operation.open_to.scopes()?;
            let names: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
            let names = if scopes == KeyScope::ALL { "any".to_owned() } else { names.join(" or ") };
            let method = match operation.method {
                HttpMethod::Post => "POST",
                _ => "GET",
            };
            Some((format!("{method} {}", operation.path.trim_start_matches("/v1")), names))
        })
        .collect();
    assert_eq!(table("\n## Scopes\n"), expected);
}
