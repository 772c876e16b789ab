//! The dashboard, without script.

mod access;
mod administration;
mod journey;
