//! The part of a request body that the response did not wait for.
//!
//! A connection goes on with the next request only after the whole body of this one was read. So a
//! small rest is read and dropped. After a large or slow one the response says that the connection
//! is closed (RFC 9112, section 9.6); otherwise the client would send its next request into a
//! connection that ends.

use axum::{
    body::{Body, Bytes, HttpBody},
    http::{Request, header},
};
use hyper::body::{Frame, Incoming, SizeHint};
use std::{
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::timeout;

/// The largest rest of a body that is read and dropped, in bytes.
const MAX_DROPPED_BYTES: usize = 64 << 10;

/// How long a response waits for the rest of the body.
const DROP_TIMEOUT: Duration = Duration::from_secs(1);

/// A request body that first the service reads, and then the connection.
#[derive(Clone, Debug)]
pub(super) struct SharedBody(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    body: Incoming,
    reading: Reading,
    /// Whether the client sends the body only after it is asked to (`Expect: 100-continue`). The
    /// first read asks.
    is_expecting: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    NotBegun,
    Begun,
    Ended,
}

/// The request for the service, and its body if it has one.
pub(super) fn share(request: Request<Incoming>) -> (Request<Body>, Option<SharedBody>) {
    if request.body().is_end_stream() {
        return (request.map(Body::new), None);
    }
    let is_expecting = request.headers().contains_key(header::EXPECT);
    let (parts, body) = request.into_parts();
    let state = State { body, reading: Reading::NotBegun, is_expecting };
    let body = SharedBody(Arc::new(Mutex::new(state)));
    (Request::from_parts(parts, Body::new(body.clone())), Some(body))
}

impl SharedBody {
    /// Reads and drops what the service left unread. Returns whether the body was read to its end.
    pub(super) async fn drop_rest(self) -> bool {
        if self.is_end_stream() {
            return true;
        }
        if !self.is_worth_reading() {
            return false;
        }
        timeout(DROP_TIMEOUT, self.read_to_the_end()).await.unwrap_or(false)
    }

    /// Whether the rest may be small, and the client need not be asked for it.
    fn is_worth_reading(&self) -> bool {
        let state = self.lock();
        let is_asked_for = !state.is_expecting || state.reading != Reading::NotBegun;
        is_asked_for && state.body.size_hint().lower() <= MAX_DROPPED_BYTES as u64
    }

    async fn read_to_the_end(mut self) -> bool {
        let mut dropped = 0;
        while let Some(frame) = poll_fn(|cx| Pin::new(&mut self).poll_frame(cx)).await {
            let Ok(frame) = frame else { return false };
            dropped += frame.data_ref().map_or(0, Bytes::len);
            if dropped > MAX_DROPPED_BYTES {
                return false;
            }
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpBody for SharedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let mut state = self.lock();
        let polled = Pin::new(&mut state.body).poll_frame(cx);
        state.reading =
            if matches!(polled, Poll::Ready(None)) { Reading::Ended } else { Reading::Begun };
        polled
    }

    fn is_end_stream(&self) -> bool {
        let state = self.lock();
        state.reading == Reading::Ended || state.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.lock().body.size_hint()
    }
}
