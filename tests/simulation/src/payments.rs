//! Payments and refunds that shops and payers ask for, and what they are told.

use crate::{
    coverage::Happening,
    node::Node,
    requests::{self, MAX_ASKS},
    shop::Purchase,
    staff::stopped,
    world::{ScheduledEvent, World},
};
use std::{sync::Arc, time::Duration};
use tua_contract::{Amount, Phone, Status};
use tua_domain::{
    Caller, Details, Kind, Transaction, Transfer,
    idempotency::IdempotencyKey,
    instruction::Instruction,
    ports::{BeginError, Clock, StoreError},
};
use tua_use_cases::{IdempotentResult, RefundRequest, Refunds, Requester, TransactionResource};

/// A shop wants a payment.
pub fn purchase(world: &World) {
    let network = world.any_network();
    let (number, kind, pesewas) = {
        let mut state = world.lock();
        let kind = if state.random.u32(..4) == 0 { Kind::Payout } else { Kind::Charge };
        (state.shop.purchases.len(), kind, state.random.i64(100..100_000))
    };
    let Ok(amount) = Amount::from_pesewas(pesewas) else { return };
    let purchase = Purchase::new(format!("purchase {number}"), kind, network, amount);
    world.lock().shop.purchases.push(purchase);
    world.plan(Duration::ZERO, ScheduledEvent::Ask(number));
    if world.fails("request twice at once", 10) {
        world.plan(world.between(0, 500), ScheduledEvent::Ask(number));
    }
}

/// Somebody asks for a payment with a revoked key, if there is one.
pub fn theft(world: &World) {
    let network = world.any_network();
    let mut state = world.lock();
    let Some(key) = state.permissions.any_revoked() else { return };
    let number = state.shop.purchases.len();
    let kind = if state.random.bool() { Kind::Payout } else { Kind::Charge };
    let Ok(amount) = Amount::from_pesewas(state.random.i64(100..60_000)) else { return };
    let new = Purchase::new(format!("theft {number}"), kind, network, amount);
    state.shop.purchases.push(Purchase { stolen_key: Some(key), ..new });
    drop(state);
    world.plan(Duration::ZERO, ScheduledEvent::Ask(number));
}

/// A shop, or the payer of a session, asks for a payment.
pub fn ask(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
    let purchase = {
        let mut state = world.lock();
        let purchase = &mut state.shop.purchases[number];
        purchase.asks += 1;
        purchase.clone()
    };
    if purchase.asks > MAX_ASKS {
        return;
    }
    let again = world.between(1_000, 120_000);
    let Some(node) = node.cloned() else {
        world.plan(again, ScheduledEvent::Ask(number));
        return;
    };
    world.trace(|| format!("payment {number} is asked for ({})", purchase.asks));
    let known = purchase.known.as_ref().map(|known| &known.id);
    world.happens_to(known, Happening::Request);
    if let Some(charge) = purchase.refund_of {
        let charge = world.lock().shop.purchases[charge].known.clone();
        world.happens_to(charge.as_ref().map(|known| &known.id), Happening::RefundRequest);
    }
    let is_response_lost = world.fails("response to the shop lost", 8);
    let timeout = world.between(500, 20_000);
    let world = world.clone();
    let asked_at = world.clock.uptime();
    tokio::spawn(async move {
        let begun = begin(&world, &node, &purchase);
        let clock = &world.clock;
        let result = tokio::select! {
            biased;
            result = begun => result,
            () = clock.sleep_until_uptime(clock.uptime() + timeout) => None,
        };
        if let Some(Ok(completed)) = &result
            && !completed.is_replay
        {
            let what = format!("payment {number}");
            requests::begun(&world, &what, asked_at, purchase.stolen_key);
        }
        match result {
            Some(Ok(completed)) if !is_response_lost => {
                world
                    .trace(|| format!("payment {number} is accepted: {:?}", completed.value.state));
                accepted(&world, number, &completed.value);
            }
            None if purchase.stolen_key.is_some() => {}
            Some(Ok(_)) | None => world.plan(again, ScheduledEvent::Ask(number)),
            Some(Err(error)) => {
                world.trace(|| format!("payment {number} is not accepted: {error}"));
                if is_worth_repeating(&error) {
                    world.plan(again, ScheduledEvent::Ask(number));
                }
            }
        }
    });
}

