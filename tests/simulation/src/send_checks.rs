//! Whether the service may send what it sends.

use crate::{sends::SendRecord, world::World};
use std::time::Duration;
use tua_domain::{TransactionId, ports::Clock};

impl World {
    /// The service writes the first byte of an order, which it may do until `deadline`.
    pub fn record_send(&self, reference: &str, deadline: Duration) {
        let uptime = self.clock.uptime();
        let first_at = self.lock().sends.get(reference).map_or(uptime, |sends| sends.first_at);
        let set_back = self.clock.set_back_since(first_at);
        let send = SendRecord { written_at: uptime, deadline, set_back };
        let recorded = self.lock().sends.record(reference, send).map_err(str::to_owned);
        let allowed = self.check_permission(reference);
        for wrong in [recorded.err(), allowed.err()].into_iter().flatten() {
            let number = self.number(reference);
            self.violated(format!("order {number} {wrong}"));
        }
    }

    /// Whether people allow an order to be sent.
    fn check_permission(&self, reference: &str) -> Result<(), String> {
        let Some(id) = TransactionId::of_operator_reference(reference) else { return Ok(()) };
        let Some(order) = self.look(|inspector| inspector.order(id.as_str())) else {
            return Err("was sent before it was stored".to_owned());
        };
        let uptime = self.clock.uptime();
        self.lock().permissions.check_send(&id, &order, uptime)
    }
}
