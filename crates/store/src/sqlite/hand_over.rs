//! Marks orders as handed over, before they are sent.

use super::{transaction_rows::by_id, transactions::apply_event};
use crate::queries::{
    approvals::store_wait,
    hand_over::{flag, is_blocked, is_held, is_key_revoked, session, store_mark},
};
use jiff::Timestamp;
use rusqlite::{Connection, Result};
use std::time::Duration;
use tua_domain::{
    Event, TransactionId,
    ports::{HandOver, Route},
    rules::{self, HELD_RETRY, HandOverDecision},
};
use tua_sql::sqlite::sql::ready;

pub(super) fn mark(
    db: &Connection,
    id: &TransactionId,
    route: Route,
    first_query_at: Timestamp,
    now: Timestamp,
    waited: Duration,
) -> Result<HandOver> {
    let Some(mut transaction) = by_id(db, id)? else { return Ok(HandOver::Nothing) };
    let session = ready(session(db, &transaction))?;
    let is_key_revoked = ready(is_key_revoked(db, &transaction, session.as_ref(), now))?;
    let session_expires_at = session.map(|session| session.expires_at);
    let is_held =
        match rules::hand_over(&transaction, session_expires_at, is_key_revoked, now, waited) {
            None => return Ok(HandOver::Nothing),
            Some(HandOverDecision::End(event)) => {
                apply_event(db, &mut transaction, &event, now)?;
                return Ok(HandOver::Ended(transaction));
            }
            Some(HandOverDecision::Stop(event)) => {
                apply_event(db, &mut transaction, &event, now)?;
                if !transaction.state.is_unapproved() {
                    return Ok(HandOver::Ended(transaction));
                }
                ready(store_wait(db, &transaction))?;
                return Ok(HandOver::Held(transaction));
            }
            Some(HandOverDecision::HandOver) if ready(is_blocked(db, &transaction, route))? => {
                ready(flag(db, &transaction, now))?;
                return Ok(HandOver::Nothing);
            }
            Some(HandOverDecision::HandOver) => ready(is_held(db, &transaction, route))?,
            Some(HandOverDecision::Wait) => true,
        };
    if is_held {
        ready(store_mark(db, &transaction, Some(now + HELD_RETRY), None))?;
        return Ok(HandOver::Nothing);
    }
    apply_event(db, &mut transaction, &Event::HandedOver, now)?;
    ready(store_mark(db, &transaction, None, Some(first_query_at)))?;
    Ok(HandOver::Marked(transaction))
}
