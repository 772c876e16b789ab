//! The protocols that the emulator speaks.

use crate::{
    hubtel::Hubtel, mtn_momo::MtnMomo, operator::Operator, pawapay::Pawapay, paystack::Paystack,
    protocol::Protocol,
};
use std::sync::Arc;

/// A new instance of each protocol, in the order of the page. A further operator is one more line.
pub(crate) fn all() -> Vec<Arc<dyn Protocol>> {
    vec![
        Arc::new(MtnMomo::default()),
        Arc::new(Paystack::default()),
        Arc::new(Pawapay::default()),
        Arc::new(Hubtel),
    ]
}

impl Operator {
    /// All operators, in the order of the page.
    #[must_use]
    pub fn all() -> Vec<Self> {
        all().iter().map(|protocol| protocol.operator()).collect()
    }

    /// Parses the name that [`Self::as_str`] returns.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|operator| operator.as_str() == name)
    }
}

/// The names of all operators, for messages: `mtn-momo, paystack`.
pub(crate) fn names() -> String {
    let names = Operator::all().into_iter().map(Operator::as_str);
    names.collect::<Vec<_>>().join(", ")
}

/// An error code that an operator documents.
pub(crate) fn find_error_code(code: &str) -> Option<&'static str> {
    all().iter().find_map(|protocol| protocol.format().error_code(code))
}

/// A status of orders that an operator documents.
pub(crate) fn find_status(status: &str) -> Option<&'static str> {
    all().iter().find_map(|protocol| protocol.format().status(status))
}
