//! The OpenAPI document as tables: each route with its parameters, the fields of its body, and its
//! responses.

use super::{
    book,
    markdown::{anchor, render},
    requests,
};
use serde::Serialize;
use serde_json::Value;
use tua_http_json::KNOWN_VALUES;
use url::Url;

/// How deep the fields of objects in objects are listed.
const MAX_DEPTH: u8 = 3;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The routes with one tag.
#[derive(Clone, Serialize, Debug)]
pub(super) struct Group {
    name: String,
    about: String,
    operations: Vec<Operation>,
}

/// A route with one method.
#[derive(Clone, Serialize, Debug)]
struct Operation {
    anchor: String,
    method: String,
    path: String,
    summary: String,
    /// HTML, from the Markdown of the document.
    description: String,
    /// HTML: an example in each language.
    request: String,
    parameters: Vec<FieldRow>,
    body: Vec<FieldRow>,
    responses: Vec<ResponseEntry>,
}

/// A parameter or a field.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
struct FieldRow {
    name: String,
    kind: String,
    is_required: bool,
    /// HTML, from the Markdown of the document.
    about: String,
}

#[derive(Clone, Serialize, Debug)]
struct ResponseEntry {
    status: String,
    /// HTML, from the Markdown of the document.
    about: String,
    fields: Vec<FieldRow>,
}

/// All routes, by tag, in the order of the document.
pub(super) fn groups(document: &Value) -> Vec<Group> {
    let tags = document["tags"].as_array().map(Vec::as_slice).unwrap_or_default();
    let groups = tags.iter().map(|tag| {
        let name = text(&tag["name"]);
        Group { about: text(&tag["description"]), operations: operations(document, &name), name }
    });
    groups.filter(|group| !group.operations.is_empty()).collect()
}

fn operations(document: &Value, tag: &str) -> Vec<Operation> {
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS {
            let operation = &item[method];
            let has_tag =
                operation["tags"].as_array().is_some_and(|tags| tags.iter().any(|one| one == tag));
            if has_tag {
                let path = format!("{}{path}", server_path(document, item));
                all.push(read(document, &path, method, operation));
            }
        }
    }
    all
}

/// The path of the server below which a path is: its own server, else that of the document.
fn server_path(document: &Value, item: &Value) -> String {
    let url = |of: &Value| of["servers"][0]["url"].as_str().and_then(|url| Url::parse(url).ok());
    let url = url(item).or_else(|| url(document));
    url.map_or_else(String::new, |url| url.path().trim_end_matches('/').to_owned())
}

fn read(document: &Value, path: &str, method: &str, operation: &Value) -> Operation {
    let summary = text(&operation["summary"]);
    let parameters = operation["parameters"].as_array().into_iter().flatten().map(|one| {
        let one = resolve(document, one);
        FieldRow {
            name: text(&one["name"]),
            kind: format!("{}, {}", text(&one["in"]), kind(document, &one["schema"])),
            is_required: one["required"] == true,
            about: markdown(&one["description"]),
        }
    });
    let responses =
        operation["responses"].as_object().into_iter().flatten().map(|(status, response)| {
            let response = resolve(document, response);
            ResponseEntry {
                status: status.clone(),
                about: markdown(&response["description"]),
                // The fields of a problem document are the same everywhere.
                fields: if status.starts_with('2') {
                    fields(document, &content(response)["schema"])
                } else {
                    Vec::new()
                },
            }
        });
    Operation {
        anchor: anchor(&format!("{method} {path}")),
        method: method.to_uppercase(),
        path: path.to_owned(),
        description: markdown(&operation["description"]),
        request: requests::of_operation(&text(&operation["operationId"]), book::file),
        parameters: parameters.collect(),
        body: fields(document, &content(resolve(document, &operation["requestBody"]))["schema"]),
        responses: responses.collect(),
        summary,
    }
}

/// The first media type of a body.
fn content(body: &Value) -> &Value {
    body["content"].as_object().and_then(|all| all.values().next()).unwrap_or(&Value::Null)
}

fn fields(document: &Value, schema: &Value) -> Vec<FieldRow> {
    let mut rows = Vec::new();
    add_fields(document, schema, "", 0, &mut rows);
    rows
}

fn add_fields(document: &Value, schema: &Value, prefix: &str, depth: u8, rows: &mut Vec<FieldRow>) {
    if depth == MAX_DEPTH {
        return;
    }
    let schema = resolve(document, schema);
    for one in parts(schema) {
        add_fields(document, one, prefix, depth, rows);
    }
    if schema["type"] == "array" && !prefix.is_empty() {
        return add_fields(document, &schema["items"], &format!("{prefix}[]"), depth, rows);
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let whole = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        let is_required = schema["required"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one == name.as_str()));
        // Another form of the same body: what one of them may leave out is not required.
        if let Some(row) = rows.iter_mut().find(|row| row.name == whole) {
            row.is_required &= is_required;
            continue;
        }
        let about = description(document, field).map(markdown).unwrap_or_default();
        rows.push(FieldRow {
            name: whole.clone(),
            kind: kind(document, field),
            is_required,
            about,
        });
        add_fields(document, field, &whole, depth + 1, rows);
    }
}

