//! The ledger agrees with the books of the operators. Its sums are read with SQL.

use crate::{
    books::BookedOrder,
    inspector::{LedgerSums, Stage},
    world::World,
};
use tua_contract::Network;
use tua_domain::{Kind, TransactionId};

/// Compares the sums of the ledger with those of the operators' books, operator by operator.
pub fn check(world: &World) {
    let orders: Vec<(String, BookedOrder)> = {
        let state = world.lock();
        state.books.iter().map(|(reference, order)| (reference.clone(), order.clone())).collect()
    };
    for network in Network::ALL {
        let name = network.as_str().to_lowercase();
        let Some(sums) = world.look(|inspector| inspector.ledger(&name)) else {
            return world.violated("the ledger could not be read".to_owned());
        };
        let Some(in_transit) = world.look(|inspector| inspector.in_transit(&name)) else {
            return world.violated("the payouts in transit could not be read".to_owned());
        };
        let handed_over = LedgerSums { float: -in_transit, in_transit, owned: 0 };
        let of_network = orders.iter().filter(|(_, order)| order.network == network);
        let expected = of_network.fold(handed_over, |sums, (reference, order)| {
            let moved = moved(world, reference, order).unwrap_or_default();
            LedgerSums { float: sums.float + moved, owned: sums.owned - moved, ..sums }
        });
        if sums != expected {
            world.violated(format!(
                "the ledger of {name} differs from the books of its operator: {sums:?}, and not \
                 {expected:?}"
            ));
        }
    }
}

/// What an order has moved, in pesewas, as far as the service is told: where it is not, the payment
/// is pending and flagged.
fn moved(world: &World, reference: &str, order: &BookedOrder) -> Option<i64> {
    let id = TransactionId::of_operator_reference(reference)?;
    let stage = world.look(|inspector| inspector.stage(id.as_str()))?;
    let is_final = matches!(stage, Stage::Successful | Stage::Failed | Stage::Contradicted);
    let sign = if order.kind == Kind::Charge { 1 } else { -1 };
    (is_final && order.executions > 0).then(|| sign * order.amount.pesewas())
}
