//! What the server keys do not decrypt: where people and administrators see it.

use super::connected_operators::Log;
use tracing_subscriber::filter::LevelFilter;
use tua_domain::people::Role;
use tua_emulator::PaystackCredentials;
use tua_test_support::{
    binary::run,
    connected_shop::{ConnectedShop, paystack_fields},
    test_database,
};

#[tokio::test]
async fn credentials_that_cannot_be_decrypted_are_named_and_logged_once() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::ERROR)
        .with_writer(move || writer.clone())
        .finish();
    // With a second one, tracing asks both about each event, on every thread.
    let second = tracing::Dispatch::new(tracing_subscriber::registry());
    let logging = tracing::subscriber::set_default(subscriber);
    let mut shop = ConnectedShop::start().await;
    let broken = shop.connect_mtn("broken").await;
    let garbage = test_database::undecryptable();
    let folder = shop.app.folder.path().to_owned();
    let sql = format!("UPDATE connected_operators SET credentials = {garbage}");
    assert_eq!(test_database::execute(&folder, &sql), 1);
    shop.app.restart().await;
    let key = PaystackCredentials::default().secret_key;
    let other = shop.connect("paystack", &paystack_fields(&key)).await;
    shop.accept(&other).await;
    // Each change loads all operators. This one takes nothing from the other.
    for _ in 0..3 {
        shop.serve(&other, &["TELECEL:CHARGE"]).await;
    }
    let text = String::from_utf8_lossy(&log.lines()).into_owned();
    assert_eq!(text.matches("a connected operator cannot be used").count(), 1, "{text}");
    let listed = shop.owner.get(&shop.page("/operators")).await.is(200).text;
    assert!(listed.contains("cannot be used: its credentials cannot be read"), "{listed}");
    // A new version is logged again.
    let developer = shop.app.browser_of(&shop.account, Role::Developer).await;
    let listed = developer.get(&shop.page("/operators")).await.is(200).text;
    assert!(!listed.contains(&broken), "{listed}");
    shop.done(&broken, "retire", &[]).await;
    let text = String::from_utf8_lossy(&log.lines()).into_owned();
    assert_eq!(text.matches("a connected operator cannot be used").count(), 2, "{text}");
    drop((logging, second));
    let doctor = String::from_utf8(run(&folder, &["doctor"]).stdout).unwrap();
    let named = format!("decrypts the credentials of the operator {broken} (broken)");
    assert!(doctor.contains(&named) && !doctor.contains(&other), "{doctor}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_channel_that_fails_or_cannot_be_decrypted_is_named_by_doctor() {
    let shop = ConnectedShop::start().await;
    let channels = shop.page("/alerts");
    let telegram = [
        ("service", "telegram"),
        ("token", "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        ("chat", "@adom"),
        ("topic", "float"),
    ];
    shop.owner.post(&channels, &telegram).await.is(200);
    let folder = shop.app.folder.path().to_owned();
    let doctor = || String::from_utf8(run(&folder, &["doctor"]).stdout).unwrap();
    let all_right = doctor();
    assert!(all_right.contains("the server keys decrypt all of them"), "{all_right}");
    assert!(!all_right.contains("alert channel alc_"), "{all_right}");
    let failing = "UPDATE alert_channels SET attempts = 3, given_up = 2";
    assert_eq!(test_database::execute(&folder, failing), 1);
    let warned = doctor();
    assert!(warned.contains("3 attempts failed since the last success, and 2 alerts"), "{warned}");
    let garbage = test_database::undecryptable();
    let sql = format!("UPDATE alert_channels SET target = {garbage}");
    assert_eq!(test_database::execute(&folder, &sql), 1);
    let lost = doctor();
    assert!(lost.contains("decrypts the address of the alert channel alc_"), "{lost}");
}