/// The type in a few words: `string`, `number or null`, `one of OPEN, CLOSED`.
fn kind(document: &Value, schema: &Value) -> String {
    let schema = resolve(document, schema);
    match schema["enum"].as_array().map(Vec::as_slice) {
        Some([only]) => return shown(only),
        Some(values) => {
            return format!("one of {}", values.iter().map(shown).collect::<Vec<_>>().join(", "));
        }
        None => {}
    }
    if let Some(known) = schema[KNOWN_VALUES].as_array() {
        let known: Vec<String> = known.iter().map(shown).collect();
        return format!("one of {}, or a later value", known.join(", "));
    }
    if schema.get("const").is_some() {
        return shown(&schema["const"]);
    }
    match &schema["type"] {
        Value::String(one) if one == "array" => {
            format!("list of {}", kind(document, &schema["items"]))
        }
        Value::String(one) => one.clone(),
        Value::Array(all) => all.iter().map(shown).collect::<Vec<_>>().join(" or "),
        _ => {
            let mut kinds: Vec<String> = parts(schema)
                .map(|one| kind(document, one))
                .filter(|one| !one.is_empty())
                .collect();
            kinds.dedup();
            kinds.join(" or ")
        }
    }
}

/// What a schema is combined of, or chosen from.
fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    ["allOf", "oneOf", "anyOf"].iter().filter_map(|part| schema[*part].as_array()).flatten()
}

/// The description of a field: its own, else that of its type.
fn description<'a>(document: &'a Value, schema: &'a Value) -> Option<&'a Value> {
    let own = [schema, resolve(document, schema)]
        .into_iter()
        .map(|one| &one["description"])
        .find(|one| one.is_string());
    own.or_else(|| parts(schema).find_map(|one| description(document, one)))
}

/// What a reference names.
fn resolve<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().and_then(|name| name.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn markdown(value: &Value) -> String {
    render(value.as_str().unwrap_or_default(), str::to_owned).html
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_route_of_the_document_is_listed_with_its_fields() {
        let document = crate::http::openapi_document();
        let all = groups(&document);
        let listed: usize = all.iter().map(|group| group.operations.len()).sum();
        let is_method = |one: &&String| METHODS.contains(&one.as_str());
        let items = document["paths"].as_object().unwrap().values();
        let expected: usize =
            items.map(|item| item.as_object().unwrap().keys().filter(is_method).count()).sum();
        assert_eq!(listed, expected);
        let charge = all
            .iter()
            .flat_map(|group| &group.operations)
            .find(|one| one.path == "/v1/charge")
            .unwrap();
        assert!(charge.request.contains("tua.charges.create("), "{}", charge.request);
        let amount = charge.body.iter().find(|row| row.name == "amount").unwrap();
        assert_eq!(
            (amount.kind.as_str(), amount.is_required),
            ("number", true),
            "a secret key must send it"
        );
        assert!(charge.body.iter().all(|row| !row.about.is_empty()), "{:?}", charge.body);
        assert!(!amount.about.is_empty());
        let network = charge.body.iter().find(|row| row.name == "network").unwrap();
        assert_eq!(network.kind, "one of MTN, TELECEL, AIRTELTIGO, or a later value");
        let accepted = charge.responses.iter().find(|one| one.status == "202").unwrap();
        assert!(
            accepted.fields.iter().any(|row| row.name == "transactionId"),
            "{:?}",
            accepted.fields
        );
    }

    #[test]
    fn references_lists_and_choices_are_resolved() {
        let document = json!({ "components": { "schemas": {
            "A": { "type": "object", "required": ["one"], "properties": {
                "one": { "type": ["string", "null"], "description": "First." },
                "all": { "type": "array", "items": { "$ref": "#/components/schemas/B" } },
            } },
            "B": { "type": "object", "properties": { "state": { "enum": ["ON", "OFF"] } } },
        } } });
        let rows = fields(&document, &json!({ "$ref": "#/components/schemas/A" }));
        let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
        assert_eq!((row("one").kind.as_str(), row("one").is_required), ("string or null", true));
        assert_eq!(row("all").kind, "list of object");
        assert_eq!(row("all[].state").kind, "one of ON, OFF");
        let forms = json!({
            "anyOf": [
                { "$ref": "#/components/schemas/A" },
                {
                    "properties": {
                        "one": {
                            "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/B" }],
                        },
                    },
                },
            ],
        });
        assert!(
            !fields(&document, &forms).iter().any(|row| row.is_required),
            "one form may leave it out"
        );
    }
}
