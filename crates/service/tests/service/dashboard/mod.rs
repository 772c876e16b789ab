//! The dashboard, without script.

mod access;
mod journey;
