//! The rotation of a secret key: its successor, and for how long both are valid.

use super::{
    error::DashboardError,
    fields::Fields,
    keys::{self, KeyPage, NewSecret},
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use jiff::SignedDuration;
use minijinja::context;
use tua_domain::SecretKey;
use tua_use_cases::{RotateKeyError, SuccessorExpiry};

/// For how many hours the old key stays valid, as a person chooses it: an hour, a day, a week,
/// thirty days.
const OVERLAP_HOURS: [i64; 4] = [1, 24, 168, 720];

/// What is chosen at first: long enough to put the new key on a server the next day.
const USUAL_OVERLAP_HOURS: i64 = 24;

/// `POST /keys/{key}/rotate`: first asks for how long the old key stays valid, then creates the
/// successor and shows it once.
pub(super) async fn rotate(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Path((_, _, id)): Path<(String, String, String)>,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let keys = state.api_keys.list_in(&visitor.scope).await?;
    let key = keys.iter().find(|key| key.id.as_str() == id).ok_or(DashboardError::NotFound)?;
    if !key.scopes.iter().all(|scope| keys::may_give(&visitor, scope)) {
        return Err(DashboardError::NotPermitted);
    }
    let by = visitor.audit(&state);
    if !key.is_valid(by.at) {
        return keys::page(&state, &visitor, KeyPage::refusing("keys-rotate-ended")).await;
    }
    let chosen: Option<i64> = fields.get("overlap").parse().ok();
    let Some(hours) = chosen.filter(|hours| OVERLAP_HOURS.contains(hours)) else {
        return Ok(question(&visitor, key));
    };
    let rotated =
        state.api_keys.rotate(&key.id, SignedDuration::from_hours(hours), expiry(key), &by).await;
    match rotated {
        Ok(rotated) => {
            let secret = NewSecret {
                text: rotated.new.secret,
                old_key: Some((keys::masked(&rotated.old), rotated.old.expires_at)),
            };
            keys::page(&state, &visitor, KeyPage::with_secret(secret)).await
        }
        Err(RotateKeyError::NotValid | RotateKeyError::ExpiryRequired(_)) => {
            keys::page(&state, &visitor, KeyPage::refusing("keys-rotate-ended")).await
        }
        Err(RotateKeyError::Unknown) => Err(DashboardError::NotFound),
        Err(RotateKeyError::Store(error)) => Err(error.into()),
    }
}

/// The successor of a key that expires is valid for as long as the key was made for.
fn expiry(key: &SecretKey) -> SuccessorExpiry {
    key.expires_at.map_or(SuccessorExpiry::Never, |at| {
        SuccessorExpiry::After(at.duration_since(key.created_at))
    })
}

fn question(visitor: &Visitor, key: &SecretKey) -> Response {
    let values = context! {
        key => keys::name_or_end(key),
        action => visitor.href(&format!("/keys/{}/rotate", key.id)),
        overlaps => OVERLAP_HOURS,
        usual => USUAL_OVERLAP_HOURS,
    };
    visitor.page_with(StatusCode::OK, "key_rotation.html", values)
}
