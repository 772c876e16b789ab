//! Requests that begin payments.

use super::{
    scenario::{Fault, Scenario, variant_name},
    shop::Shop,
};
use serde_json::json;
use std::sync::Arc;
use tua_contract::lifecycle::Observation;
use tua_domain::{
    BatchId, CheckoutId, Kind, LinkId, TransactionId, TransactionOrder,
    payout_batch::{AskedBy, NewBatch},
    payout_route::PayoutRoutes,
    refund::{RefundMethod, RefundOf},
};
use tua_test_support::{
    hosted_page::{FORM_CONTENT_TYPE, send_form},
    refunds,
    scripted_operator::ScriptedOperator,
};

/// A charge of a session of a link for one payment, while another session of it is being paid.
pub struct Charge {
    shop: Shop,
    expired: CheckoutId,
    link: LinkId,
}

impl Charge {
    pub async fn start() -> Self {
        let shop = Shop::start(Arc::new(ScriptedOperator::new()).behind_test()).await;
        let link = json!({ "title": "Invoice 17", "amount": 10.5, "uses": "single" });
        let link = shop.client.post("/v1/links", &link).await.is(201).json();
        let path = format!("/l/{}", link["code"].as_str().unwrap());
        let mut sessions = Vec::new();
        for _ in 0..2 {
            let nobody = shop.app.actor("");
            let opened = send_form(&nobody, &path, "", &[FORM_CONTENT_TYPE]).await.is(303);
            let token = opened.header("location").strip_prefix("/pay?key=").unwrap().to_owned();
            sessions.push(shop.app.actor(&token));
        }
        let found = sessions[1].get("/v1/checkout").await.is(200).json();
        let expired = CheckoutId::new(found["checkoutId"].as_str().unwrap().to_owned());
        sessions[0].charge("0241234567", "MTN").await.is(202);
        shop.begin(shop.payment(Kind::Charge, 1_050), None, &[Shop::single_token_bucket()])
            .await
            .unwrap();
        shop.app.advance(1_800);
        shop.app.wait_for_due_work().await;
        let link = LinkId::new(link["linkId"].as_str().unwrap().to_owned());
        Self { shop, expired, link }
    }
}

impl Scenario for Charge {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        self.shop.set_suspended(faults).await;
        let new = TransactionOrder {
            checkout: faults.contains(&Fault::SessionExpired).then(|| self.expired.clone()),
            link: faults.contains(&Fault::LinkInUse).then(|| self.link.clone()),
            key: self.shop.key_with(faults),
            ..self.shop.payment(Kind::Charge, 1_050)
        };
        let attempt = self.shop.attempt_with(faults);
        self.shop.begin(new, Some(attempt), &Shop::buckets_with(faults)).await
    }
}

/// A refund of a charge of GHS 10.50 by a payout.
pub struct Refund {
    shop: Shop,
    charge: TransactionId,
}

impl Refund {
    pub async fn start() -> Self {
        let operator = ScriptedOperator::new().sends(|_| Some(Observation::Succeeded));
        let shop = Shop::start(Arc::new(operator).behind_test()).await;
        let charge = refunds::charge(&shop.app, &shop.client, "0241234567").await;
        shop.limit_payouts(true, false).await;
        Self { shop, charge: TransactionId::new(charge) }
    }
}

impl Scenario for Refund {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        self.shop.set_suspended(faults).await;
        let pesewas = if faults.contains(&Fault::MoreThanPaid) {
            1_051
        } else if faults.contains(&Fault::AboveLimit) {
            1_050
        } else {
            500
        };
        let refund = RefundOf { charge: self.charge.clone(), method: RefundMethod::Payout };
        let new = TransactionOrder {
            refund: Some(refund),
            key: self.shop.key_with(faults),
            ..self.shop.payment(Kind::Payout, pesewas)
        };
        self.shop.begin(new, Some(self.shop.attempt_with(faults)), &[]).await
    }
}

/// A batch of two payouts.
pub struct Batch(Shop);

impl Batch {
    pub async fn start() -> Self {
        let shop = Shop::start(|operators| operators).await;
        shop.limit_payouts(true, true).await;
        Self(shop)
    }
}

impl Scenario for Batch {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        self.0.set_suspended(faults).await;
        let pesewas = if faults.contains(&Fault::AboveLimit) {
            501
        } else if faults.contains(&Fault::AboveDailyLimit) {
            400
        } else {
            300
        };
        let asked_by = self.0.key_with(faults).map_or(AskedBy::CommandLine, AskedBy::Key);
        let batch = batch(&self.0, asked_by, pesewas);
        let attempt = Some(self.0.attempt_with(faults));
        let now = self.0.now();
        let begun = self.0.store().begin_batch(batch, PayoutRoutes::new(), attempt, None, now);
        begun.await.map(drop).map_err(variant_name)
    }
}

/// A batch of two payouts of so many pesewas.
pub fn batch(shop: &Shop, asked_by: AskedBy, pesewas: i64) -> NewBatch {
    let id = BatchId::mint();
    let line = || TransactionOrder {
        batch: Some(id.clone()),
        key: asked_by.key().cloned(),
        ..shop.payment(Kind::Payout, pesewas)
    };
    let lines = vec![line(), line()];
    let reference = "wages".to_owned();
    NewBatch { lines, scope: shop.scope.clone(), reference, asked_by, id }
}
