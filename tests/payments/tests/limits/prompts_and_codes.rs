//! Limits of prompts to a phone, and of wrong codes (docs/reference/errors.md).

use super::rate_limits::{
    assert_rate_limited, charge, prompting_operator, rate, rate_limited_service, submit,
};
use std::sync::Arc;
use tua_contract::{Step, lifecycle::Observation};
use tua_domain::{Generation, Mode, ports::CodeResponse};
use tua_net::limits::Rates;
use tua_test_support::{
    hosted_page::{FORM_CONTENT_TYPE, send_form},
    idempotency::{PAYMENT, count, send_with_key},
    payment_bodies::payment_with,
    scripted_operator::ScriptedOperator,
};

#[tokio::test]
async fn code_guesses_are_limited_for_each_session_over_all_its_charges() {
    let rates = Rates { passcode: rate(7, 420), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let first = payer.charge("0241230007", "MTN").await.is(202).id();
    for _ in 0..5 {
        submit(&payer, &first).await.is(200);
    }
    let second = payer.charge("0241230007", "MTN").await.is(202).id();
    submit(&payer, &second).await.is(200);
    submit(&payer, &second).await.is(200);
    assert_rate_limited(submit(&payer, &second).await, 60, "passcode", "q=7;w=420");
    assert_eq!(
        payer.status(&second).await["codeAttemptsLeft"],
        3,
        "a rate-limited code uses no attempt"
    );
    submit(&payer, "txn_unknown").await.is(404);
    app.advance(60);
    submit(&payer, &second).await.is(200);
    assert_rate_limited(submit(&payer, &second).await, 60, "passcode", "q=7;w=420");
    let other = app.payer(&shop).await;
    let third = other.charge("0241230007", "MTN").await.is(202).id();
    submit(&other, &third).await.is(200);
}

#[tokio::test]
async fn a_merchants_code_guesses_are_limited_for_each_transaction() {
    let rates = Rates { passcode: rate(2, 120), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    for phone in ["0241230007", "0241230008"] {
        let id = charge(&shop, phone).await.is(202).id();
        submit(&shop, &id).await.is(200);
        submit(&shop, &id).await.is(200);
        assert_rate_limited(submit(&shop, &id).await, 60, "passcode", "q=2;w=120");
    }
}

#[tokio::test]
async fn an_account_can_prompt_a_phone_three_times_in_ten_minutes_in_live_mode() {
    let operator = prompting_operator();
    let app = rate_limited_service(Rates::default(), operator.behind_live()).await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    for _ in 0..3 {
        charge(&shop, "0241230007").await.is(202);
    }
    assert_rate_limited(charge(&shop, "0241230007").await, 200, "prompt", "q=3;w=600");
    charge(&shop, "0241230008").await.is(202);
    let other = app.merchant(Mode::Live, Generation::V2).await;
    charge(&other, "0241230007").await.is(202);
    let payout = payment_with("phoneNumber", Some("\"0241230007\""));
    shop.post_text("/v1/payout", &payout).await.is(202);
    assert_eq!(
        (operator.count("send"), count(&app, "transactions")),
        (6, 6),
        "nothing is stored of rejected charges"
    );
    app.advance(199);
    assert_rate_limited(charge(&shop, "0241230007").await, 1, "prompt", "q=3;w=600");
    app.advance(1);
    charge(&shop, "0241230007").await.is(202);
}

#[tokio::test]
async fn all_accounts_together_can_prompt_a_phone_only_so_often_a_day() {
    let rates = Rates { prompt_daily: rate(4, 86_400), ..Rates::default() };
    let operator = prompting_operator();
    let mut app = rate_limited_service(rates, operator.behind_live()).await;
    let mut shops = Vec::new();
    for _ in 0..2 {
        let shop = app.merchant(Mode::Live, Generation::V2).await;
        for _ in 0..2 {
            charge(&shop, "0241230007").await.is(202);
        }
        shops.push(shop);
    }
    for shop in &shops {
        assert_rate_limited(charge(shop, "0241230007").await, 21_600, "prompt", "q=4;w=86400");
    }
    charge(&shops[0], "0241230008").await.is(202);
    app.restart_with(operator.behind_live()).await;
    assert_rate_limited(charge(&shops[0], "0241230007").await, 21_600, "prompt", "q=4;w=86400");
    // A charge that the daily limit refused did not use up the account's limit.
    app.advance(21_600);
    charge(&shops[0], "0241230007").await.is(202);
    assert_rate_limited(charge(&shops[1], "0241230007").await, 21_600, "prompt", "q=4;w=86400");
}

#[tokio::test]
async fn a_daily_limit_in_test_mode_counts_apart_from_live_mode() {
    let rates = Rates {
        prompt_daily: rate(2, 86_400),
        prompt_daily_test: rate(2, 86_400),
        ..Rates::default()
    };
    let operator = prompting_operator();
    let in_test = operator.behind_test();
    let in_live = operator.behind_live();
    let app = rate_limited_service(rates, |operators| in_live(in_test(operators))).await;
    let shop = app.shop().await;
    let other = app.shop().await;
    charge(&shop, "0241230007").await.is(202);
    charge(&other, "0241230007").await.is(202);
    assert_rate_limited(charge(&shop, "0241230007").await, 43_200, "prompt", "q=2;w=86400");
    assert_rate_limited(charge(&other, "0241230007").await, 43_200, "prompt", "q=2;w=86400");
    let live = app.merchant(Mode::Live, Generation::V2).await;
    for _ in 0..2 {
        charge(&live, "0241230007").await.is(202);
    }
    assert_rate_limited(charge(&live, "0241230007").await, 43_200, "prompt", "q=2;w=86400");
}

#[tokio::test]
async fn wrong_codes_are_limited_for_each_phone_over_all_accounts() {
    let rates = Rates { passcode_phone: rate(3, 300), ..Rates::default() };
    let operator = prompting_operator();
    let mut app = rate_limited_service(rates, operator.behind_test()).await;
    let mut last = None;
    for _ in 0..3 {
        let shop = app.shop().await;
        let id = charge(&shop, "0241230007").await.is(202).id();
        submit(&shop, &id).await.is(200);
        last = Some((shop, id));
    }
    let (shop, id) = last.unwrap();
    assert_rate_limited(submit(&shop, &id).await, 100, "passcode", "q=3;w=300");
    assert_eq!(
        shop.status(&id).await["codeAttemptsLeft"],
        4,
        "a rate-limited code uses no attempt"
    );
    let free = charge(&shop, "0241230008").await.is(202).id();
    submit(&shop, &free).await.is(200);
    app.restart_with(operator.behind_test()).await;
    assert_rate_limited(submit(&shop, &id).await, 100, "passcode", "q=3;w=300");
    app.advance(100);
    submit(&shop, &id).await.is(200);
}

#[tokio::test]
async fn a_right_code_does_not_count_against_its_phone() {
    let rates =
        Rates { passcode_phone: rate(1, 300), passcode_address: rate(1, 300), ..Rates::default() };
    let operator = ScriptedOperator::new()
        .sends(|_| Some(Observation::Awaits(Step::EnterOtp)))
        .codes(|_| Some(CodeResponse::accepted(Observation::Awaits(Step::Wait))));
    let app = rate_limited_service(rates, Arc::new(operator).behind_test()).await;
    let shop = app.shop().await;
    for _ in 0..4 {
        let payer = app.payer(&shop).await;
        let id = payer.charge("0241230007", "MTN").await.is(202).id();
        submit(&payer, &id).await.is(200);
    }
}

#[tokio::test]
async fn wrong_codes_of_payers_are_limited_for_each_address() {
    let rates = Rates { passcode_address: rate(2, 60), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    let mut payers = Vec::new();
    for number in 0..4 {
        let payer = app.payer(&shop).await;
        let id = payer.charge(&format!("024123000{number}"), "MTN").await.is(202).id();
        payers.push((payer, id));
    }
    for (payer, id) in &payers[..3] {
        submit(payer, id).await.is(200);
    }
    for (payer, id) in &payers[2..] {
        assert_rate_limited(submit(payer, id).await, 30, "passcode", "q=2;w=60");
        let path = format!("/pay?key={}", payer.credential);
        send_form(payer, &path, "otp=9999", &[FORM_CONTENT_TYPE]).await.is(429);
    }
    // All codes that a merchant submits come from one address.
    let id = charge(&shop, "0241230009").await.is(202).id();
    submit(&shop, &id).await.is(200);
    app.advance(30);
    let (payer, id) = &payers[3];
    submit(payer, id).await.is(200);
}

#[tokio::test]
async fn an_account_can_prompt_a_phone_three_hundred_times_in_test_mode() {
    let app = rate_limited_service(Rates::default(), prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    for _ in 0..300 {
        charge(&shop, "0241230007").await.is(202);
    }
    assert_rate_limited(charge(&shop, "0241230007").await, 2, "prompt", "q=300;w=600");
}

#[tokio::test]
async fn a_rejected_charge_does_not_count_as_a_prompt() {
    let rates = Rates { prompt_test: rate(2, 600), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    let payer = app.payer(&shop).await;
    let phone = "0241230007";
    for _ in 0..3 {
        shop.post_text("/v1/charge", &payment_with("amount", Some("0"))).await.is(422);
        send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    }
    payer.charge(phone, "MTN").await.is(202);
    // The limit is exhausted. Reads of the session and replays still come first.
    for _ in 0..3 {
        payer.charge(phone, "MTN").await.is_problem(409, "charge_in_progress");
        send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.is(202);
    }
    assert_rate_limited(charge(&shop, phone).await, 300, "prompt", "q=2;w=600");
}

#[tokio::test(flavor = "multi_thread")]
async fn racing_requests_with_one_idempotency_key_count_as_one_prompt() {
    let rates = Rates { prompt_test: rate(2, 600), ..Rates::default() };
    let app = rate_limited_service(rates, prompting_operator().behind_test()).await;
    let shop = app.shop().await;
    let racing: Vec<_> = (0..24)
        .map(|_| {
            let shop = shop.clone();
            tokio::spawn(async move {
                send_with_key(&shop, "/v1/charge", "k", PAYMENT).await.status.as_u16()
            })
        })
        .collect();
    for one in racing {
        let status = one.await.unwrap();
        assert!(matches!(status, 202 | 409), "{status}");
    }
    charge(&shop, "0241230007").await.is(202);
    assert_rate_limited(charge(&shop, "0241230007").await, 300, "prompt", "q=2;w=600");
}

#[tokio::test]
async fn prompt_and_code_limits_survive_a_restart() {
    let rates = Rates { prompt_test: rate(2, 600), passcode: rate(2, 120), ..Rates::default() };
    let operator = prompting_operator();
    let mut app = rate_limited_service(rates, operator.behind_test()).await;
    let shop = app.shop().await;
    let id = charge(&shop, "0241230007").await.is(202).id();
    charge(&shop, "0241230007").await.is(202);
    submit(&shop, &id).await.is(200);
    submit(&shop, &id).await.is(200);
    app.restart_with(operator.behind_test()).await;
    assert_rate_limited(charge(&shop, "0241230007").await, 300, "prompt", "q=2;w=600");
    assert_rate_limited(submit(&shop, &id).await, 60, "passcode", "q=2;w=120");
    charge(&shop, "0241230008").await.is(202);
    app.advance(300);
    charge(&shop, "0241230007").await.is(202);
    submit(&shop, &id).await.is(200);
}
