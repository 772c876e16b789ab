//! The charges that a till lists: those that were asked for in this browser, and those of the
//! payment link whose code it shows. What other people of the shop ask for is not for its counter.

use super::{
    cookies::{self, CookieNames},
    error::DashboardError,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{http::HeaderMap, response::Response};
use jiff::SignedDuration;
use tua_domain::{LinkId, Transaction, TransactionId};

/// Has the ids of the charges that were asked for in this browser, the newest first, of whatever
/// account and mode.
const COOKIE: CookieNames =
    CookieNames { secure: "__Host-tua-till-charges", loopback: "tua-till-charges" };

/// For how long a browser keeps them: longer than a charge stays on the list.
const COOKIE_MAX_AGE: SignedDuration = SignedDuration::from_hours(48);

/// What divides the ids.
const DIVIDER: char = '.';

/// How many charges are kept and listed.
const LISTED: usize = 10;

/// The newest charges of this browser that are of the day, with those of a link that it shows.
pub(super) async fn newest(
    state: &DashboardState,
    visitor: &Visitor,
    headers: &HeaderMap,
    link: Option<&LinkId>,
) -> Result<Vec<Transaction>, DashboardError> {
    let mut charges = Vec::new();
    for id in kept(headers, state.is_https()) {
        charges.extend(state.day_charges.find(&visitor.scope, &id).await?);
    }
    if let Some(link) = link {
        let limit = u32::try_from(LISTED).unwrap_or(u32::MAX);
        charges.extend(state.day_charges.newest(&visitor.scope, Some(link), limit).await?);
    }
    charges.sort_by(|one, other| {
        (other.created_at, other.order.id.as_str()).cmp(&(one.created_at, one.order.id.as_str()))
    });
    charges.dedup_by(|one, other| one.order.id == other.order.id);
    charges.truncate(LISTED);
    Ok(charges)
}

/// Keeps the id of a charge in the browser that has asked for it.
pub(super) fn keep(
    state: &DashboardState,
    headers: &HeaderMap,
    id: &TransactionId,
    mut response: Response,
) -> Response {
    let others = kept(headers, state.is_https()).into_iter().filter(|other| other != id);
    let ids: Vec<_> = std::iter::once(id.clone()).chain(others).take(LISTED).collect();
    let ids: Vec<_> = ids.iter().map(TransactionId::as_str).collect();
    let text = ids.join(&DIVIDER.to_string());
    cookies::keep(response.headers_mut(), COOKIE, text, COOKIE_MAX_AGE, state.is_https());
    response
}

fn kept(headers: &HeaderMap, is_https: bool) -> Vec<TransactionId> {
    let text = cookies::find(headers, COOKIE, is_https).unwrap_or_default();
    let ids = text.split(DIVIDER).filter(|id| !id.is_empty() && !id.contains('\0'));
    ids.take(LISTED).map(TransactionId::new).collect()
}
