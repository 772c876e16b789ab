//! The refusal of new work under overload.

/// More arrives than can be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the service is overloaded")]
pub struct Overloaded;
