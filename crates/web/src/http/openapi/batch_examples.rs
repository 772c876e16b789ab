//! Examples of batches of payouts.

use super::examples::{Examples, ID, created_at, json, transaction};
use crate::http::payment_response::initiation;
use serde_json::{Value, json};
use std::sync::Arc;
use tua_api::resources::PayoutBatchView;
use tua_contract::{FailureCode, Network, State, Step};
use tua_domain::{
    BatchId, KeyId, Kind, TransactionId,
    payout_batch::{AskedBy, PayoutBatch, RepeatedPayout},
};

pub(super) fn batch_request() -> Examples {
    let body = json!({
        "reference": "salaries-november",
        "payouts": [
            {
                "amount": 10.5,
                "phoneNumber": "0241234567",
                "network": "MTN",
                "payeeNote": "Salary of November",
            },
            {
                "amount": 10.5,
                "phoneNumber": "0241234567",
                "network": "MTN",
                "reference": "bonus-17",
            },
        ],
    });
    vec![("salaries", body)]
}

pub(super) fn batches() -> Examples {
    vec![
        ("pending", batch([State::Pending(Step::Wait), State::Pending(Step::Wait)])),
        ("needsApproval", batch([State::UNAPPROVED, State::UNAPPROVED])),
    ]
}

pub(super) fn read_batches() -> Examples {
    vec![("completed", batch([State::Successful, State::Failed(FailureCode::RecipientNotFound)]))]
}

pub(super) fn cancelled_batch() -> Examples {
    vec![("cancelled", batch([State::Successful, State::Failed(FailureCode::Cancelled)]))]
}

fn batch(states: [State; 2]) -> Value {
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
        warnings: vec![RepeatedPayout { line: 1, earlier: TransactionId::new(ID) }],
        created_at: created_at(),
        lines,
    };
    json(&PayoutBatchView::new(&batch, initiation))
}
