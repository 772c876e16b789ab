//! Delivers callbacks to the merchant, with each operator's signature and retries.

use crate::{
    callback::{CALLBACK_TIMEOUT, Callback},
    chaos::{Fault, distort},
    decision::DisputeEvent,
    event::Event,
    operator::{Call, Operator},
    order::Order,
    phase::Phase,
    protocol::{Protocol, Shared},
    wire::is_loopback,
};
use serde_json::Value;
use std::time::Duration;

/// A reordered callback waits this long for the next one.
const REORDER_LIMIT: Duration = Duration::from_secs(30);

/// The callback about an order's present phase; `None` where its operator sends none.
pub(crate) fn callback(shared: &Shared, order: &Order) -> Option<Callback> {
    shared.protocol(order.new.operator)?.callback(shared, order)
}

/// Reports a step of a dispute about a charge.
pub(crate) fn report_dispute(shared: &Shared, order: &Order, event: DisputeEvent) {
    let protocol = shared.protocol(order.new.operator);
    if let Some(callback) = protocol.and_then(|protocol| protocol.dispute(shared, order, event)) {
        send_with_faults(shared, callback);
    }
}

/// Posts JSON to an address once, without faults. For requests that are not callbacks about orders.
pub(crate) fn post_once(shared: &Shared, url: String, body: Value) {
    if !shared.settings.allow_other_hosts && !is_loopback(&url) {
        return;
    }
    let request = shared
        .callbacks
        .client()
        .post(url)
        .timeout(CALLBACK_TIMEOUT)
        .header("content-type", "application/json");
    let request = request.body(body.to_string());
    tokio::spawn(async move {
        // It is not retried: the receiver queries the state.
        let _ = request.send().await;
    });
}

/// Sends a callback with a wrong signature about a success that has not happened, if that fault is
/// set.
pub(crate) fn send_forged(shared: &Shared, order: &Order) {
    let faults =
        shared.chaos.take(order.new.operator, Call::Callback, shared.clock.now(), |fault| {
            fault == Fault::Forged
        });
    if faults.is_empty() {
        return;
    }
    let mut successful = order.clone();
    successful.phase = Phase::Successful;
    if let Some(callback) = callback(shared, &successful) {
        send(shared, Callback { is_forged: true, ..callback }, 1);
    }
}

/// Sends a callback, with the faults that are set.
pub(crate) fn send_with_faults(shared: &Shared, mut callback: Callback) {
    let operator = callback.operator;
    let Some(protocol) = shared.protocol(operator) else { return };
    let now = shared.clock.now();
    let is_dropped = shared.orders().get(callback.order).is_some_and(|order| order.drops_callbacks);
    let faults = shared.chaos.take(operator, Call::Callback, now, |fault| fault != Fault::Forged);
    if is_dropped || faults.contains(&Fault::Lost) {
        if let Some(order) = shared.orders().get_mut(callback.order) {
            order.callbacks.dropped += 1;
        }
        return;
    }
    for fault in &faults {
        match fault {
            Fault::Html | Fault::HalfJson => callback.text_fault = Some(*fault),
            _ => distort(protocol.format(), *fault, &mut callback.body),
        }
    }
    if faults.contains(&Fault::Doubled) {
        send(shared, callback.clone(), 1);
    }
    let delay = faults.iter().find_map(|fault| match fault {
        Fault::Delayed(duration) => Some(*duration),
        _ => None,
    });
    if let Some(delay) = delay {
        shared
            .clock
            .schedule(shared.clock.after(delay), Event::SendCallback { callback, attempt: 1 });
        return;
    }
    let overtaken = shared.callbacks.take_held(operator);
    match overtaken {
        None if faults.contains(&Fault::Reordered) => hold(shared, callback),
        overtaken => send_in_order(shared, callback, overtaken),
    }
}

/// Keeps a callback until the operator's next one is sent, or for 30 s.
fn hold(shared: &Shared, callback: Callback) {
    let operator = callback.operator;
    shared.callbacks.hold(callback);
    let due = shared.clock.after(REORDER_LIMIT);
    shared.clock.schedule(due, Event::SendHeldCallback { operator });
}

/// Sends the operator's callback that waits for the next one, if there is one.
pub(crate) fn send_held(shared: &Shared, operator: Operator) {
    if let Some(held) = shared.callbacks.take_held(operator) {
        send(shared, held, 1);
    }
}

/// Sends a callback, and after its response the earlier one that it overtakes.
fn send_in_order(shared: &Shared, callback: Callback, overtaken: Option<Callback>) {
    let shared = shared.clone();
    tokio::spawn(async move {
        attempt_delivery(shared.clone(), callback, 1).await;
        if let Some(overtaken) = overtaken {
            attempt_delivery(shared, overtaken, 1).await;
        }
    });
}

/// Sends a callback in the background, as this attempt, from 1.
pub(crate) fn send(shared: &Shared, callback: Callback, attempt: u32) {
    tokio::spawn(attempt_delivery(shared.clone(), callback, attempt));
}

/// Sends a callback as this attempt, and records the result in its order. Schedules the next
/// attempt if the merchant has not confirmed the callback.
async fn attempt_delivery(shared: Shared, callback: Callback, attempt: u32) {
    let Some(protocol) = shared.protocol(callback.operator) else { return };
    let result = if shared.settings.allow_other_hosts || is_loopback(&callback.url) {
        shared.counters.count(
            callback.operator,
            Call::Callback,
            format!("CALLBACK {}", callback.operator),
        );
        send_request(&shared, protocol, &callback).await
    } else {
        Err("not sent: the address is not on this machine".to_owned())
    };
    let is_received = result.as_ref().is_ok_and(|status| protocol.is_received(*status));
    if let Some(order) = shared.orders().get_mut(callback.order) {
        order.callbacks.attempts += 1;
        order.callbacks.last_result =
            Some(result.map_or_else(|error| error, |status| status.to_string()));
    }
    let delay = protocol
        .retry_delay(&shared.settings, attempt)
        .filter(|_| !is_received && !callback.is_forged);
    if let Some(delay) = delay {
        let event = Event::SendCallback { callback, attempt: attempt + 1 };
        shared.clock.schedule(shared.clock.after(delay), event);
    }
}

/// Sends one request. Returns the HTTP status, or the error as the emulator's page shows it.
async fn send_request(
    shared: &Shared,
    protocol: &dyn Protocol,
    callback: &Callback,
) -> Result<u16, String> {
    let body = callback.text();
    let timeout = protocol.callback_timeout(&shared.settings);
    let request =
        shared.callbacks.client().request(callback.method.clone(), &callback.url).timeout(timeout);
    let headers = protocol.sign(shared, callback, body.as_bytes());
    let request = headers
        .into_iter()
        .fold(request, |request, (name, value)| request.header(name, value))
        .body(body);
    match request.send().await {
        Ok(response) => Ok(response.status().as_u16()),
        Err(error) if error.is_timeout() => Err("no answer in time".to_owned()),
        Err(error) if error.is_builder() => Err("not an address".to_owned()),
        Err(_) => Err("not reachable".to_owned()),
    }
}
