//! The document agrees with the parsers and the router.

use super::{EXAMPLE_URL, document, routes};
use crate::http::{charge, checkout, payout, submit_otp, transactions};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tua_contract::ErrorCode;
use tua_http_json::JsonObject;
use utoipa::ToSchema;

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
    is_documented::<charge::ChargeRequest>(&document);
    is_documented::<charge::CheckoutChargeRequest>(&document);
    is_documented::<payout::PayoutRequest>(&document);
    is_documented::<checkout::CheckoutRequest>(&document);
    is_documented::<submit_otp::CodeRequest>(&document);
}

#[test]
fn every_documented_filter_is_one_that_the_parser_knows() {
    let document = written();
    let parameters = document["paths"]["/v1/transactions"]["get"]["parameters"].as_array().unwrap();
    let filters = parameters.iter().filter(|parameter| parameter["in"] == "query");
    let names: Vec<&str> = filters.filter_map(|parameter| parameter["name"].as_str()).collect();
    assert_eq!(names.len(), 12);
    for name in names {
        let faults = transactions::parse(vec![(name.to_owned(), "?".to_owned())])
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
    let listed: BTreeSet<&str> = routes::all()
        .flat_map(|route| route.errors)
        .copied()
        .flatten()
        .map(|code| code.as_str())
        .collect();
    for code in ErrorCode::ALL {
        let of_all_paths =
            *code == ErrorCode::MethodNotAllowed && super::ABOUT.contains(code.as_str());
        assert!(
            listed.contains(code.as_str()) || of_all_paths,
            "{}: add it to a route in openapi/routes",
            code.as_str()
        );
    }
}

#[test]
fn no_route_names_a_code_twice_and_every_link_leads_to_a_route() {
    let ids: BTreeSet<&str> = routes::all().map(|route| route.id).collect();
    assert_eq!(ids.len(), routes::all().count());
    for route in routes::all() {
        let codes: Vec<&str> =
            route.errors.iter().copied().flatten().map(|code| code.as_str()).collect();
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len(), "{}", route.id);
        for link in route.responses.iter().flat_map(|response| response.links) {
            assert!(ids.contains(link.to), "{}: {}", route.id, link.to);
        }
    }
}

/// Reads the source of the routers, since axum does not list their routes.
#[test]
fn every_route_of_the_router_is_documented() {
    let pages =
        ["/pay", "/assets/{*file}", "/branding/{file}", "/sdk/{*file}", "/docs/errors/{code}"];
    let sources = [include_str!("../mod.rs"), include_str!("../../hosted/mod.rs")].concat();
    let served = sources.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next());
    let served: BTreeSet<String> = served
        .map(|path| {
            path.replace("{transaction_id}", "{transactionId}")
                .replace("{checkout_id}", "{checkoutId}")
        })
        .map(|path| path.replace("{refund_id}", "{refundId}").replace("{batch_id}", "{batchId}"))
        .map(|path| path.replace("{link_id}", "{linkId}"))
        .collect();
    assert!(served.len() > pages.len());
    let documented: BTreeSet<&str> = routes::all()
        .map(|route| route.path.strip_prefix("/v1").unwrap_or(route.path))
        .chain(pages)
        .collect();
    assert_eq!(served.iter().map(String::as_str).collect::<BTreeSet<_>>(), documented);
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
