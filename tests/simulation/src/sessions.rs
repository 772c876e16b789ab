//! Checkout sessions and payment links: shops open them, and payers pay them, more often than they
//! should.

use crate::{
    node::Node,
    requests::{self, MAX_ASKS},
    shop::{EMPTY_WALLET, Purchase, ShopLink, ShopSession, WALLET},
    world::{ScheduledEvent, World},
};
use std::{sync::Arc, time::Duration};
use tua_contract::Amount;
use tua_domain::{
    Checkout, Kind,
    checkout::{CheckoutTerms, NewCheckout},
    idempotency::IdempotencyKey,
    link::{CreateLinkError, Link, LinkAmount, LinkTerms, LinkUses, NewLink},
    ports::{Clock, OpenError, StoreError},
};
use tua_use_cases::{IdempotentResult, LinkPayer};

/// How often the payer of a session presses the button.
const MAX_PAYMENTS: u32 = 14;

/// A shop wants a bill paid once, or by everybody.
pub fn plan_link(world: &World) {
    let Some(amount) = any_amount(world) else { return };
    let number = {
        let mut state = world.lock();
        let number = state.shop.links.len();
        let key = format!("link {number}");
        let uses = if state.random.u32(..3) == 0 { LinkUses::Many } else { LinkUses::Single };
        state.shop.links.push(ShopLink { key, amount, uses, asks: 0, link: None });
        number
    };
    world.plan(Duration::ZERO, ScheduledEvent::AskLink(number));
}

/// A shop asks for a link.
pub fn ask_link(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
    let link = {
        let mut state = world.lock();
        let link = &mut state.shop.links[number];
        link.asks += 1;
        link.clone()
    };
    if link.asks > MAX_ASKS {
        return;
    }
    let again = world.between(1_000, 120_000);
    let Some(node) = node.cloned() else {
        return world.plan(again, ScheduledEvent::AskLink(number));
    };
    let is_response_lost = world.fails("response to the shop lost", 8);
    let world = world.clone();
    let asked_at = world.clock.uptime();
    tokio::spawn(async move {
        match create_link(&world, &node, &link).await {
            Some(Ok(created)) if !is_response_lost => {
                if !created.is_replay {
                    requests::begun(&world, &link.key, asked_at, None);
                }
                link_created(&world, number, created.value);
            }
            _ => world.plan(again, ScheduledEvent::AskLink(number)),
        }
    });
}

async fn create_link(
    world: &World,
    node: &Node,
    link: &ShopLink,
) -> Option<Result<IdempotentResult<Link>, CreateLinkError>> {
    let holder = requests::key(world, node, None).await?;
    let terms = LinkTerms {
        title: link.key.clone(),
        description: None,
        amount: LinkAmount::Fixed(link.amount),
        uses: link.uses,
        expires_at: None,
        metadata: None,
        question: None,
    };
    let new = NewLink { reference: Some(link.key.clone()), terms };
    let key = IdempotencyKey::parse(link.key.as_bytes());
    Some(node.links.create(holder, new, key).await)
}

/// Several payers have the bill.
fn link_created(world: &World, number: usize, created: Link) {
    world.trace(|| format!("link {number} is created"));
    let known = world.lock().shop.links[number].link.replace(created.clone());
    match known {
        Some(known) if known.id != created.id => {
            world.violated(format!("link {number} was created twice under one key"));
        }
        Some(_) => {}
        None => {
            let payers = world.lock().random.u32(2..=4);
            for _ in 0..payers {
                let after = world.between(0, 900_000);
                world.plan(after, ScheduledEvent::Session(Some(number)));
            }
        }
    }
}

/// A shop opens a session, or a payer one of a link.
pub fn plan_session(world: &World, link: Option<usize>) {
    let network = world.any_network();
    let Some(any_amount) = any_amount(world) else { return };
    let number = {
        let mut state = world.lock();
        let is_empty = state.random.u32(..5) == 0;
        let number = state.shop.sessions.len();
        let amount = link.map_or(any_amount, |link| state.shop.links[link].amount);
        state.shop.sessions.push(ShopSession {
            key: format!("session {number}"),
            amount,
            link,
            network,
            wallet: if is_empty { EMPTY_WALLET } else { WALLET },
            asks: 0,
            payments: 0,
            checkout: None,
        });
        number
    };
    world.plan(Duration::ZERO, ScheduledEvent::AskSession(number));
}

