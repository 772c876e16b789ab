//! The checkout component.
