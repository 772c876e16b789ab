//! The people of the merchant: they approve, refuse and cancel payouts, suspend and resume the
//! account, and revoke keys.

use crate::{
    coverage::Happening,
    inspector::Inspector,
    node::Node,
    world::{ScheduledEvent, World},
};
use std::{collections::BTreeSet, sync::Arc};
use tua_domain::{
    SecretKey, Transaction,
    approval::{PayoutDecision, PersonName},
    audit::{AuditContext, Source},
    ports::{AccountChange, Clock, OpenSessions},
    review::DecisionNote,
};

/// Something that a person does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaffAct {
    /// Decides about payouts that wait; about all of them, or perhaps not.
    LookAtPayouts {
        /// Whether nothing may be left.
        is_last: bool,
    },
    /// Reads which payments wait for people.
    LookAtReviews,
    /// Suspends the account for a time.
    Suspend,
    /// Resumes the account.
    Resume,
    /// Replaces the key of the shop, and revokes it.
    ReplaceKey,
    /// Revokes the key with this number.
    Revoke(usize),
}

/// A person acts. While the service is down the person comes back later.
pub fn act(world: &Arc<World>, node: Option<&Arc<Node>>, act: StaffAct) {
    let again = world.between(30_000, 300_000);
    let Some(node) = node.cloned() else { return world.plan(again, ScheduledEvent::Staff(act)) };
    let world = world.clone();
    tokio::spawn(async move {
        let is_done = match act {
            StaffAct::LookAtPayouts { is_last } => look_at_payouts(&world, &node, is_last).await,
            StaffAct::LookAtReviews => look_at_reviews(&world, &node).await,
            StaffAct::Suspend => suspend(&world, &node).await,
            StaffAct::Resume => resume(&world, &node).await,
            StaffAct::ReplaceKey => replace_key(&world, &node).await,
            StaffAct::Revoke(number) => revoke(&world, &node, number).await,
        };
        if is_done.is_none() {
            world.plan(again, ScheduledEvent::Staff(act));
        }
    });
}

fn by(world: &World, node: &Node) -> AuditContext {
    AuditContext {
        at: world.clock.now(),
        actor: "Esi".to_owned(),
        source: Source::CommandLine,
        device: None,
        key: node.audit_key(),
    }
}

async fn look_at_payouts(world: &World, node: &Node, is_last: bool) -> Option<()> {
    let waiting = node.store.unapproved(None).await.ok()?;
    let mut batches = BTreeSet::new();
    let mut is_done = true;
    for payout in waiting {
        if let Some(batch) = &payout.order.batch
            && !batches.insert(batch.clone())
        {
            continue;
        }
        let choice = world.lock().random.u32(..100);
        let decision = match choice {
            0..60 => approval()?,
            60..75 => refusal()?,
            _ if is_last => refusal()?,
            75..80 => PayoutDecision::Cancel,
            _ => continue,
        };
        is_done &= decide(world, node, &payout, decision).await;
    }
    (is_done || !is_last).then_some(())
}

fn approval() -> Option<PayoutDecision> {
    Some(PayoutDecision::Approve { by: person()? })
}

fn refusal() -> Option<PayoutDecision> {
    Some(PayoutDecision::Refuse { by: person()?, note: "not ours".parse::<DecisionNote>().ok()? })
}

fn person() -> Option<PersonName> {
    PersonName::shortened("Esi")
}

/// Decides about a payout, or about the batch that it is a line of.
async fn decide(
    world: &World,
    node: &Node,
    payout: &Transaction,
    decision: PayoutDecision,
) -> bool {
    let by = by(world, node);
    let id = &payout.order.id;
    let (happening, is_approval) = match decision {
        PayoutDecision::Approve { .. } => (Happening::Approval, true),
        PayoutDecision::Refuse { .. } => (Happening::Refusal, false),
        PayoutDecision::Cancel => (Happening::Cancellation, false),
    };
    world.happens_to(Some(id), happening);
    let lines = payout.order.batch.as_ref().map_or_else(
        || vec![id.clone()],
        |batch| world.look(|inspector| inspector.lines(batch.as_str())).unwrap_or_default(),
    );
    if is_approval {
        let uptime = world.clock.uptime();
        let mut state = world.lock();
        lines.iter().for_each(|line| state.permissions.approve(line, uptime));
    }
    world.trace(|| format!("staff: {happening:?} of {} payouts", lines.len()));
    let decided = match &payout.order.batch {
        Some(batch) => node.batches.decide(batch, decision, &by).await.map(|batch| batch.lines),
        None => node.payouts.decide(id, decision, &by).await.map(|payout| vec![payout]),
    };
    match decided {
        Ok(decided) => {
            if !is_approval {
                stopped(world, &decided, "was refused or cancelled");
            }
            true
        }
        Err(error) => {
            world.trace(|| format!("staff: {error}"));
            false
        }
    }
}

