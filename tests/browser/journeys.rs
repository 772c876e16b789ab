//! A payer's ways through a checkout.

use crate::page::Page;
use crate::service::{advance, new_token, start, stop};
use wasm_bindgen_test::wasm_bindgen_test;

const NUMBER: &str = "Mobile money number";
const CONFIRM: &str = "Confirm payment";

#[wasm_bindgen_test]
async fn a_payer_pays_on_mtn() {
    let page = Page::open(&new_token("10.5").await);
    page.type_into(NUMBER, "+233 24 123 4567").await;
    assert!(page.is_picked("MTN MoMo"));
    page.click("Pay GH₵10.50").await;
    page.heading("Approve on your phone").await;
    assert!(page.has_focus("Checkout"));
    page.heading("Payment successful").await;
    assert!(page.has_focus("Checkout"));
    assert!(page.text().contains("567") && page.text().contains("GH₵10.50"), "{}", page.text());
    assert_eq!(page.events(), ["ready", "pending", "successful"]);
}

#[wasm_bindgen_test]
async fn faults_are_all_shown_and_the_first_takes_the_focus() {
    let page = Page::open(&new_token("1").await);
    page.click("Pay GH₵1.00").await;
    page.reads("Choose your network.").await;
    assert_eq!(page.fault_of(NUMBER).as_deref(), Some("Enter your mobile money number."));
    assert!(page.has_focus(NUMBER));
    page.type_into(NUMBER, "024 12").await;
    assert_eq!(page.fault_of(NUMBER), None);
    page.click("Pay GH₵1.00").await;
    page.reads("Enter all 10 digits").await;
    assert_eq!(page.events(), ["ready"], "nothing was sent");
}

#[wasm_bindgen_test]
async fn a_payer_on_telecel_gets_the_voucher_wrong_once() {
    let page = Page::open(&new_token("25").await);
    page.type_into(NUMBER, "0201234567").await;
    page.click("Pay GH₵25.00").await;
    page.heading("Enter your voucher code").await;
    page.type_into("Voucher code", "000000").await;
    page.click(CONFIRM).await;
    page.reads("That code was not right.").await;
    assert!(page.has_focus("Voucher code"));
    assert_eq!(page.value_of("Voucher code").as_deref(), Some(""));
    page.type_into("Voucher code", "123456").await;
    page.click(CONFIRM).await;
    page.heading("Payment successful").await;
    assert_eq!(page.events(), ["ready", "pending", "successful"]);
}

#[wasm_bindgen_test]
async fn a_payer_declines_and_pays_from_another_number() {
    let page = Page::open(&new_token("3.2").await);
    page.type_into(NUMBER, "0241230002").await;
    page.click("Pay GH₵3.20").await;
    page.heading("Payment not completed").await;
    page.reads("The request was declined on the phone.").await;
    page.reads("Attempts left: 4").await;
    page.click("Change number or network").await;
    page.reads("Mobile money number").await;
    assert_eq!(page.value_of(NUMBER).as_deref(), Some("0241230002"));
    page.type_into(NUMBER, "0241234567").await;
    page.click("Pay GH₵3.20").await;
    page.heading("Payment successful").await;
    assert_eq!(page.events(), ["ready", "pending", "failed:customer_rejected", "pending", "successful"]);
}

#[wasm_bindgen_test]
async fn a_reload_in_the_middle_loses_nothing() {
    let token = new_token("7").await;
    let page = Page::open(&token);
    page.type_into(NUMBER, "0241234567").await;
    page.pick("AT Money");
    page.click("Pay GH₵7.00").await;
    page.heading("Approve on your phone").await;
    page.close();
    let page = Page::open(&token);
    page.heading("Payment successful").await;
    assert!(page.text().contains("AT Money"));
}

#[wasm_bindgen_test]
async fn a_paid_checkout_stays_paid() {
    let token = new_token("7").await;
    let page = Page::open(&token);
    page.type_into(NUMBER, "0241234567").await;
    page.click("Pay GH₵7.00").await;
    page.heading("Payment successful").await;
    page.close();
    let page = Page::open(&token);
    page.heading("Payment successful").await;
    assert_eq!(page.events(), ["ready", "successful"]);
}

#[wasm_bindgen_test]
async fn an_unknown_token_is_said_to_be_one() {
    let page = Page::open("tua_checkout_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    page.heading("This payment link is not valid").await;
    assert_eq!(page.events(), ["error:invalid_token"]);
}

#[wasm_bindgen_test]
async fn a_checkout_that_expired_took_no_money() {
    let token = new_token("7").await;
    advance(1_801).await;
    let page = Page::open(&token);
    page.heading("This checkout has expired").await;
    page.reads("No money was taken.").await;
    assert_eq!(page.events(), ["expired"]);
}

#[wasm_bindgen_test]
async fn a_payment_that_outlives_its_token_is_not_paid_again() {
    let page = Page::open(&new_token("7").await);
    page.type_into(NUMBER, "0241230007").await;
    page.click("Pay GH₵7.00").await;
    page.heading("Approve on your phone").await;
    advance(1_801).await;
    page.click("I have approved it").await;
    page.heading("Your payment is still being confirmed").await;
    page.reads("Do not pay again.").await;
    assert_eq!(page.events(), ["ready", "pending", "expired"]);
}

#[wasm_bindgen_test]
async fn a_service_that_goes_away_and_comes_back_loses_no_payment() {
    let page = Page::open(&new_token("7").await);
    page.type_into(NUMBER, "0241230009").await;
    page.click("Pay GH₵7.00").await;
    page.heading("Approve on your phone").await;
    stop().await;
    page.reads("No connection. Your payment goes on, and we keep checking.").await;
    start().await;
    advance(31).await;
    page.heading("Payment successful").await;
    assert_eq!(page.events(), ["ready", "pending", "successful"]);
}

#[wasm_bindgen_test]
async fn a_charge_sent_into_the_dark_is_looked_for_and_sent_once() {
    let page = Page::open(&new_token("7").await);
    page.type_into(NUMBER, "0241234567").await;
    stop().await;
    page.click("Pay GH₵7.00").await;
    page.reads("Checking that your payment started").await;
    start().await;
    page.heading("Payment successful").await;
    assert_eq!(page.events(), ["ready", "pending", "successful"]);
}