/// Asks for a payment or a refund; `None` where the shop does not know what to refund.
async fn begin(
    world: &World,
    node: &Node,
    purchase: &Purchase,
) -> Option<Result<IdempotentResult<Transaction>, BeginError>> {
    let (instruction, key) = instruction(purchase)?;
    let Some(charge) = purchase.refund_of else {
        let caller = caller(world, node, purchase).await?;
        return Some(node.payments.begin(caller, instruction, Some(key)).await);
    };
    let charge = world.lock().shop.purchases[charge].known.clone()?.id;
    let amount = Some(purchase.amount);
    let request = RefundRequest { charge, amount, reason: None, is_by_payout: false };
    let refunds = Refunds {
        payments: node.payments.clone(),
        transactions: node.store.clone(),
        reports: node.store.clone(),
        audit_log: node.store.clone(),
    };
    let requester = Requester::Key(requests::key(world, node, None).await?);
    Some(refunds.begin(requester, request, key).await)
}

/// Who asks for a charge or payout: the shop, the payer of a session, or a thief of a key.
async fn caller(world: &World, node: &Node, purchase: &Purchase) -> Option<Caller> {
    let Some(session) = purchase.session else {
        return requests::key(world, node, purchase.stolen_key).await.map(Caller::Key);
    };
    let checkout = world.lock().shop.sessions[session].checkout.clone()?;
    Some(Caller::Token(Box::new(checkout)))
}

/// What is asked for, and its key.
#[must_use]
pub fn instruction(purchase: &Purchase) -> Option<(Instruction, IdempotencyKey)> {
    let transfer = Transfer {
        kind: purchase.kind,
        amount: purchase.amount,
        network: purchase.network,
        phone: Phone::parse(purchase.wallet).ok()?,
    };
    let instruction = Instruction {
        transfer,
        reference: Some(purchase.key.clone()),
        details: Details::default(),
        payer_pays: None,
    };
    Some((instruction, IdempotencyKey::parse(purchase.key.as_bytes())?))
}

/// Whether a shop repeats a request: all that is not certainly refused for good.
#[must_use]
pub fn is_worth_repeating(error: &BeginError) -> bool {
    !matches!(
        error,
        BeginError::Refund(_)
            | BeginError::Expired(_)
            | BeginError::AlreadyPaid
            | BeginError::AttemptsExhausted
            | BeginError::Store(StoreError::Failed(_))
    )
}

/// The shop is told that a payment has begun.
pub fn accepted(world: &World, number: usize, transaction: &Transaction) {
    let read = {
        let mut state = world.lock();
        if state.shop.purchases[number].known.is_none() {
            state.counts.payments += 1;
        }
        state.shop.read(number, transaction, false)
    };
    read.unwrap_or_else(|wrong| world.violated(wrong));
    let purchase = world.lock().shop.purchases[number].clone();
    let latest_read_ms = if purchase.session.is_some() { 60_000 } else { 600_000 };
    world.plan(world.between(1_000, latest_read_ms), ScheduledEvent::Read(number));
    if purchase.kind == Kind::Payout && world.lock().random.u32(..8) == 0 {
        world.plan(world.between(0, 3_600_000), ScheduledEvent::Cancel(number));
    }
    match purchase.session {
        // The payer is impatient.
        Some(session) if world.lock().random.u32(..3) == 0 => {
            world.plan(world.between(1_000, 1_200_000), ScheduledEvent::Pay(session));
        }
        None if purchase.refund_of.is_none()
            && purchase.batch.is_none()
            && world.fails("key reused", 4) =>
        {
            world.plan(world.between(0, 600_000), ScheduledEvent::ReuseKey(number));
        }
        _ => {}
    }
}

/// A shop asks for another payment with a key that it has used.
pub fn reuse_key(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
    let Some(node) = node.cloned() else { return };
    let mut other = world.lock().shop.purchases[number].clone();
    world.happens_to(other.known.as_ref().map(|known| &known.id), Happening::KeyReuse);
    let Ok(amount) = Amount::from_pesewas(other.amount.pesewas() + 1) else { return };
    other.amount = amount;
    let world = world.clone();
    tokio::spawn(async move {
        if let Some(Ok(_)) = begin(&world, &node, &other).await {
            world.violated(format!("the key of payment {number} was taken for another request"));
        }
    });
}

