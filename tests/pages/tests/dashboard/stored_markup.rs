//! Markup in what operators and people write: no page and no e-mail of the dashboard has it as
//! markup.

use async_trait::async_trait;
use serde_json::json;
use std::{collections::HashMap, sync::Arc};
use tua_contract::{Code, FailureCode, Network, Phone, lifecycle::Observation};
use tua_domain::{
    AccountId, Generation, Kind, Mode, Scope, TransactionId,
    capabilities::Capabilities,
    change::Change,
    mail::{Alert, AlertKind, MailFilter, ReportInterval},
    payout_controls::ControlsChange,
    people::Role,
    ports::{
        AccountChange, Balance, CallbackRefusal, CallbackRequest, CancelResponse, CheckResult,
        Clock, CodeResponse, Operator, Order, ReadError, SendPermit, SendResponse, SentOrder,
        StatusResponse, VerifiedCallback,
    },
    routing::{OperatorEntry, OperatorFingerprint, Operators, PinnedOperator},
};
use tua_mail::composer::{Composed, Composer};
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, TestApp,
    dashboard::{Browser, page},
    fake_operator::confirmed,
    payout_batches::{batch_id, batch_of, begin},
    payout_controls::pay_out,
    refunds::refund,
    test_database,
};

const MARKUP: &str = "<script>alert(1)</script>";

/// How a page shows it.
const ESCAPED: &str = "&lt;script&gt;alert(1)";

/// An operator that writes markup wherever it writes text. Charges of GHS 7 fail, those of GHS 8
/// stay pending, and the ids of those of GHS 9 have control characters.
#[derive(Debug)]
struct MarkupOperator;

#[async_trait]
impl Operator for MarkupOperator {
    fn capabilities(&self) -> Capabilities {
        let capabilities = Capabilities::serving(&Network::ALL, Kind::ALL);
        Capabilities { refuses_repeats: true, has_account_names: true, ..capabilities }
    }

    async fn send(&self, order: &Order, _: &SendPermit) -> SendResponse {
        let observation = match order.transfer.amount.pesewas() {
            700 => Observation::Failed(FailureCode::Unspecified),
            800 => Observation::StillPending,
            _ => Observation::Succeeded,
        };
        let mut report = confirmed(observation, order.transfer.amount);
        let id = if order.transfer.amount.pesewas() == 900 { "MP\0 7\u{1b}[2J" } else { MARKUP };
        report.details.transaction_id = Some(id.to_owned());
        report.details.order_id = Some(id.to_owned());
        report.into()
    }

    async fn submit_code(&self, _: &SentOrder, _: &Code) -> CodeResponse {
        CodeResponse::Unanswered
    }

    async fn query_status(&self, _: &SentOrder) -> StatusResponse {
        StatusResponse::known(Observation::StillPending)
    }

    async fn cancel(&self, _: &SentOrder) -> CancelResponse {
        CancelResponse::NotConfirmed
    }

    async fn balances(&self) -> Result<Vec<Balance>, ReadError> {
        let account = MARKUP.to_owned();
        let currency = MARKUP.to_owned();
        Ok(vec![Balance { account, minor_units: 0, currency, pays_out: true }])
    }

    async fn account_name(&self, _: Network, _: &Phone) -> Result<Option<String>, ReadError> {
        Ok(Some(MARKUP.to_owned()))
    }

    async fn check(&self) -> Vec<CheckResult> {
        let outcomes = [Ok(MARKUP.to_owned()), Err(MARKUP.to_owned())];
        outcomes.map(|outcome| CheckResult::new(MARKUP, outcome)).into()
    }

    async fn verify_callback(
        &self,
        _: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        Err(CallbackRefusal::Unreadable)
    }
}

/// An account whose live payments go to that operator, and whose people write markup too.
struct Rig {
    app: TestApp,
    account: AccountId,
    shop: ApiClient,
    owner: Browser,
}