/// Notes that nothing of these transactions may be sent that has failed and was not sent before.
pub fn stopped(world: &World, transactions: &[Transaction], why: &'static str) {
    let mut state = world.lock();
    for transaction in transactions {
        if transaction.state.is_final() && transaction.handed_over_at.is_none() {
            state.permissions.stop(&transaction.order.id, why);
        }
    }
}

async fn look_at_reviews(world: &World, node: &Node) -> Option<()> {
    let flagged = node.store.flagged(None).await.ok()?;
    let uptime = world.clock.uptime();
    let mut state = world.lock();
    for one in flagged {
        state.permissions.flag(&one.transaction.order.id, uptime);
    }
    Some(())
}

async fn suspend(world: &World, node: &Node) -> Option<()> {
    world.happens_to_all(Happening::Suspension);
    world.trace(|| "staff: suspends the account".to_owned());
    let by = by(world, node);
    let change = AccountChange::Suspend(by.at);
    node.store.change_account(&node.account, change, &by).await.ok()??;
    world.trace(|| "staff: the account is suspended".to_owned());
    let uptime = world.clock.uptime();
    world.lock().permissions.suspend(uptime);
    let after = world.between(300_000, 5_400_000);
    world.plan(after, ScheduledEvent::Staff(StaffAct::Resume));
    Some(())
}

async fn resume(world: &World, node: &Node) -> Option<()> {
    world.happens_to_all(Happening::Resumption);
    let by = by(world, node);
    // What is not handed over when it is asked for stays so until it is resumed.
    let unsent = world.look(Inspector::unsent_payouts)?;
    let uptime = world.clock.uptime();
    {
        let mut state = world.lock();
        state.permissions.resume();
        unsent.iter().for_each(|(id, _)| state.permissions.require_approval(id, uptime));
    }
    node.store.change_account(&node.account, AccountChange::Resume, &by).await.ok()??;
    world.trace(|| "staff: the account is resumed".to_owned());
    Some(())
}

async fn replace_key(world: &World, node: &Node) -> Option<()> {
    let by = by(world, node);
    let (old, key) = {
        let state = world.lock();
        (state.shop.keys.len().checked_sub(1)?, state.shop.keys.last()?.clone())
    };
    let (new, _) = SecretKey::generate(key.scope, key.generation, by.at);
    node.store.add_key(new.clone(), &by).await.ok()?;
    world.lock().shop.keys.push(new);
    // The shop learns of it before or after the old one ends.
    let after = world.between(0, 120_000);
    world.plan(after, ScheduledEvent::Staff(StaffAct::Revoke(old)));
    Some(())
}

async fn revoke(world: &World, node: &Node, number: usize) -> Option<()> {
    world.happens_to_all(Happening::Revocation);
    let by = by(world, node);
    let key = world.lock().shop.keys.get(number)?.id.clone();
    world.trace(|| format!("staff: revokes key {number}"));
    node.store.revoke_key(&key, OpenSessions::Close, &by).await.ok()??;
    world.trace(|| format!("staff: key {number} is revoked"));
    let unsent = world.look(Inspector::unsent_payouts).unwrap_or_default();
    let uptime = world.clock.uptime();
    let mut state = world.lock();
    state.permissions.revoke(number, &key, uptime);
    for (id, asked_by) in unsent {
        if asked_by.as_deref() == Some(key.as_str()) {
            state.permissions.require_approval(&id, uptime);
        }
    }
    Some(())
}
