//! The dashboard, without script.

mod access;