impl Rig {
    async fn start() -> Self {
        let pin = PinnedOperator {
            name: "mtn".parse().unwrap(),
            fingerprint: OperatorFingerprint::of(&["mtn"]),
        };
        let name = pin.name.clone();
        let entry = Arc::new(OperatorEntry::new(pin, Mode::Live, Arc::new(MarkupOperator)));
        let routes =
            Kind::ALL.iter().map(|kind| ((Mode::Live, Network::Mtn, *kind), vec![name.clone()]));
        let operators = Operators::new(vec![entry.clone()], routes.collect::<HashMap<_, _>>());
        let app = TestApp::with_clock(OffsetClock::default(), |_| {}, |_| operators).await;
        entry.read_balances(&app.clock).await.unwrap();
        let store = &app.running().store;
        store.set_mail(true).await.unwrap();
        let account = app.account(MARKUP).await;
        store
            .change_account(&account, AccountChange::SendReceipts(true), &app.audit())
            .await
            .unwrap();
        let owner = app.browser_of(&account, Role::Owner).await;
        let named = format!("UPDATE users SET name = '{MARKUP}', password = 'x'");
        test_database::execute(app.folder.path(), &named);
        let shop = app.key(&account, Mode::Live, Generation::V2).await;
        Self { app, account, shop, owner }
    }

    fn path(&self, path: &str) -> String {
        page(&self.account, Mode::Live, path)
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) {
        self.owner.post_confirmed(&self.path(path), fields).await.is(303);
    }

    async fn charge(&self, amount: f64) -> String {
        let body = json!({
            "amount": amount,
            "phoneNumber": "0241234567",
            "network": "MTN",
            "payerMessage": MARKUP,
        });
        self.shop.post("/v1/charge", &body).await.is(202).id()
    }

    /// Asserts that a page has no markup of theirs, and that it has their text so many times at
    /// least.
    async fn assert_escaped(&self, path: &str, least: usize) {
        let shown = self.owner.get(&self.path(path)).await.is(200).text;
        assert_escaped(path, &shown, least);
    }
}

