//! The state of Hubtel in addition to its orders.

/// The protocol of Hubtel, which has no state in addition to its orders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hubtel;
