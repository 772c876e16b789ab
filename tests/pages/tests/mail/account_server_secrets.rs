//! The password of the mail server of an account, which is stored encrypted.

use super::account_servers::{Shop, server};
use std::path::Path;
use tua_domain::{Mode, account_mail_server::MailServerChange};
use tua_test_support::{binary::run, dashboard::page, test_database};

const SECRET: &str = "hunter2occursnowhereelse";

fn doctor(folder: &Path) -> String {
    String::from_utf8(run(folder, &["doctor"]).stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_password_is_in_no_page_audit_value_error_or_database() {
    let shop = Shop::start().await;
    let server = server().await;
    let mut seen = vec![shop.save(server.port, SECRET).await.is(303).text];
    seen.push(shop.test().await.is(422).text);
    let audit_page = page(&shop.account, Mode::Live, "/audit");
    let settings_page = page(&shop.account, Mode::Live, "/settings");
    for path in [shop.page(""), audit_page, settings_page] {
        seen.push(shop.owner.get(&path).await.is(200).text);
    }
    let store = &shop.app.running().store;
    let audit = store.audit_entries(0, 1_000).await.unwrap();
    assert!(audit.iter().any(|entry| entry.action == "mail_server.stored"), "{audit:?}");
    seen.push(format!("{audit:?}"));
    let stored = store.mail_servers().await.unwrap();
    assert_eq!(stored.len(), 1);
    seen.push(format!("{stored:?}"));
    let by = shop.app.audit();
    let error = store.change_mail_server(&shop.account, 9, MailServerChange::Remove, &by).await;
    seen.push(format!("{:?}", error.unwrap_err()));
    let folder = shop.app.folder.path();
    seen.push(doctor(folder));
    seen.extend(test_database::rows_as_text(folder));
    // Last, since closing the file ends the locks of this process on a SQLite database.
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        seen.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    // PostgreSQL shows columns of bytes in hexadecimal digits.
    let hexadecimal: String = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
    for (index, text) in seen.iter().enumerate() {
        assert!(!text.contains(SECRET) && !text.contains(&hexadecimal), "text {index} has it");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_names_a_mail_server_that_no_server_key_decrypts_and_the_page_says_so() {
    let shop = Shop::start().await;
    let server = server().await;
    shop.save(server.port, SECRET).await.is(303);
    let folder = shop.app.folder.path();
    let readable = doctor(folder);
    assert!(readable.contains("the server keys decrypt all of them"), "{readable}");
    let garbage = test_database::undecryptable();
    let sql = format!("UPDATE account_mail_servers SET waiting = {garbage}");
    assert_eq!(test_database::execute(folder, &sql), 1);
    let lost = doctor(folder);
    assert!(lost.contains(&format!("decrypts the mail server of {}", shop.account)), "{lost}");
    let shown = shop.show().await.text;
    assert!(shown.contains("encrypted with another server key"), "{shown}");
    for text in [readable, lost, shown] {
        assert!(!text.contains(SECRET), "{text}");
    }
}
