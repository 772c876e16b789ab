//! Lists of checkout sessions with keyset pagination: every page costs the same.

use super::listing::Query;
use crate::{
    rows::{self, select_checkouts, transaction_columns},
    sql::{Parameter, Sql},
};
use std::{collections::HashMap, iter};
use tua_domain::{
    Checkout, CheckoutId, CheckoutSummary, Scope, Transaction,
    checkout_listing::{CheckoutPageRequest, ListedCheckout, StoredCheckoutFilter},
};

/// How many sessions one query reads the charges of. The number is constant, so that PostgreSQL
/// prepares one statement.
const GROUP: usize = 25;

/// The sessions of an account and mode that match, newest first, each with its charges. Read from
/// the index `checkouts_by_age`, with a reference from `checkouts_by_reference`.
pub async fn list<S: Sql>(
    db: &S,
    scope: &Scope,
    filter: &StoredCheckoutFilter,
    page: &CheckoutPageRequest,
) -> Result<Vec<ListedCheckout>, S::Error> {
    let mut query = Query::default();
    query.add("account_id =", Some(scope.account.as_str()));
    query.add("mode =", Some(scope.mode.as_str()));
    query.add("reference =", filter.reference.as_deref());
    query.add("checkouts.created_at >", filter.created_after);
    query.add("checkouts.created_at <", filter.created_before);
    if let Some(after) = &page.after {
        let columns = "(checkouts.created_at, checkouts.id)";
        query.add_before(columns, after.created_at, after.id.as_str());
    }
    let order = "checkouts.created_at DESC, checkouts.id DESC";
    let found = query.rows(db, select_checkouts!(""), order, page.limit).await?;
    let sessions: Vec<Checkout> = found.iter().map(rows::checkout).collect::<Result<_, _>>()?;
    with_charges(db, sessions).await
}

/// The sessions in the same order, each with its charges.
async fn with_charges<S: Sql>(
    db: &S,
    sessions: Vec<Checkout>,
) -> Result<Vec<ListedCheckout>, S::Error> {
    let mut charges: HashMap<CheckoutId, Vec<Transaction>> = HashMap::new();
    for group in sessions.chunks(GROUP) {
        for charge in charges_of::<S>(db, group).await? {
            if let Some(session) = charge.order.checkout.clone() {
                charges.entry(session).or_default().push(charge);
            }
        }
    }
    let listed = sessions.into_iter().map(|checkout| {
        let charges = charges.remove(&checkout.id).unwrap_or_default();
        ListedCheckout { summary: CheckoutSummary::of(charges), checkout }
    });
    Ok(listed.collect())
}

/// The charges of at most [`GROUP`] sessions, those of one session oldest first.
async fn charges_of<S: Sql>(db: &S, sessions: &[Checkout]) -> Result<Vec<Transaction>, S::Error> {
    let hint = S::index_hint("transactions_by_checkout");
    let numbers: Vec<String> = (1..=GROUP).map(|number| format!("${number}")).collect();
    let sql = format!(
        concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM transactions{} WHERE checkout_id IN ({}) ORDER BY checkout_id, id"
        ),
        hint,
        numbers.join(", ")
    );
    let Some(last) = sessions.last() else { return Ok(Vec::new()) };
    let ids = sessions.iter().chain(iter::repeat(last)).take(GROUP).map(|one| one.id.as_str());
    let ids: Vec<&str> = ids.collect();
    let values: Vec<&(dyn Parameter + Sync)> =
        ids.iter().map(|id| id as &(dyn Parameter + Sync)).collect();
    db.query(&sql, &values).await?.iter().map(rows::transaction).collect()
}
