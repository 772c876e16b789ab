//! What the reason of a refused or failed order says about other orders.

/// Which orders an operator would refuse for the same reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalScope {
    /// This order alone: its payer or recipient, its amount, or a member of its request.
    Order,
    /// Every order of the network and direction: credentials, permissions, addresses, products that
    /// are not enabled, or a network that is down.
    Network,
}
