use super::*;
use tua_domain::credential_field::FieldNeed;

struct NoEvidence;

impl fmt::Debug for NoEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NoEvidence")
    }
}

impl tua_domain::ports::ExchangeRecorder for NoEvidence {
    fn record(&self, _: tua_domain::exchange::Exchange) {}
}

fn connector() -> DashboardConnector {
    DashboardConnector {
        parts: ConnectionParts {
            clock: Arc::new(tua_system::clock::SystemClock),
            recorder: Arc::new(NoEvidence),
        },
        emulator: None,
        callback_url: Arc::new(|name| format!("https://pay.example/callbacks/{name}/s")),
    }
}

fn form(connector: &str) -> &'static ConnectorForm {
    connectors::FORMS.iter().find(|form| form.connector == connector).unwrap()
}

fn values(typed: &[(&str, &str)]) -> BTreeMap<String, String> {
    typed.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// A value that the reader of the field accepts.
fn right_value(field: &CredentialField) -> String {
    match (field.key, field.kind) {
        ("secret-key", _) => "sk_live_hunter2".to_owned(),
        ("email-fallback", _) => "pay@shop.example".to_owned(),
        ("signing-key", _) => crate::pawapay::TEST_KEY.to_owned(),
        (_, CredentialKind::Choice(values)) => values[0].to_owned(),
        (_, CredentialKind::Flag) => FLAG_ON.to_owned(),
        _ => "hunter2".to_owned(),
    }
}

#[test]
fn every_connector_has_a_form_and_its_reader_reads_exactly_these_fields() {
    assert_eq!(connectors::FORMS.len(), connectors::ALL.len());
    for form in connectors::FORMS {
        let all: BTreeMap<String, String> =
            form.fields.iter().map(|one| (one.key.to_owned(), right_value(one))).collect();
        let read = connector().read(form, &all);
        assert!(read.is_ok(), "{}: {read:?}", form.connector);
        // Without the fields that may be empty the form is complete, and without another it is not.
        for field in form.fields {
            let mut without = all.clone();
            without.remove(field.key);
            let is_complete = connector().read(form, &without).is_ok();
            let may_be_missing =
                field.need == FieldNeed::Optional || field.kind == CredentialKind::Flag;
            assert_eq!(is_complete, may_be_missing, "{} {}", form.connector, field.key);
        }
    }
}

#[test]
fn all_faults_are_reported_at_once_and_none_repeats_a_secret() {
    let typed = values(&[("secret-key", "pk_hunter2"), ("email-fallback", "nobody")]);
    let faults = connector().read(form("paystack"), &typed).unwrap_err();
    let keys: Vec<&str> = faults.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(keys, ["secret-key", "email-fallback"]);
    assert!(!format!("{faults:?}").contains("hunter2"));
    let typed = values(&[("collection.user", "u"), ("collection.key", "a\nb")]);
    let faults = connector().read(form("mtn-momo"), &typed).unwrap_err();
    let keys: Vec<&str> = faults.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(keys, ["collection.key", "collection.subscription-key"]);
}

/// The settings file may name files and variables of the machine. A person in a browser must not
/// read them.
#[test]
fn a_typed_secret_is_never_the_name_of_a_file_or_of_a_variable() {
    for typed in [r#"{ file = "/etc/passwd" }"#, r#"{ env = "TUA_SERVER_KEY" }"#] {
        let typed = values(&[
            ("api-id", "a"),
            ("api-key", typed),
            ("pos-sales-id", "1"),
            ("base-url", "https://elsewhere.example"),
        ]);
        let text = connector().read(form("hubtel"), &typed).unwrap();
        let table: Table = serde_json::from_str(&text).unwrap();
        assert!(table["api-key"].is_str(), "a text as it was typed");
        assert!(!table.contains_key("base-url"), "not a field");
    }
}

#[test]
fn credentials_of_another_platform_or_merchant_are_told_apart_from_a_rotated_key() {
    let text =
        |connector: &str, typed: &[(&str, &str)]| connector_text(form(connector), &values(typed));
    let mtn = |platform: &str, key: &str| {
        let typed = [
            ("platform", platform),
            ("collection.user", "u"),
            ("collection.key", key),
            ("collection.subscription-key", "s"),
        ];
        text("mtn-momo", &typed)
    };
    let is_same =
        |name: &str, one: &str, other: &str| connector().is_same_merchant(name, one, other);
    assert!(is_same("mtn-momo", &mtn("legacy", "old"), &mtn("legacy", "new")));
    assert!(!is_same("mtn-momo", &mtn("legacy", "old"), &mtn("2026", "new")));
    let hubtel = |sales: &str, deposit: &str, key: &str| {
        let typed = [
            ("api-id", "a"),
            ("api-key", key),
            ("pos-sales-id", sales),
            ("prepaid-deposit-id", deposit),
        ];
        text("hubtel", &typed)
    };
    let old = hubtel("1", "7", "old");
    assert!(is_same("hubtel", &old, &hubtel("1", "7", "new")));
    assert!(!is_same("hubtel", &old, &hubtel("2", "7", "old")));
    assert!(!is_same("hubtel", &old, &hubtel("1", "8", "old")), "payouts from another account");
    assert!(is_same("hubtel", &hubtel("1", "", "old"), &old), "a product more");
}

fn connector_text(form: &ConnectorForm, typed: &BTreeMap<String, String>) -> String {
    connector().read(form, typed).unwrap()
}

#[test]
fn the_form_of_a_replacement_shows_everything_but_secrets() {
    for form in connectors::FORMS {
        let all: BTreeMap<String, String> =
            form.fields.iter().map(|one| (one.key.to_owned(), right_value(one))).collect();
        let text = connector_text(form, &all);
        let shown = connector().shown_values(form, &text);
        for field in form.fields {
            let expected = all.get(field.key).filter(|_| !field.kind.is_secret());
            assert_eq!(shown.get(field.key), expected, "{} {}", form.connector, field.key);
        }
    }
}
