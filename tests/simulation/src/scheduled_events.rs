//! What shops and operators do to a running service, or to one that is down.

use crate::{
    node::Node,
    shop::Purchase,
    world::{ScheduledEvent, World},
};
use std::{sync::Arc, time::Duration};
use tua_contract::{Amount, Phone, Status};
use tua_domain::{
    Caller, Details, Kind, Transaction, Transfer,
    idempotency::IdempotencyKey,
    instruction::Instruction,
    ports::{BeginError, CallbackRequest, Clock, StoreError},
};
use tua_use_cases::{Completed, RefundRequest, Refunds, Requester, callbacks::CallbackOutcome};

/// How often a shop asks for a payment before it gives up.
const MAX_ASKS: u32 = 12;

/// The wallet of every payer.
const PHONE: &str = "0241234567";

/// Something happens that is not about the machine. Without a node the service is down.
pub fn apply(world: &Arc<World>, node: Option<&Arc<Node>>, event: ScheduledEvent) {
    match event {
        ScheduledEvent::Purchase => purchase(world),
        ScheduledEvent::Ask(number) => ask(world, node, number),
        ScheduledEvent::Read(number) => read(world, node, number),
        ScheduledEvent::Arrive { send, sent_at, reference, transfer } => {
            world.arrive(send, sent_at, &reference, &transfer);
        }
        ScheduledEvent::Decide(reference, decision) => world.decide(&reference, decision),
        ScheduledEvent::CallBack(reference, repeats) => call_back(world, node, reference, repeats),
        ScheduledEvent::Crash | ScheduledEvent::DiskFault => {}
    }
}

fn purchase(world: &World) {
    let network = world.any_network();
    let (number, kind, pesewas) = {
        let mut state = world.lock();
        let kind = if state.random.u32(..4) == 0 { Kind::Payout } else { Kind::Charge };
        (state.shop.purchases.len(), kind, state.random.i64(100..100_000))
    };
    let Ok(amount) = Amount::from_pesewas(pesewas) else { return };
    world.lock().shop.purchases.push(Purchase {
        key: format!("purchase {number}"),
        kind,
        network,
        amount,
        refund_of: None,
        asks: 0,
        known: None,
    });
    world.plan(Duration::ZERO, ScheduledEvent::Ask(number));
    if world.fails("request twice at once", 10) {
        world.plan(world.between(0, 500), ScheduledEvent::Ask(number));
    }
}

fn ask(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
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
    let is_response_lost = world.fails("response to the shop lost", 8);
    let timeout = world.between(500, 20_000);
    let world = world.clone();
    tokio::spawn(async move {
        let begun = begin(&world, &node, &purchase);
        let clock = &world.clock;
        let result = tokio::select! {
            biased;
            result = begun => result,
            () = clock.sleep_until_uptime(clock.uptime() + timeout) => None,
        };
        match result {
            Some(Ok(completed)) if !is_response_lost => {
                world
                    .trace(|| format!("payment {number} is accepted: {:?}", completed.value.state));
                accepted(&world, number, &completed.value);
            }
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
) -> Option<Result<Completed<Transaction>, BeginError>> {
    let (instruction, key) = instruction(purchase)?;
    let Some(charge) = purchase.refund_of else {
        let caller = Caller::Key(node.key.clone());
        return Some(node.payments.begin(caller, instruction, Some(key)).await);
    };
    let charge = world.lock().shop.purchases[charge].known.clone()?.id;
    let amount = Some(purchase.amount);
    let request = RefundRequest { charge, amount, reason: None, is_by_payout: false };
    let refunds = Refunds { payments: node.payments.clone() };
    Some(refunds.begin(Requester::Key(node.key.clone()), request, key).await)
}

fn instruction(purchase: &Purchase) -> Option<(Instruction, IdempotencyKey)> {
    let transfer = Transfer {
        kind: purchase.kind,
        amount: purchase.amount,
        network: purchase.network,
        phone: Phone::parse(PHONE).ok()?,
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
fn is_worth_repeating(error: &BeginError) -> bool {
    let is_refused = matches!(error, BeginError::Refund(_));
    !is_refused && !matches!(error, BeginError::Store(StoreError::Failed(_)))
}

fn accepted(world: &World, number: usize, transaction: &Transaction) {
    let read = {
        let mut state = world.lock();
        if state.shop.purchases[number].known.is_none() {
            state.counts.payments += 1;
        }
        state.shop.read(number, transaction, false)
    };
    read.unwrap_or_else(|wrong| world.violated(wrong));
    world.plan(world.between(1_000, 600_000), ScheduledEvent::Read(number));
}

fn read(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
    let known = world.lock().shop.purchases[number].known.clone();
    let Some((known, node)) = known.zip(node.cloned()) else {
        world.plan(Duration::from_secs(60), ScheduledEvent::Read(number));
        return;
    };
    let world = world.clone();
    tokio::spawn(async move {
        match node.store.transaction(&known.id).await {
            Ok(Some(found)) => {
                let is_final = found.state.is_final();
                let read = world.lock().shop.read(number, &found, true);
                read.unwrap_or_else(|wrong| world.violated(wrong));
                if found.state.status() == Status::Successful {
                    refund(&world, number);
                }
                if !is_final {
                    world.plan(world.between(60_000, 3_600_000), ScheduledEvent::Read(number));
                }
            }
            Ok(None) => world.violated(format!("payment {number} was accepted, and is lost")),
            Err(_) => world.plan(Duration::from_secs(60), ScheduledEvent::Read(number)),
        }
    });
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
            state.shop.purchases.push(Purchase {
                key: format!("refund {refund}"),
                kind: Kind::Payout,
                network: charge.network,
                amount,
                refund_of: Some(number),
                asks: 0,
                known: None,
            });
            planned.push(refund);
        }
    }
    for refund in planned {
        world.trace(|| format!("payment {refund} is to refund payment {number}"));
        world.plan(world.between(0, 2_000), ScheduledEvent::Ask(refund));
    }
}

fn call_back(world: &Arc<World>, node: Option<&Arc<Node>>, reference: String, repeats: bool) {
    let number = world.number(&reference);
    let network = world.lock().books.get(&reference).map(|order| order.network);
    let again = world.between(5_000, 300_000);
    let Some((network, node)) = network.zip(node.cloned()) else {
        if repeats {
            world.plan(again, ScheduledEvent::CallBack(reference, repeats));
        }
        return;
    };
    world.trace(|| format!("the operator calls back about order {number}"));
    let world = world.clone();
    tokio::spawn(async move {
        // An operator of one network has its name.
        let name = network.as_str().to_lowercase();
        let request = CallbackRequest {
            method: "POST".to_owned(),
            authority: String::new(),
            path: String::new(),
            headers: Vec::new(),
            body: reference.clone().into_bytes(),
        };
        let secret = node.callback_secret(&name);
        let taken = node.callbacks.take(&name, &secret, request, String::new()).await;
        if repeats && !matches!(taken, Ok(CallbackOutcome::Taken)) {
            world.plan(again, ScheduledEvent::CallBack(reference, repeats));
        }
    });
}
