//! Operators whose credentials are checked as soon as they are saved.

use tua_emulator::MtnCredentials;
use tua_test_support::connected_shop::{ConnectedShop, mtn_fields, version_of};

/// As the button *Save, then check* sends a form.
const THEN: (&str, &str) = ("then", "check");

#[tokio::test(flavor = "multi_thread")]
async fn the_page_after_a_save_has_every_line_of_the_check() {
    let shop = ConnectedShop::start().await;
    let form = shop.owner.get(&shop.page("/operators/new?connector=mtn-momo")).await.is(200).text;
    assert!(form.contains("name=\"then\" value=\"check\">Save, then check<"), "{form}");
    let right = MtnCredentials::default();
    let mut wrong = right.clone();
    wrong.collection.key = "no-such-key".to_owned();
    let fields = [vec![THEN], mtn_fields(&wrong)].concat();
    let saved = shop.send_connect("mtn", &fields).await.is(200);
    for text in ["Saved. The operator does not accept", "collection credentials", ">fault</span>"] {
        assert!(saved.text.contains(text), "{text}: {}", saved.text);
    }
    assert!(saved.text.contains("waits for its check"), "{}", saved.text);
    let id = saved.text.split("/operators/connected/").nth(1).unwrap().split('/').next().unwrap();

    let version = version_of(&shop.show(id).await);
    let fields = [vec![THEN, ("version", &*version)], mtn_fields(&right)].concat();
    let path = shop.page(&format!("/operators/connected/{id}/replace"));
    let replaced = shop.owner.post(&path, &fields).await.is(200).text;
    for text in ["They are in force", "collection credentials", "What it serves"] {
        assert!(replaced.contains(text), "{text}: {replaced}");
    }
}
