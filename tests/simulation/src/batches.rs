//! Batches of payouts that shops ask for, and cancel.

use crate::{
    node::Node,
    payments::{self, accepted},
    requests::{self, MAX_ASKS},
    shop::{Purchase, ShopBatch},
    staff::stopped,
    world::{ScheduledEvent, World},
};
use std::{sync::Arc, time::Duration};
use tua_contract::Amount;
use tua_domain::{
    Kind,
    idempotency::IdempotencyKey,
    payout_batch::PayoutBatch,
    ports::{BeginError, Clock},
};
use tua_use_cases::{BatchRequest, IdempotentResult};

/// A shop wants several payouts at once.
pub fn plan_batch(world: &World) {
    let number = world.lock().shop.batches.len();
    let count = world.lock().random.usize(2..=6);
    let mut lines = Vec::new();
    for line in 0..count {
        let network = world.any_network();
        let mut state = world.lock();
        let Ok(amount) = Amount::from_pesewas(state.random.i64(100..40_000)) else { continue };
        let key = format!("line {line} of batch {number}");
        let new = Purchase::new(key, Kind::Payout, network, amount);
        lines.push(state.shop.purchases.len());
        state.shop.purchases.push(Purchase { batch: Some(number), ..new });
    }
    let key = format!("batch {number}");
    world.lock().shop.batches.push(ShopBatch { key, lines, asks: 0, id: None });
    world.plan(Duration::ZERO, ScheduledEvent::AskBatch(number));
    if world.fails("request twice at once", 10) {
        world.plan(world.between(0, 500), ScheduledEvent::AskBatch(number));
    }
}

/// A shop asks for a batch.
pub fn ask_batch(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
    let batch = {
        let mut state = world.lock();
        let batch = &mut state.shop.batches[number];
        batch.asks += 1;
        batch.clone()
    };
    if batch.asks > MAX_ASKS {
        return;
    }
    let again = world.between(1_000, 120_000);
    let Some(node) = node.cloned() else {
        return world.plan(again, ScheduledEvent::AskBatch(number));
    };
    world.trace(|| format!("batch {number} is asked for ({})", batch.asks));
    let is_response_lost = world.fails("response to the shop lost", 8);
    let world = world.clone();
    let asked_at = world.clock.uptime();
    tokio::spawn(async move {
        match begin(&world, &node, &batch).await {
            Some(Ok(begun)) => {
                if !begun.is_replay {
                    requests::begun(&world, &batch.key, asked_at, None);
                }
                if is_response_lost {
                    world.plan(again, ScheduledEvent::AskBatch(number));
                } else {
                    batch_accepted(&world, number, &begun.value);
                }
            }
            Some(Err(error)) if !payments::is_worth_repeating(&error) => {}
            _ => world.plan(again, ScheduledEvent::AskBatch(number)),
        }
    });
}

async fn begin(
    world: &World,
    node: &Node,
    batch: &ShopBatch,
) -> Option<Result<IdempotentResult<PayoutBatch>, BeginError>> {
    let key = requests::key(world, node, None).await?;
    let lines = {
        let state = world.lock();
        let instructions = batch.lines.iter().map(|line| {
            payments::instruction(&state.shop.purchases[*line]).map(|(instruction, _)| instruction)
        });
        instructions.collect::<Option<Vec<_>>>()?
    };
    let request = BatchRequest { lines, reference: Some(batch.key.clone()) };
    let idempotency_key = IdempotencyKey::parse(batch.key.as_bytes())?;
    Some(node.batches.begin(key, request, idempotency_key).await)
}

fn batch_accepted(world: &World, number: usize, begun: &PayoutBatch) {
    world.trace(|| format!("batch {number} is accepted"));
    let batch = {
        let mut state = world.lock();
        let batch = &mut state.shop.batches[number];
        let earlier = batch.id.replace(begun.id.clone());
        (earlier.is_none_or(|id| id == begun.id), batch.clone())
    };
    let (is_same, batch) = batch;
    if !is_same || batch.lines.len() != begun.lines.len() {
        return world.violated(format!("batch {number} has begun twice under one key"));
    }
    for (line, payout) in batch.lines.iter().zip(&begun.lines) {
        accepted(world, *line, payout);
    }
    if world.lock().random.u32(..6) == 0 {
        let after = world.between(0, 7_200_000);
        world.plan(after, ScheduledEvent::CancelBatch(number));
    }
}

/// A shop cancels what is left of a batch.
pub fn cancel_batch(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
    let id = world.lock().shop.batches[number].id.clone();
    let Some((id, node)) = id.zip(node.cloned()) else { return };
    let world = world.clone();
    tokio::spawn(async move {
        let Some(key) = requests::key(&world, &node, None).await else { return };
        world.trace(|| format!("batch {number} is cancelled"));
        if let Ok(batch) = node.batches.cancel(&key, &id).await {
            stopped(&world, &batch.lines, "was cancelled with its batch");
        }
    });
}