/// A session is asked for.
pub fn ask_session(world: &Arc<World>, node: Option<&Arc<Node>>, number: usize) {
    let session = {
        let mut state = world.lock();
        let session = &mut state.shop.sessions[number];
        session.asks += 1;
        session.clone()
    };
    if session.asks > MAX_ASKS {
        return;
    }
    let again = world.between(1_000, 120_000);
    let Some(node) = node.cloned() else {
        return world.plan(again, ScheduledEvent::AskSession(number));
    };
    let is_response_lost = world.fails("response to the shop lost", 8);
    let world = world.clone();
    let asked_at = world.clock.uptime();
    tokio::spawn(async move {
        match open(&world, &node, &session).await {
            Ok(checkout) if !is_response_lost => {
                if !checkout.is_replay {
                    requests::begun(&world, &session.key, asked_at, None);
                }
                opened(&world, number, checkout.value);
            }
            Err(OpenError::LinkNotOpen) => {}
            _ => world.plan(again, ScheduledEvent::AskSession(number)),
        }
    });
}

async fn open(
    world: &World,
    node: &Node,
    session: &ShopSession,
) -> Result<IdempotentResult<Checkout>, OpenError> {
    let Some(link) = session.link else {
        let terms = CheckoutTerms {
            amount: session.amount,
            email: None,
            metadata: None,
            answer: None,
            return_url: None,
        };
        let new = NewCheckout { reference: Some(session.key.clone()), terms };
        let key = IdempotencyKey::parse(session.key.as_bytes());
        let holder = requests::key(world, node, None).await.ok_or(OpenError::KeyRevoked)?;
        let opened = node.checkouts.open(holder, new, key).await?;
        let is_replay = opened.is_replay;
        return Ok(IdempotentResult { value: opened.value.checkout, is_replay });
    };
    let link = world.lock().shop.links[link].link.clone();
    let code = link.ok_or(OpenError::LinkNotOpen)?.code;
    let found = node.links.find_by_code(&code).await?;
    let public = found.ok_or_else(|| StoreError::failed("a link is lost"))?;
    let payer = LinkPayer { amount: session.amount, email: None, answer: None };
    let opened = node.links.open_session(&public, payer).await?;
    Ok(IdempotentResult { value: opened.checkout, is_replay: false })
}

/// The payer has the page in several tabs, and returns to it later.
fn opened(world: &World, number: usize, checkout: Checkout) {
    world.trace(|| format!("session {number} is open"));
    let session = world.lock().shop.sessions[number].clone();
    match &session.checkout {
        Some(known) if known.id != checkout.id && session.link.is_none() => {
            return world.violated(format!("session {number} was opened twice under one key"));
        }
        Some(_) => return,
        None => world.lock().shop.sessions[number].checkout = Some(checkout),
    }
    let tabs = world.lock().random.u32(1..=2);
    for _ in 0..tabs {
        world.plan(world.between(0, 90_000), ScheduledEvent::Pay(number));
    }
    if world.lock().random.u32(..3) == 0 {
        world.plan(world.between(0, 2_700_000), ScheduledEvent::Pay(number));
    }
}

/// The payer of a session presses the button.
pub fn pay(world: &World, number: usize) {
    let payment = {
        let mut state = world.lock();
        let payment = state.shop.purchases.len();
        let session = &mut state.shop.sessions[number];
        session.payments += 1;
        if session.payments > MAX_PAYMENTS {
            return;
        }
        let key = format!("payment {} of session {number}", session.payments);
        let new = Purchase::new(key, Kind::Charge, session.network, session.amount);
        let purchase = Purchase { wallet: session.wallet, session: Some(number), ..new };
        state.shop.purchases.push(purchase);
        payment
    };
    world.trace(|| format!("payment {payment} is one of session {number}"));
    world.plan(Duration::ZERO, ScheduledEvent::Ask(payment));
}

fn any_amount(world: &World) -> Option<Amount> {
    let pesewas = world.lock().random.i64(100..100_000);
    Amount::from_pesewas(pesewas).ok()
}
