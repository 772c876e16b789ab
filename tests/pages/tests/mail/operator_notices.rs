//! Security notices about operators that people connect: to the owners of the account.

use tua_domain::mail::{MailFilter, MailKind};
use tua_emulator::{MtnCredentials, PaystackCredentials};
use tua_test_support::connected_shop::{ConnectedShop, mtn_fields, paystack_fields, rotated};

/// A shop whose owner has enrolled, with e-mail that nothing sends.
async fn shop_with_mail() -> ConnectedShop {
    let shop = ConnectedShop::start().await;
    shop.app.running().store.set_mail(true).await.unwrap();
    shop.app.query_number("UPDATE users SET password = 'x' RETURNING CAST(1 AS BIGINT)");
    shop
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_are_told_about_each_change_of_an_operator_and_not_about_its_check() {
    let shop = shop_with_mail().await;
    let id = shop.connect("mtn", &mtn_fields(&MtnCredentials::default())).await;
    let mut told = vec!["OPERATOR_CONNECTED"];
    assert_eq!(shop.app.notices().await, told);
    shop.accept(&id).await;
    assert_eq!(shop.app.notices().await, told);
    shop.serve(&id, &["MTN:CHARGE"]).await;
    told.push("OPERATOR_ROUTED");
    assert_eq!(shop.app.notices().await, told);
    shop.serve(&id, &["MTN:CHARGE"]).await;
    assert_eq!(shop.app.notices().await, told, "the same networks again");
    shop.done(&id, "replace", &mtn_fields(&rotated())).await;
    told.insert(1, "OPERATOR_REPLACED");
    assert_eq!(shop.app.notices().await, told);
    shop.done(&id, "retire", &[]).await;
    told.insert(2, "OPERATOR_RETIRED");
    assert_eq!(shop.app.notices().await, told);
    let mails = shop.app.running().store.mail(&MailFilter::default(), 100).await.unwrap();
    for mail in mails.iter().filter(|mail| mail.kind == MailKind::Security) {
        let detail = mail.detail.as_deref().unwrap();
        assert!(detail.contains("\nmtn (mtn-momo)\n") && detail.contains("owner@"), "{detail}");
        assert_eq!(mail.account.as_ref(), Some(&shop.account));
        for (_, value) in mtn_fields(&rotated()).iter().filter(|(_, value)| value.len() > 8) {
            assert!(!detail.contains(value), "{detail}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_are_told_which_operator_loses_networks_or_its_place() {
    let shop = shop_with_mail().await;
    let first = shop.connect("mtn", &mtn_fields(&MtnCredentials::default())).await;
    shop.accept(&first).await;
    shop.serve(&first, &["MTN:CHARGE"]).await;
    let key = PaystackCredentials::default().secret_key;
    let second = shop.connect("paystack", &paystack_fields(&key)).await;
    shop.accept(&second).await;
    let count = async |event: &str| {
        shop.app.notices().await.into_iter().filter(|told| *told == event).count()
    };
    assert_eq!(count("OPERATOR_ROUTED").await, 1);
    shop.serve(&second, &["MTN:CHARGE"]).await;
    assert_eq!(count("OPERATOR_ROUTED").await, 3, "the first one lost it, the second one has it");
    let superseding = [paystack_fields(&key), vec![("supersedes", second.as_str())]].concat();
    let third = shop.connect("paystack-next", &superseding).await;
    shop.accept(&third).await;
    assert_eq!(count("OPERATOR_ROUTED").await, 4);
    assert_eq!(count("OPERATOR_RETIRED").await, 1, "the second one was removed by the check");
}
