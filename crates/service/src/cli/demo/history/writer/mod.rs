//! Writes a plan through the use cases.

mod past_shop;
mod payouts;
mod sales;
mod statement;

use super::{
    super::merchant::KeyFile,
    past_service::PastStore,
    plan::{Plan, PlannedBatch},
};
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
    let payouts = payouts::write_payouts(&shop, &plan.payouts);
    let sales = stream::iter(&plan.sales)
        .map(|sale| sales::write(&shop, sale))
        .buffer_unordered(CONCURRENT_SALES)
        .try_collect::<()>();
    tokio::try_join!(payouts, sales)?;
    // One after another, because the audit log has approvals and imports in the order of time.
    let fetch = statement::choose_fetch(&shop, plan.today).await?;
    let is_earlier = |batch: &&PlannedBatch| {
        let approved_at = batch.approved_at();
        approved_at.is_some_and(|at| fetch.as_ref().is_none_or(|fetch| at < fetch.at))
    };
    let (earlier, later): (Vec<_>, Vec<_>) = plan.batches.iter().partition(is_earlier);
    payouts::write_batches(&shop, &earlier).await?;
    if let Some(fetch) = &fetch {
        statement::import(&shop, fetch).await?;
    }
    payouts::write_batches(&shop, &later).await?;
    match &plan.pending {
        Some(sale) => sales::begin_pending(&shop, sale).await,
        None => Ok(()),
    }
}
