//! What shops and operators do to a running service, or to one that is down.

use crate::{
    batches,
    coverage::Happening,
    node::Node,
    payments, sessions, staff,
    world::{ScheduledEvent, World},
};
use std::{sync::Arc, time::Duration};
use tua_domain::{TransactionId, ports::CallbackRequest};
use tua_use_cases::callbacks::CallbackOutcome;

/// Something happens that is not about the machine. Without a node the service is down.
pub fn apply(world: &Arc<World>, node: Option<&Arc<Node>>, event: ScheduledEvent) {
    match event {
        ScheduledEvent::Purchase => payments::purchase(world),
        ScheduledEvent::Link => sessions::plan_link(world),
        ScheduledEvent::AskLink(number) => sessions::ask_link(world, node, number),
        ScheduledEvent::Session(link) => sessions::plan_session(world, link),
        ScheduledEvent::AskSession(number) => sessions::ask_session(world, node, number),
        ScheduledEvent::Pay(number) => sessions::pay(world, number),
        ScheduledEvent::ReuseKey(number) => payments::reuse_key(world, node, number),
        ScheduledEvent::Ask(number) => payments::ask(world, node, number),
        ScheduledEvent::Theft => payments::theft(world),
        ScheduledEvent::Cancel(number) => payments::cancel(world, node, number),
        ScheduledEvent::Batch => batches::plan_batch(world),
        ScheduledEvent::AskBatch(number) => batches::ask_batch(world, node, number),
        ScheduledEvent::CancelBatch(number) => batches::cancel_batch(world, node, number),
        ScheduledEvent::Staff(act) => staff::act(world, node, act),
        ScheduledEvent::Read(number) => payments::read(world, node, number),
        ScheduledEvent::Arrive { send, sent_at, reference, transfer } => {
            world.arrive(send, sent_at, &reference, &transfer);
        }
        ScheduledEvent::Decide(reference, decision) => world.decide(&reference, decision),
        ScheduledEvent::CallBack(reference, repeats) => call_back(world, node, reference, repeats),
        ScheduledEvent::ForgedCallback(reference) => forge_callback(world, node, reference),
        ScheduledEvent::ClockStep => world.step_clock(),
        ScheduledEvent::Outage => world.begin_outage(),
        ScheduledEvent::Crash | ScheduledEvent::DiskFault | ScheduledEvent::Pause => {}
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
    world.happens(&reference, Happening::Callback);
    let callback = Callback { world: world.clone(), reference, again: repeats.then_some(again) };
    tokio::spawn(async move {
        // An operator of one network has its name.
        let name = network.as_str().to_lowercase();
        let request = request(&callback.reference);
        let secret = node.callback_secret(&name);
        let taken = node.callbacks.take(&name, &secret, request, String::new()).await;
        if matches!(taken, Ok(CallbackOutcome::Taken)) {
            callback.end();
        }
    });
}

/// A callback that the service has not taken. It is repeated after `again`, also where the service
/// crashes and so never responds.
struct Callback {
    world: Arc<World>,
    reference: String,
    again: Option<Duration>,
}

impl Callback {
    /// The service has taken it.
    fn end(mut self) {
        self.again = None;
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        if let Some(again) = self.again {
            let reference = std::mem::take(&mut self.reference);
            self.world.plan(again, ScheduledEvent::CallBack(reference, true));
        }
    }
}

fn request(reference: &str) -> CallbackRequest {
    CallbackRequest {
        method: "POST".to_owned(),
        authority: String::new(),
        path: String::new(),
        headers: Vec::new(),
        body: reference.as_bytes().to_vec(),
    }
}

/// Somebody calls back with a wrong secret about an order, or with the right one about none.
fn forge_callback(world: &Arc<World>, node: Option<&Arc<Node>>, reference: String) {
    let network = world.lock().books.get(&reference).map(|order| order.network);
    let Some((network, node)) = network.zip(node.cloned()) else { return };
    let knows_secret = world.lock().random.bool();
    world.happens(&reference, Happening::ForgedCallback);
    world.trace(|| "somebody forges a callback".to_owned());
    let world = world.clone();
    tokio::spawn(async move {
        let name = network.as_str().to_lowercase();
        let secret = node.callback_secret(&name);
        let (secret, body) = if knows_secret {
            (secret, TransactionId::mint().operator_reference())
        } else {
            (format!("{secret}0"), reference)
        };
        let taken = node.callbacks.take(&name, &secret, request(&body), String::new()).await;
        if matches!(taken, Ok(CallbackOutcome::Taken)) {
            world.violated("a forged callback was taken".to_owned());
        }
    });
}
