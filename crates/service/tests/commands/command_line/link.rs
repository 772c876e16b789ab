//! `tua link` (docs/reference/links.md).

use serde_json::{Value, json};
use tua_test_support::binary::{account, json, not_found, refused, run, tua};

fn create<'a>(account: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["link", "create", "--title", "Robe", "--account", account, "--mode", "test"], more].concat()
}

#[test]
fn a_link_is_created_listed_closed_and_reopened_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    let scope = ["--account", &id, "--mode", "test"];
    let open = json(
        folder.path(),
        &create(&id, &["--min-amount", "5", "--expires-at", "2999-12-31", "--as", "Esi"]),
    );
    assert_eq!(
        (&open["amount"], &open["minAmount"], &open["uses"]),
        (&Value::Null, &json!("5"), &json!("many"))
    );
    assert_eq!(
        (&open["expiresAt"], &open["paidAmount"]),
        (&json!("2999-12-31T23:59:59.000Z"), &json!("0.00"))
    );
    let url = format!("http://127.0.0.1:8080/l/{}", open["code"].as_str().unwrap());
    assert_eq!((&open["url"], &open["qr"]), (&json!(url), &json!(format!("{url}.svg"))));
    let fixed = json(
        folder.path(),
        &create(&id, &["--amount", "10.5", "--uses", "single", "--reference", "choir"]),
    );
    assert_eq!((&fixed["amount"], &fixed["reference"]), (&json!("10.5"), &json!("choir")));

    let listed = json(folder.path(), &[&["link", "list"], &scope[..]].concat());
    assert_eq!(listed, json!([fixed, open]));
    let link = fixed["linkId"].as_str().unwrap();
    assert_eq!(json(folder.path(), &["link", "close", link])["status"], "CLOSED");
    assert_eq!(json(folder.path(), &["link", "show", link])["status"], "CLOSED");
    assert_eq!(json(folder.path(), &["link", "reopen", link]), fixed);
    let log = json(folder.path(), &["audit", "list"]);
    let entry =
        log.as_array().unwrap().iter().find(|entry| entry["action"] == "link.created").unwrap();
    assert!(entry["actor"].as_str().unwrap().contains("Esi"), "{entry}");
    assert!(run(folder.path(), &["audit", "verify"]).status.success());

    let faults = refused(
        tua(folder.path())
            .args(create(&id, &["--amount", "0", "--max-amount", "x", "--uses", "twice"])),
    );
    for field in ["--amount: ", "--max-amount: ", "--uses: "] {
        assert!(faults.contains(field), "{field}: {faults}");
    }
    assert!(
        not_found(tua(folder.path()).args(["link", "show", "lnk_0"]))
            .contains("there is no such link")
    );
}
