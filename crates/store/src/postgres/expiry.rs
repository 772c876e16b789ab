//! What happens to a checkout session that has ended.

use super::{checkouts, notices::insert_deliveries};
use jiff::Timestamp;
use tua_domain::{Checkout, rules::Expiry};
use tua_sql::postgres::{db::Db, error::Result};

/// Writes what happens to a session that has expired or was closed.
pub(super) async fn apply_expiry(
    db: &Db,
    checkout: &Checkout,
    expiry: Expiry,
    now: Timestamp,
) -> Result<()> {
    match expiry {
        Expiry::Paid => Ok(()),
        Expiry::Later(later) => checkouts::expire_later(db, &checkout.id, later).await,
        Expiry::Unpaid(news) => insert_deliveries(db, vec![(&checkout.scope, news, now)]).await,
        Expiry::Unused(news) => {
            checkouts::mark_unused(db, checkout).await?;
            insert_deliveries(db, vec![(&checkout.scope, news, now)]).await
        }
    }
}
