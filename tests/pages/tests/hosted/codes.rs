//! Codes and numbers on the hosted page without script: how they are typed, and how often.

use super::at_page::{AtPage, REFRESHES, assert_hides, assert_shows};
use std::sync::Arc;
use tua_contract::{Step, lifecycle::Observation};
use tua_domain::ports::{CodeResponse, StatusResponse};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    TestApp,
    failing_plan::{Fault, Moment, Plan},
    hosted_page::assert_page,
    scripted_operator::ScriptedOperator,
};

#[tokio::test]
async fn a_number_and_a_code_are_read_as_people_type_and_paste_them() {
    let app = TestApp::start().await;
    let numbers = [
        "%D9%A0%D9%A2%D9%A0+%D9%A1%D9%A2%D9%A3+%D9%A4%D9%A5%D9%A6%D9%A7",
        "%EF%BC%90%EF%BC%92%EF%BC%90%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95\
         %EF%BC%96%EF%BC%97",
        "%EF%BB%BF020%E2%80%8B123%E2%81%A04567%C2%AD",
    ];
    let codes = [
        "123+456",
        "123-456",
        "Your+code+is+123456.+It+ends+in+10+minutes.",
        "%DB%B1%DB%B2%DB%B3%DB%B4%DB%B5%DB%B6",
    ];
    for (place, code) in codes.into_iter().enumerate() {
        let payer = AtPage::of(&app).await;
        payer.post_accepted(&format!("phoneNumber={}&network=TELECEL", numbers[place % 3])).await;
        payer.wait_for_text("Enter your voucher code").await;
        for unsent in [
            "otp=123.456.789",
            "otp=Your+code+is+123456+or+654321",
            &format!("otp={}123456", "+".repeat(500)),
        ] {
            payer.post_rejected(unsent, 422).await;
        }
        // Each of these has a part that looks like a code. It would cost a try.
        for cut in [
            "ABCD-1234",
            "TX4829+is+your+code",
            "OTP+is+48291O",
            "1234_56",
            "1234%3A56",
            "Code+4829+1000+cedis",
        ] {
            let page = payer.post_rejected(&format!("otp={cut}"), 422).await;
            assert_shows(&page, &["Paste the code alone"]);
            assert_hides(&page, &["Tries left"]);
        }
        payer.post_accepted(&format!("otp={code}")).await;
        payer.wait_for_text("Payment successful").await;
    }
    let payer = AtPage::of(&app).await;
    assert_shows(
        &payer.post_rejected("phoneNumber=024.123.4567&network=MTN", 422).await,
        &["Use digits only"],
    );
}

#[tokio::test]
async fn a_wrong_voucher_shows_the_attempts_left() {
    let app = TestApp::start().await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0201234567&network=TELECEL").await;
    let page = payer.wait_for_text("Enter your voucher code").await;
    assert_shows(
        &page,
        &["name=\"otp\"", "*110#", "Not your number?", "ending in 567. Nobody can cancel"],
    );
    assert_hides(&page, &[REFRESHES]);
    let page = payer.post_rejected("otp=12", 422).await;
    assert_shows(&page, &["value=\"12\"", "The code has 4 to 10 letters or digits."]);
    let page = payer.post_rejected("otp=000000", 422).await;
    assert_shows(&page, &["Tries left: 4"]);
    assert_hides(&page, &["000000"]);
    // The same form again, or the same code typed again: the same verdict, and no attempt is used
    // up.
    assert_shows(&payer.post_rejected("otp=000000", 422).await, &["Tries left: 4"]);
    assert_shows(&payer.post_rejected("otp=000001", 422).await, &["Tries left: 3"]);
    assert_shows(&payer.post_rejected("otp=000000", 422).await, &["Tries left: 3"]);
    payer.post_accepted("otp=123456").await;
    payer.post_accepted("otp=000000").await;
    payer.wait_for_text("Payment successful").await;
}

#[tokio::test]
async fn a_right_code_that_was_counted_and_not_delivered_can_be_typed_again() {
    let plan = Plan::default();
    let app =
        TestApp::with_store(OffsetClock::default(), |_| {}, |operators| operators, &plan).await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0201234567&network=TELECEL").await;
    payer.wait_for_text("Enter your voucher code").await;
    plan.begin(Some(Fault { method: Some("count_code_attempt"), moment: Moment::After, times: 1 }));
    assert_page(payer.post("otp=123456").await, 503);
    plan.set(None);
    payer.post_accepted("otp=123456").await;
    payer.wait_for_text("Payment successful").await;
}

#[tokio::test]
async fn a_right_code_whose_verdict_timed_out_can_be_typed_again() {
    let asks_voucher = Observation::Awaits(Step::EnterVoucher);
    let operator = ScriptedOperator::new().sends(move |_| Some(asks_voucher));
    let operator = operator.asks(move |_| Some(StatusResponse::known(asks_voucher)));
    let codes = |time| (time > 1).then_some(CodeResponse::accepted(Observation::Succeeded));
    let operator = Arc::new(operator.codes(codes));
    let app = TestApp::with_stopped_clock(operator.behind_test()).await;
    let payer = AtPage::of(&app).await;
    payer.post_accepted("phoneNumber=0201234567&network=TELECEL").await;
    let timed_out = async {
        app.test_clock.wait_for_sleepers(app.test_clock.now_plus(30), 1).await;
        app.advance(30);
    };
    tokio::join!(payer.post_accepted("otp=123456"), timed_out);
    app.wait_for_due_work().await;
    app.advance(20);
    app.wait_for_due_work().await;
    assert_shows(&payer.load().await.text, &["name=\"otp\""]);
    payer.post_accepted("otp=123456").await;
    assert_shows(&payer.load().await.text, &["Payment successful"]);
    assert_eq!(operator.count("code"), 2);
}
