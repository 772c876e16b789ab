//! The demo shop of `cargo xtask demo`.

use tua_e2e::demo::Demo;
use tua_e2e::journey;
use tua_e2e::pages::{Checkout, Shop};

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_buys_with_mtn_and_approves_on_the_phone() {
    journey("a payer buys with mtn", |browser| async move {
        let demo = Demo::start().await?;
        let shop = Shop::open(&browser, &demo).await?;
        shop.add("Volta coffee").await?;
        let checkout = shop.go_to_pay().await?;
        checkout.says("80.00").await?;
        checkout.type_number("024 123 4567").await?;
        assert!(checkout.has_chosen("MTN").await?, "the number suggests its network");
        checkout.pay().await?;
        checkout.waits_for_approval().await?;
        shop.says("Your payment is on its way").await?;
        shop.phone().approve().await?;
        checkout.is_paid().await?;
        shop.says("Paid. Thank you!").await?;
        Ok(demo)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_buys_with_a_telecel_voucher_read_from_the_phone() {
    journey("a payer buys with a telecel voucher", |browser| async move {
        let demo = Demo::start().await?;
        let shop = Shop::open(&browser, &demo).await?;
        let checkout = shop.go_to_pay().await?;
        checkout.type_number("0201234567").await?;
        checkout.pay().await?;
        checkout.asks_for_a_voucher().await?;
        let voucher = shop.phone().voucher().await?;
        checkout.enter_voucher(&voucher).await?;
        checkout.is_paid().await?;
        shop.says("Paid. Thank you!").await?;
        Ok(demo)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_declines_and_then_pays() {
    journey("a payer declines then pays", |browser| async move {
        let demo = Demo::start().await?;
        let shop = Shop::open(&browser, &demo).await?;
        let checkout = shop.go_to_pay().await?;
        checkout.type_number("0241234567").await?;
        checkout.pay().await?;
        checkout.waits_for_approval().await?;
        shop.phone().decline().await?;
        checkout.has_failed("The request was declined on the phone.").await?;
        shop.says("Not paid yet").await?;
        checkout.press("Try again").await?;
        checkout.waits_for_approval().await?;
        shop.phone().approve().await?;
        checkout.is_paid().await?;
        Ok(demo)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_of_the_shop_is_paid_on_the_hosted_page() {
    journey("an order is paid on the hosted page", |browser| async move {
        let demo = Demo::start().await?;
        let shop = Shop::open(&browser, &demo).await?;
        shop.go_to_pay().await?;
        let hosted = shop.hosted_page().await?;
        assert!(hosted.starts_with(demo.service()), "{hosted} is the service's");
        browser.open(&hosted).await?;
        let checkout = Checkout::on(&browser);
        checkout.has_taken_over().await?;
        // A test number that requires a passcode, because the hosted page has no simulated phone.
        checkout.type_number("0240000011").await?;
        checkout.pay().await?;
        checkout.shows("Enter the code we sent").await?;
        checkout.enter_passcode("123456").await?;
        checkout.is_paid().await?;
        Ok(demo)
    })
    .await;
}