#[track_caller]
fn assert_escaped(what: &str, shown: &str, least: usize) {
    assert!(!shown.contains("<script>alert"), "{what}: {shown}");
    assert!(
        shown.matches(ESCAPED).count() >= least,
        "{what} does not show it {least} times: {shown}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_operator_writes_is_text_on_every_page() {
    let rig = Rig::start().await;
    let paid = rig.app.payer(&rig.shop).await.charge("0241234567", "MTN").await.is(202).id();
    let failed = rig.charge(7.0).await;
    for id in [&paid, &failed] {
        rig.shop.until(id, |status| status["status"] != "PENDING").await;
        // The title, the layout and the operator's id.
        rig.assert_escaped(&format!("/payments/{id}"), 3).await;
    }
    rig.assert_escaped("/payments?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E", 1).await;
    rig.assert_escaped("/operators", 3).await;
    let checked = rig.owner.post(&rig.path("/operators/mtn/check"), &[]).await.is(200).text;
    assert_escaped("the check of an operator", &checked, 5);
    let file = "phone,network,amount,name\n0241234568,MTN,5,<script>alert(1)\n";
    let checked =
        rig.owner.post_file(&rig.path("/payouts/upload"), &[("csv", file)]).await.is(200).text;
    assert_escaped("the check of a file", &checked, 3);

    let scope = Scope { account: rig.account.clone(), mode: Mode::Live };
    let change = ControlsChange {
        approval_above: Change::Set("0".parse().unwrap()),
        ..ControlsChange::default()
    };
    rig.app.running().store.set_payout_controls(&scope, change, &rig.app.audit()).await.unwrap();
    pay_out(&rig.shop, 5.0).await.is(202);
    rig.assert_escaped("/payouts", 3).await;
    let batch = batch_id(&begin(&rig.shop, &batch_of(&[5.0])).await.is(202));
    rig.assert_escaped(&format!("/payouts/batches/{batch}"), 3).await;
    for path in
        ["/home", "/review", "/refunds", "/checkouts", "/webhooks", "/audit", "/settings", "/keys"]
    {
        rig.assert_escaped(path, 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_id_with_control_characters_is_left_out_and_hinders_no_outcome() {
    let rig = Rig::start().await;
    let id = rig.charge(9.0).await;
    rig.shop.until(&id, |status| status["status"] == "SUCCESSFUL").await;
    assert_eq!(
        rig.app.query_number(
            "SELECT count(*) FROM transactions WHERE operator_transaction_id IS NOT NULL"
        ),
        0
    );
    rig.assert_escaped(&format!("/payments/{id}"), 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_people_write_is_text_on_every_page() {
    let rig = Rig::start().await;
    let paid = rig.charge(5.0).await;
    rig.shop.until(&paid, |status| status["status"] == "SUCCESSFUL").await;
    refund(&rig.shop, json!({ "transactionId": paid, "reason": MARKUP })).await.is(202);
    rig.assert_escaped("/refunds", 2).await;

    let flagged = rig.charge(8.0).await;
    let flag = format!(
        "UPDATE transactions SET review_at = created_at WHERE id = '{flagged}' AND status = \
         'PENDING'"
    );
    assert_eq!(test_database::execute(rig.app.folder.path(), &flag), 1);
    rig.assert_escaped("/review", 1).await;
    let decision = [("outcome", "successful"), ("note", MARKUP)];
    rig.post(&format!("/payments/{flagged}/settle"), &decision).await;
    // The title, the layout, the payer's message and the note.
    rig.assert_escaped(&format!("/payments/{flagged}"), 4).await;

    let scope = Scope { account: rig.account.clone(), mode: Mode::Live };
    let change = ControlsChange {
        approval_above: Change::Set("0".parse().unwrap()),
        ..ControlsChange::default()
    };
    rig.app.running().store.set_payout_controls(&scope, change, &rig.app.audit()).await.unwrap();
    let refused = pay_out(&rig.shop, 5.0).await.is(202).id();
    rig.post(&format!("/payouts/{refused}/refuse"), &[("note", MARKUP)]).await;
    rig.assert_escaped(&format!("/payments/{refused}"), 3).await;
    let approved = pay_out(&rig.shop, 6.0).await.is(202).id();
    let by = MARKUP.parse().unwrap();
    let approve = tua_domain::approval::PayoutDecision::Approve { by };
    let payouts = &rig.app.running().payouts;
    payouts.decide(&TransactionId::new(&*approved), approve, &rig.app.audit()).await.unwrap();
    rig.assert_escaped(&format!("/payments/{approved}"), 3).await;

    for path in ["/people", "/audit", "/home", "/payments"] {
        rig.assert_escaped(path, 2).await;
    }
    let security = rig.owner.get("/dashboard/security").await.is(200).text;
    assert_escaped("the person's own page", &security, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_operators_and_people_write_is_text_in_every_email() {
    let rig = Rig::start().await;
    let paid = rig.app.payer(&rig.shop).await.charge("0241234567", "MTN").await.is(202).id();
    rig.shop.until(&paid, |status| status["status"] == "SUCCESSFUL").await;
    let store = rig.app.running().store.clone();
    let now = rig.app.test_clock.now();
    let scope = Scope { account: rig.account.clone(), mode: Mode::Live };
    for (kind, subject) in [(AlertKind::OperatorDown, MARKUP), (AlertKind::Review, &paid)] {
        let alert =
            Alert { scope: scope.clone(), kind, subject: subject.to_owned(), occurred_at: now };
        store.add_alert(alert).await.unwrap();
    }
    let day = jiff::SignedDuration::from_hours(48);
    store.dispatch_alerts(now + day).await.unwrap();
    let owner = store.user_by_email(&"owner@example.com".parse().unwrap()).await.unwrap().unwrap();
    store.set_report_interval(&owner, Some(ReportInterval::Daily), &rig.app.audit()).await.unwrap();
    store.dispatch_reports(now + day).await.unwrap();
    let people = rig.path("/people/invite");
    rig.owner.post(&people, &[("email", "kofi@example.com"), ("role", "viewer")]).await.is(200);

    let composer = Composer {
        contents: rig.app.running().mail_contents(),
        public_url: rig.app.origin.clone(),
        dashboard_url: rig.app.origin.clone(),
    };
    let mails = store.mail(&MailFilter::default(), 100).await.unwrap();
    let mut kinds: Vec<&str> = mails.iter().map(|mail| mail.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, ["ALERTS", "INVITATION", "RECEIPT", "REPORT", "SECURITY"]);
    for mail in mails {
        let Composed::Ready(message) = composer.compose(&mail, now).await.unwrap() else {
            panic!("{mail:?}")
        };
        // The name of the account, and in a receipt the operator's id.
        let least = if mail.kind.as_str() == "RECEIPT" { 2 } else { 1 };
        assert_escaped(mail.kind.as_str(), &message.html, least);
        assert!(!message.subject.contains('\n'), "{}", message.subject);
    }
}