/// A shop cancels a payout or a refund.
pub fn cancel(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
    let purchase = world.lock().shop.purchases[number].clone();
    let Some((known, node)) = purchase.known.zip(node.cloned()) else { return };
    let world = world.clone();
    tokio::spawn(async move {
        let Some(key) = requests::key(&world, &node, None).await else { return };
        world.happens_to(Some(&known.id), Happening::Cancellation);
        world.trace(|| format!("payment {number} is to be cancelled"));
        let resource = match purchase.refund_of {
            Some(_) => TransactionResource::Refund,
            None => TransactionResource::Payment,
        };
        let cancelled = node.payouts.cancel(&Caller::Key(key), resource, &known.id).await;
        if let Ok(cancelled) = cancelled {
            world.trace(|| format!("payment {number} is cancelled"));
            stopped(&world, &[cancelled], "was cancelled");
        }
    });
}

/// A shop reads the status of a payment.
pub fn read(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
    let known = world.lock().shop.purchases[number].known.clone();
    let Some((known, node)) = known.zip(node.cloned()) else {
        world.plan(Duration::from_secs(60), ScheduledEvent::Read(number));
        return;
    };
    world.happens_to(Some(&known.id), Happening::Read);
    let world = world.clone();
    tokio::spawn(async move {
        match node.store.transaction(&known.id).await {
            Ok(Some(found)) => {
                let is_final = found.state.is_final();
                let read = world.lock().shop.read(number, &found, true);
                read.unwrap_or_else(|wrong| world.violated(wrong));
                let session = world.lock().shop.purchases[number].session;
                let status = found.state.status();
                if let Some(session) = session.filter(|_| pays_again(&world, status)) {
                    world.plan(world.between(1_000, 60_000), ScheduledEvent::Pay(session));
                }
                if status == Status::Successful {
                    refund(&world, number);
                }
                if !is_final {
                    read_again(&world, number);
                }
            }
            Ok(None) => world.violated(format!("payment {number} was accepted, and is lost")),
            Err(_) => world.plan(Duration::from_secs(60), ScheduledEvent::Read(number)),
        }
    });
}

/// The shop reads a pending payment again, and less often the longer it has been pending: what
/// waits for people may be pending until the end.
fn read_again(world: &World, number: usize) {
    const READS_PER_DOUBLING: u32 = 4;
    const DOUBLINGS: u32 = 8;
    let reads = {
        let purchase = &mut world.lock().shop.purchases[number];
        purchase.pending_reads += 1;
        purchase.pending_reads
    };
    let latest_ms = 3_600_000 << (reads / READS_PER_DOUBLING).min(DOUBLINGS);
    world.plan(world.between(60_000, latest_ms), ScheduledEvent::Read(number));
}

/// Whether the payer of a session presses the button again: mostly after a failure, and seldom on
/// an old page.
fn pays_again(world: &World, status: Status) -> bool {
    match status {
        Status::Pending => false,
        Status::Successful => world.lock().random.u32(..4) == 0,
        Status::Failed => world.lock().random.u32(..8) > 0,
    }
}

/// The shop returns a part of the money of a charge, or more of it than there is.
fn refund(world: &World, number: usize) {
    let mut planned = Vec::new();
    {
        let mut state = world.lock();
        let charge = state.shop.purchases[number].clone();
        let is_over = world.clock.uptime() >= state.faults_end_at;
        if is_over || charge.kind != Kind::Charge || state.random.u32(..3) > 0 {
            return;
        }
        for _ in 0..state.random.u32(1..4) {
            let pesewas = state.random.i64(1..=charge.amount.pesewas());
            let Ok(amount) = Amount::from_pesewas(pesewas) else { continue };
            let refund = state.shop.purchases.len();
            let key = format!("refund {refund}");
            let new = Purchase::new(key, Kind::Payout, charge.network, amount);
            state.shop.purchases.push(Purchase {
                wallet: charge.wallet,
                refund_of: Some(number),
                ..new
            });
            planned.push(refund);
        }
    }
    for refund in planned {
        world.trace(|| format!("payment {refund} is to refund payment {number}"));
        world.plan(world.between(0, 2_000), ScheduledEvent::Ask(refund));
    }
}
