//! Writes a plan through the use cases.

mod past_shop;
mod payouts;
mod sales;

use super::{super::merchant::KeyFile, past_service::PastStore, plan::Plan};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::sync::Arc;
use tua_domain::key_ring::KeyRing;
use tua_metrics::Metrics;
use tua_store::database::Opened;

/// How many sales are written concurrently, so that they share commits.
const CONCURRENT_SALES: usize = 48;

/// Creates the account, and writes what happened.
///
/// # Errors
/// One line: what could not be written.
pub(super) async fn write(
    opened: &Opened,
    keys: &KeyRing,
    key_file: &KeyFile,
    plan: &Plan,
) -> Result<(), String> {
    let metrics = Arc::new(Metrics::new(plan.opened_at));
    let past = PastStore { opened: opened.clone(), keys: keys.clone(), metrics };
    let shop = past_shop::open(past, key_file, plan).await?;
    // One after another, because the audit log has the approvals in the order of time.
    let payouts = payouts::write_all(&shop, plan);
    let sales = stream::iter(&plan.sales)
        .map(|sale| sales::write(&shop, sale))
        .buffer_unordered(CONCURRENT_SALES)
        .try_collect::<()>();
    tokio::try_join!(payouts, sales)?;
    match &plan.pending {
        Some(sale) => sales::begin_pending(&shop, sale).await,
        None => Ok(()),
    }
}
