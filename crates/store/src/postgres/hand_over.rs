//! Marks orders as handed over, before they are sent.

use super::{transaction_rows::lock, transactions::apply_event};
use crate::queries::{
    approvals::store_wait,
    hand_over::{flag, is_blocked, is_held, is_key_revoked, session, store_mark},
};
use jiff::Timestamp;
use std::time::Duration;
use tua_domain::{
    Event, TransactionId,
    ports::{HandOver, Route},
    rules::{self, HELD_RETRY, HandOverDecision},
};
use tua_sql::postgres::{
    db::Db,
    error::{Error, Result},
};

pub(super) async fn mark(
    db: &Db,
    id: &TransactionId,
    route: Route,
    first_query_at: Timestamp,
    now: Timestamp,
    waited: Duration,
) -> Result<HandOver> {
    let mut transaction = match lock(db, id).await {
        Err(Error::MissingRow) => return Ok(HandOver::Nothing),
        transaction => transaction?,
    };
    let session = session(db, &transaction).await?;
    let is_key_revoked = is_key_revoked(db, &transaction, session.as_ref(), now).await?;
    let session_expires_at = session.map(|session| session.expires_at);
    let is_held =
        match rules::hand_over(&transaction, session_expires_at, is_key_revoked, now, waited) {
            None => return Ok(HandOver::Nothing),
            Some(HandOverDecision::End(event)) => {
                apply_event(db, &mut transaction, &event, now).await?;
                return Ok(HandOver::Ended(transaction));
            }
            Some(HandOverDecision::Stop(event)) => {
                apply_event(db, &mut transaction, &event, now).await?;
                if !transaction.state.is_unapproved() {
                    return Ok(HandOver::Ended(transaction));
                }
                store_wait(db, &transaction).await?;
                return Ok(HandOver::Held(transaction));
            }
            Some(HandOverDecision::HandOver) if is_blocked(db, &transaction, route).await? => {
                flag(db, &transaction, now).await?;
                return Ok(HandOver::Nothing);
            }
            Some(HandOverDecision::HandOver) => is_held(db, &transaction, route).await?,
            Some(HandOverDecision::Wait) => true,
        };
    if is_held {
        store_mark(db, &transaction, Some(now + HELD_RETRY), None).await?;
        return Ok(HandOver::Nothing);
    }
    apply_event(db, &mut transaction, &Event::HandedOver, now).await?;
    store_mark(db, &transaction, None, Some(first_query_at)).await?;
    Ok(HandOver::Marked(transaction))
}
