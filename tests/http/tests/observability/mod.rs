//! Logs, metrics, readiness, traces; no secret in any of them.

mod logs;
mod metrics;
mod readiness;
mod secrets;
mod traces;
