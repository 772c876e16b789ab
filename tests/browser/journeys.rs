//! A payer's journeys through a checkout.

use crate::{
    page::Page,
    service::{advance, new_token, start, stop},
};
use wasm_bindgen_test::wasm_bindgen_test;

const NUMBER: &str = "Mobile money number";
const CONFIRM: &str = "Confirm payment";

#[wasm_bindgen_test]
async fn a_payer_pays_on_mtn() {
    let page = Page::open(&new_token("10.5").await);
    page.type_into(NUMBER, "+233 24 123 4567").await;
    assert!(page.is_selected("MTN MoMo"));
    page.click("Pay GH₵10.50").await;
    page.heading("Approve on your phone").await;
    assert!(page.has_focus("Checkout"));
    page.heading("Payment successful").await;
    assert!(page.has_focus("Checkout"));
    assert!(page.text().contains("567") && page.text().contains("GH₵10.50"), "{}", page.text());
    assert_eq!(page.events(), ["ready", "pending", "successful"]);
}

#[wasm_bindgen_test]
async fn every_fault_is_shown_and_the_first_field_gets_the_focus() {
    let page = Page::open(&new_token("1").await);
    page.click("Pay GH₵1.00").await;
    page.shows("Choose your network.").await;
    assert_eq!(page.fault_of(NUMBER).as_deref(), Some("Enter your mobile money number."));
    assert!(page.has_focus(NUMBER));
    page.type_into(NUMBER, "024 12").await;
    assert_eq!(page.fault_of(NUMBER), None);
    page.click("Pay GH₵1.00").await;
    page.shows("Enter all 10 digits").await;
    assert_eq!(page.events(), ["ready"], "nothing was sent");
}

#[wasm_bindgen_test]
async fn a_payer_on_telecel_enters_a_wrong_voucher_first() {
    let page = Page::open(&new_token("25").await);
    page.type_into(NUMBER, "0201234567").await;
    page.click("Pay GH₵25.00").await;
    page.heading("Enter your voucher code").await;
    page.type_into("Voucher code", "000000").await;
    page.click(CONFIRM).await;
    page.shows("That code was not right.").await;
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
    page.shows("The request was declined on the phone.").await;
    page.shows("Attempts left: 4").await;
    page.click("Change number or network").await;
    page.shows("Mobile money number").await;
    assert_eq!(page.value_of(NUMBER).as_deref(), Some("0241230002"));
    page.type_into(NUMBER, "0241234567").await;
    page.click("Pay GH₵3.20").await;
    page.heading("Payment successful").await;
    assert_eq!(
        page.events(),
        ["ready", "pending", "failed:customer_rejected", "pending", "successful"]
    );
}

#[wasm_bindgen_test]
async fn a_payment_continues_after_a_reload() {
    let token = new_token("7").await;
    let page = Page::open(&token);
    page.type_into(NUMBER, "0241234567").await;
    page.select("AT Money");
    page.click("Pay GH₵7.00").await;
    page.heading("Approve on your phone").await;
    page.close();
    let page = Page::open(&token);
    page.heading("Payment successful").await;
    assert!(page.text().contains("AT Money"));
}

#[wasm_bindgen_test]
async fn a_paid_checkout_shows_its_receipt_after_a_reload() {
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
async fn an_unknown_token_shows_that_the_link_is_not_valid() {
    let page = Page::open("tua_checkout_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    page.heading("This payment link is not valid").await;
    assert_eq!(page.events(), ["error:invalid_token"]);
}

#[wasm_bindgen_test]
async fn an_expired_checkout_shows_that_no_money_was_taken() {
    let token = new_token("7").await;
    advance(1_801).await;
    let page = Page::open(&token);
    page.heading("This checkout has expired").await;
    page.shows("No money was taken.").await;
    assert_eq!(page.events(), ["expired"]);
}

#[wasm_bindgen_test]
async fn a_pending_payment_with_an_expired_token_warns_not_to_pay_again() {
    let page = Page::open(&new_token("7").await);
    page.type_into(NUMBER, "0241230007").await;
    page.click("Pay GH₵7.00").await;
    page.heading("Approve on your phone").await;
    advance(1_801).await;
    page.click("I have approved it").await;
    page.heading("Your payment is still being confirmed").await;
    page.shows("Do not pay again.").await;
    assert_eq!(page.events(), ["ready", "pending", "expired"]);
}

#[wasm_bindgen_test]
async fn a_payment_succeeds_after_the_service_was_down() {
    let page = Page::open(&new_token("7").await);
    page.type_into(NUMBER, "0241230009").await;
    page.click("Pay GH₵7.00").await;
    page.heading("Approve on your phone").await;
    stop().await;
    page.shows("No connection. Your payment goes on, and we keep checking.").await;
    start().await;
    advance(31).await;
    page.heading("Payment successful").await;
    assert_eq!(page.events(), ["ready", "pending", "successful"]);
}

#[wasm_bindgen_test]
async fn a_translated_page_shows_the_outcome() {
    let page = Page::open(&new_token("25").await);
    page.translate();
    page.type_into(NUMBER, "02012").await;
    page.translate();
    page.click("Pay GH₵25.00").await;
    page.shows("Enter all 10 digits").await;
    page.translate();
    page.type_into(NUMBER, "0201234567").await;
    page.click("Pay GH₵25.00").await;
    page.heading("Enter your voucher code").await;
    page.translate();
    page.type_into("Voucher code", "000000").await;
    page.click(CONFIRM).await;
    page.shows("That code was not right.").await;
    page.translate();
    page.type_into("Voucher code", "123 456").await;
    page.click(CONFIRM).await;
    page.heading("Payment successful").await;
    assert_eq!(page.events(), ["ready", "pending", "successful"]);
}

#[wasm_bindgen_test]
async fn what_an_extension_removes_is_drawn_again() {
    let page = Page::open(&new_token("7").await);
    page.type_into(NUMBER, "0241234567").await;
    page.click("Pay GH₵7.00").await;
    page.heading("Approve on your phone").await;
    page.remove_content();
    page.heading("Payment successful").await;
}

#[wasm_bindgen_test]
async fn a_number_without_an_event_is_charged_as_the_field_shows_it() {
    let page = Page::open(&new_token("7").await);
    page.type_into(NUMBER, "0241230002").await;
    page.set_silently(NUMBER, "0241234567");
    page.click("Pay GH₵7.00").await;
    page.heading("Payment successful").await;
    assert!(page.text().contains("567"), "{}", page.text());
}

#[wasm_bindgen_test]
async fn an_unanswered_charge_is_checked_and_sent_once() {
    let page = Page::open(&new_token("7").await);
    page.type_into(NUMBER, "0241234567").await;
    stop().await;
    page.click("Pay GH₵7.00").await;
    page.shows("Checking that your payment started").await;
    start().await;
    page.heading("Payment successful").await;
    assert_eq!(page.events(), ["ready", "pending", "successful"]);
}
