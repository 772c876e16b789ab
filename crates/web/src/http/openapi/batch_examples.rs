//! The batch of payouts of the examples.

use super::examples::{TRANSACTION_ID, created_at, json, transaction};
use crate::http::payment_response::initiation;
use serde_json::Value;
use std::sync::Arc;
use tua_api::resources::PayoutBatchView;
use tua_contract::{Network, State};
use tua_domain::{
    BatchId, KeyId, Kind, TransactionId,
    payout_batch::{AskedBy, PayoutBatch, RepeatedPayout},
};

/// A batch with two payouts in these states.
pub(crate) fn batch(states: [State; 2]) -> Value {
    let id = BatchId::new("bat_019aa5f0c2007d3e8a1b4c5d6e7f8096");
    let line = |(state, suffix)| {
        let mut line = transaction(Kind::Payout, Network::Mtn, state);
        let new = Arc::make_mut(&mut line.order);
        new.id = TransactionId::new(format!("txn_019aa5f0c2007d3e8a1b4c5d6e7f80{suffix}"));
        new.batch = Some(id.clone());
        line
    };
    let lines: Vec<_> = states.into_iter().zip(["97", "98"]).map(line).collect();
    let batch = PayoutBatch {
        id: id.clone(),
        scope: lines[0].order.scope.clone(),
        reference: "salaries-november".to_owned(),
        asked_by: AskedBy::Key(KeyId::new("key_019aa5f0c2007d3e8a1b4c5d6e7f8090")),
        warnings: vec![RepeatedPayout { line: 1, earlier: TransactionId::new(TRANSACTION_ID) }],
        created_at: created_at(),
        lines,
    };
    json(&PayoutBatchView::new(&batch, initiation))
}
