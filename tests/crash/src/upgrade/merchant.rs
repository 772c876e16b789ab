//! The merchant whose service is upgraded, and what is around the service.

use crate::{operators::Operators, receiver::WebhookReceiver, service::Shop};
use anyhow::Result;
use std::{path::Path, sync::Arc};

/// The seed of the routes: MTN to MTN MoMo, TELECEL to Paystack, AIRTELTIGO to pawaPay.
const ROUTES: u64 = 0;

/// What is around the service, and is not upgraded.
pub struct Surroundings {
    pub operators: Arc<Operators>,
    pub receiver: WebhookReceiver,
}

/// The merchant as the programs see it, in both modes.
pub struct Merchant {
    /// With the older program and a live key.
    pub older: Shop,
    /// With the newer program and a live key.
    pub newer: Shop,
    /// With the newer program and a test key.
    pub test: Shop,
}

impl Merchant {
    /// Gives a merchant, whose account the older program has made, a webhook endpoint in test mode,
    /// and operators and a key in live mode.
    pub fn new(mut shop: Shop, newer: &Path, around: &Surroundings) -> Result<Self> {
        shop.add_endpoint(around.receiver.url())?;
        let test = shop.with_program(newer)?;
        shop.use_operators(&around.operators.address(), ROUTES)?;
        around.operators.call_back(&shop)?;
        Ok(Self { newer: shop.with_program(newer)?, test, older: shop })
    }
}
