//! Logs, metrics, readiness; no secret in any of them.

mod logs;
mod metrics;
mod readiness;
mod secrets;
