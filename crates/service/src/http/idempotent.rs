//! `Idempotency-Key`: a request that is sent again is answered again, and done once.

use super::{
    problem::ApiError,
    refusals::{in_progress, internal},
};
use crate::{
    app::App,
    domain::{
        Caller,
        idempotency::{Answer, Attempt, Fingerprint, IdempotencyRecord, Reply, Route},
    },
};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::{future::Future, sync::Arc};
use tracing::Instrument;
use tua_contract::ErrorCode;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The header's own form: its length, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 1..=255;

/// The attempt that a request makes, where it carries a key.
pub(super) fn attempt(
    app: &App,
    headers: &HeaderMap,
    caller: &Caller,
    route: Route,
    fingerprint: Fingerprint,
) -> Option<Attempt> {
    // Its form was checked by `check_key`, before the body was read.
    let key = headers.get(IDEMPOTENCY_KEY)?.to_str().ok()?;
    Some(Attempt::new(caller, route, key.to_owned(), fingerprint, &app.instance))
}

/// What an attempt came to.
#[derive(Debug)]
pub(super) struct Done {
    /// The answer, as it is kept.
    pub(super) answer: Answer,
    /// Whether it was given before.
    pub(super) replayed: bool,
}

impl Done {
    const fn first(answer: Answer) -> Self {
        Self { answer, replayed: false }
    }
}

/// Refuses a key that is not 1-255 printable ASCII characters, or sent more than once.
pub(super) fn check_key(headers: &HeaderMap) -> Result<(), ApiError> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    let (Some(key), second) = (keys.next(), keys.next()) else { return Ok(()) };
    let printable = key.as_bytes().iter().all(|byte| (b' '..=b'~').contains(byte));
    if second.is_none() && printable && LENGTHS.contains(&key.len()) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::IdempotencyKeyInvalid,
        "The Idempotency-Key header must be 1 to 255 printable ASCII characters, and appear once.",
    ))
}

/// What work has made: an answer, and whether the store has it already.
#[derive(Debug)]
pub(super) enum Made {
    /// It is still to be kept.
    New(Answer),
    /// It was kept together with what it tells of.
    Kept(Answer),
}

impl Made {
    fn into_answer(self) -> Answer {
        match self {
            Self::New(answer) | Self::Kept(answer) => answer,
        }
    }
}

/// Does `work` once for an attempt, and answers every repetition with what came of it.
///
/// The work runs in a task of its own, so that it comes to its end, and its answer is kept, even
/// where the connection breaks. `revive` answers for an attempt that a crash cut off, from what
/// came of it.
pub(super) async fn run<Work, Revival>(
    app: &Arc<App>,
    attempt: Option<Attempt>,
    work: Work,
    revive: impl FnOnce(String) -> Revival,
) -> Result<Done, ApiError>
where
    Work: Future<Output = Result<Made, ApiError>> + Send + 'static,
    Revival: Future<Output = Result<Answer, ApiError>>,
{
    let Some(attempt) = attempt else {
        let answered = async { work.await.map(Made::into_answer) };
        return finish(app, answered).await.map(Done::first);
    };
    if let Some(remembered) = recall(app, &attempt).await? {
        return replay(app, &attempt, remembered, revive).await;
    }
    let kept = {
        let (app, attempt) = (app.clone(), attempt.clone());
        async move {
            let _attended = app.attending.begin(&attempt);
            Ok(match work.await? {
                Made::Kept(answer) => answer,
                Made::New(answer) => keep(&app, &attempt, answer).await,
            })
        }
    };
    match finish(app, kept).await {
        // Another one of the same key came first, between the look and the work.
        Err(error) if error.code == ErrorCode::IdempotencyInProgress => match recall(app, &attempt).await? {
            Some(remembered) => replay(app, &attempt, remembered, revive).await,
            None => Err(error),
        },
        done => done.map(Done::first),
    }
}

async fn recall(app: &App, attempt: &Attempt) -> Result<Option<IdempotencyRecord>, ApiError> {
    let remembered = app.store.find_attempt(attempt, app.clock.now()).await?;
    let runs_here = |remembered: &IdempotencyRecord| remembered.running && remembered.instance == app.instance;
    if !remembered.as_ref().is_some_and(runs_here) || app.attending.is_in_flight(attempt) {
        return Ok(remembered);
    }
    // It has ended, maybe since we looked. Now its answer is there, or was lost.
    let remembered = app.store.find_attempt(attempt, app.clock.now()).await?;
    Ok(remembered.map(|remembered| IdempotencyRecord { running: false, ..remembered }))
}

/// The answer that is kept, be it an earlier one. What was done is done, and its caller must learn of it: a repetition
/// of an attempt whose answer could not be kept is answered with how things stand.
async fn keep(app: &App, attempt: &Attempt, answer: Answer) -> Answer {
    let reply = Reply { attempt: attempt.clone(), answer: answer.clone() };
    app.store.answer_attempt(reply).await.unwrap_or_else(|error| {
        tracing::error!(%error, "an answer could not be kept for repetitions; they are told how things stand");
        answer
    })
}

async fn finish(
    app: &App,
    work: impl Future<Output = Result<Answer, ApiError>> + Send + 'static,
) -> Result<Answer, ApiError> {
    app.tasks.spawn(work.in_current_span()).await.unwrap_or_else(|_| Err(internal()))
}

async fn replay<Revival>(
    app: &App,
    attempt: &Attempt,
    remembered: IdempotencyRecord,
    revive: impl FnOnce(String) -> Revival,
) -> Result<Done, ApiError>
where
    Revival: Future<Output = Result<Answer, ApiError>>,
{
    if remembered.fingerprint != attempt.fingerprint {
        return Err(ApiError::new(
            ErrorCode::IdempotencyKeyReused,
            "This Idempotency-Key was already used for another request. This request had no effect. Use a new key for a new request.",
        ));
    }
    if remembered.running {
        return Err(in_progress());
    }
    let answer = match remembered.answer {
        Some(answer) => answer,
        None => {
            let answer = revive(remembered.subject).await?;
            keep(app, attempt, answer).await
        }
    };
    Ok(Done { answer, replayed: true })
}

/// An answer to keep, from what it shows.
pub(super) fn answer(status: StatusCode, view: &impl Serialize) -> Result<Answer, ApiError> {
    let body = serde_json::to_string(view).map_err(|_| internal())?;
    Ok(Answer { status: status.as_u16(), body })
}

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        let mut response = Body::from(self.answer.body).into_response();
        *response.status_mut() = StatusCode::from_u16(self.answer.status).unwrap_or(StatusCode::OK);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.replayed {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_1_to_255_printable_characters_and_stands_once() {
        let check = |keys: &[&str]| {
            let pair = |key: &&str| (IDEMPOTENCY_KEY, HeaderValue::from_bytes(key.as_bytes()).unwrap());
            let mut headers = HeaderMap::new();
            for (name, value) in keys.iter().map(pair) {
                headers.append(name, value);
            }
            check_key(&headers).is_ok()
        };
        assert!(check(&[]) && check(&["a"]) && check(&["\"quoted\""]) && check(&[&"k".repeat(255)]));
        assert!(
            !check(&[""]) && !check(&[&"k".repeat(256)]) && !check(&["é"]) && !check(&["a", "a"]) && !check(&["a\tb"])
        );
    }
}
