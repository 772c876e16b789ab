//! What all requests have in common: with which key they come, and what may not be accepted.

use crate::{node::Node, world::World};
use std::time::Duration;
use tua_domain::{SecretKey, ports::Clock};

/// How often a shop asks for something before it gives up.
pub const MAX_ASKS: u32 = 12;

/// The key with which somebody asks: the shop's, or a stolen one. `None` where the service refuses
/// it.
pub async fn key(world: &World, node: &Node, stolen: Option<usize>) -> Option<SecretKey> {
    let key = {
        let keys = &world.lock().shop.keys;
        stolen.map_or_else(|| keys.last().cloned(), |number| keys.get(number).cloned())?
    };
    node.authenticate(&key, world.clock.now()).await
}

/// Something new has begun by a request that came at this time.
pub fn begun(world: &World, what: &str, asked_at: Duration, stolen: Option<usize>) {
    let (is_suspended, is_revoked) = {
        let permissions = &world.lock().permissions;
        let is_revoked = stolen.is_some_and(|key| permissions.is_revoked_before(key, asked_at));
        (permissions.is_suspended_since(asked_at), is_revoked)
    };
    if is_suspended {
        world.violated(format!("{what} has begun while the account is suspended"));
    }
    if is_revoked {
        world.violated(format!("{what} has begun with a revoked key"));
    }
}
