//! Requests that create something other than a payment.

use super::{
    scenario::{Fault, Scenario, variant_name},
    shop::Shop,
};
use serde_json::json;
use tua_domain::{
    Checkout, CheckoutId, Kind, LinkId, TransactionId,
    idempotency::{ResponseSnapshot, StoredResponse},
    link::{Link, LinkChange, LinkCode},
    secret::SecretDigest,
};

/// The response that is stored for repetitions of a request.
fn stored_response(shop: &Shop, faults: &[Fault]) -> Option<StoredResponse> {
    let attempt = shop.attempt_with(faults);
    Some(StoredResponse { attempt, snapshot: ResponseSnapshot::NEW_RESOURCE })
}

async fn create_link(shop: &Shop) -> Link {
    let body = json!({ "title": "Invoice 17", "amount": 10.5 });
    let created = shop.client.post("/v1/links", &body).await.is(201).json();
    let code = LinkCode::parse(created["code"].as_str().unwrap()).unwrap();
    shop.store().payment_link_by_code(&code).await.unwrap().unwrap().link
}

/// Opens checkout sessions: without a link, or of a link that is closed.
pub struct Session {
    shop: Shop,
    template: Checkout,
    closed_link: LinkId,
}

impl Session {
    pub async fn start() -> Self {
        let shop = Shop::start(|operators| operators).await;
        let payer = shop.app.payer(&shop.client).await;
        let found = payer.get("/v1/checkout").await.is(200).json();
        let id = CheckoutId::new(found["checkoutId"].as_str().unwrap().to_owned());
        let template = shop.store().checkout(&id).await.unwrap().unwrap();
        let closed_link = create_link(&shop).await.id;
        let by = shop.app.audit();
        let change = LinkChange::Close;
        shop.store().change_payment_link(&shop.scope, &closed_link, change, &by).await.unwrap();
        Self { shop, template, closed_link }
    }
}

impl Scenario for Session {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        self.shop.set_suspended(faults).await;
        let id = CheckoutId::mint();
        let token = SecretDigest::of(id.as_str());
        let checkout = Checkout {
            id,
            created_by: self.shop.key_with(faults),
            link: faults.contains(&Fault::LinkClosed).then(|| self.closed_link.clone()),
            sandbox_ahead: jiff::SignedDuration::ZERO,
            ..self.template.clone()
        };
        let response = stored_response(&self.shop, faults);
        self.shop.store().open_checkout(checkout, token, response).await.map_err(variant_name)
    }
}

/// Creates payment links: with a new code, or with the code of another link.
pub struct PaymentLink {
    shop: Shop,
    template: Link,
}

impl PaymentLink {
    pub async fn start() -> Self {
        let shop = Shop::start(|operators| operators).await;
        let template = create_link(&shop).await;
        Self { shop, template }
    }
}

impl Scenario for PaymentLink {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        self.shop.set_suspended(faults).await;
        let code = if faults.contains(&Fault::CodeTaken) {
            self.template.code.clone()
        } else {
            LinkCode::random()
        };
        let created_by = self.shop.key_with(faults);
        let link = Link { id: LinkId::mint(), code, created_by, ..self.template.clone() };
        let response = stored_response(&self.shop, faults);
        let by = self.shop.app.audit();
        self.shop.store().create_payment_link(link, response, &by).await.map_err(variant_name)
    }
}

/// Enters codes: for a payment that expects one, or for a payment that has ended.
pub struct CodeAttempt {
    shop: Shop,
    waiting: TransactionId,
    ended: TransactionId,
}

impl CodeAttempt {
    pub async fn start() -> Self {
        let shop = Shop::start(|operators| operators).await;
        shop.begin(shop.payment(Kind::Charge, 1_050), None, &[Shop::single_token_bucket()])
            .await
            .unwrap();
        let body = json!({ "amount": 10.5, "phoneNumber": "0201230007", "network": "TELECEL" });
        let waiting = shop.client.post("/v1/charge", &body).await.is(202).json();
        assert_eq!(waiting["nextAction"], "ENTER_VOUCHER");
        let waiting = TransactionId::new(waiting["transactionId"].as_str().unwrap());
        let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
        let ended = TransactionId::new(shop.client.post("/v1/charge", &body).await.is(202).id());
        Self { shop, waiting, ended }
    }
}

impl Scenario for CodeAttempt {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        let id = if faults.contains(&Fault::Ended) { &self.ended } else { &self.waiting };
        let attempt = Some(self.shop.attempt_with(faults));
        let buckets = Shop::buckets_with(faults);
        let now = self.shop.now();
        let counted = self.shop.store().count_code_attempt(id, attempt, buckets, now).await;
        counted.map(drop).map_err(variant_name)
    }
}
