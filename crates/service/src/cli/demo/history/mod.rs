//! The history of the demo's shop: ninety days of made-up test payments, so that the dashboard has
//! something to show. They are written through the use cases of the service with a clock in the
//! past, and the sandbox decides them. Nothing is sent to anybody.
//!
//! | module | does |
//! |---|---|
//! | `plan` | decides what happened, from a seed and the day |
//! | `past_service` | has the use cases at a time in the past |
//! | `writer` | writes a plan |

mod past_service;
mod plan;
mod writer;

use super::merchant::{KeyFile, line};
use jiff::Timestamp;
use plan::Plan;
use tokio::{runtime, task::spawn_blocking};
use tracing::subscriber::{NoSubscriber, set_default};
use tua_companion::catalogue::Catalogue;
use tua_domain::key_ring::KeyRing;
use tua_store::database::Opened;
use tua_use_cases::Accounts;

/// Whether the database is unused: it has no account.
///
/// # Errors
/// One line: the database cannot be read.
pub(super) async fn is_unused(opened: &Opened) -> Result<bool, String> {
    let accounts = Accounts { accounts: opened.store.clone() };
    Ok(accounts.list().await.map_err(line)?.is_empty())
}

/// Creates the demo's account and its history up to `now`. No worker may run on the database yet:
/// it would take what is pending in the past for its own.
///
/// It runs in a thread that logs nothing, because a log line for each step of each payment would
/// hide what the service logs.
///
/// # Errors
/// One line: what could not be written. What was written before stays.
pub(super) async fn write(
    opened: Opened,
    keys: KeyRing,
    catalogue: Catalogue,
    key_file: KeyFile,
    now: Timestamp,
) -> Result<(), String> {
    let written = spawn_blocking(move || {
        let _unlogged = set_default(NoSubscriber::default());
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(line)?;
        let plan = Plan::new(&catalogue, now);
        runtime.block_on(writer::write(&opened, &keys, &key_file, &plan))
    });
    written.await.map_err(line)?
}
