//! Counts the requests of one connection, so that its stream can tell an idle connection from a
//! busy one.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

/// The requests of one connection: shared by its stream and its HTTP service.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestCounter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    started: AtomicUsize,
    finished: AtomicUsize,
}

impl RequestCounter {
    /// Counts a request whose head has been read. The request counts as finished once the returned
    /// guard is dropped.
    pub(super) fn start(&self) -> InFlightRequest {
        self.0.started.fetch_add(1, Ordering::SeqCst);
        InFlightRequest(self.clone())
    }

    /// The number of finished requests, or `None` while a request is in flight.
    pub(super) fn finished_if_idle(&self) -> Option<usize> {
        let finished = self.0.finished.load(Ordering::SeqCst);
        (self.0.started.load(Ordering::SeqCst) == finished).then_some(finished)
    }
}

/// Marks one request as in flight until it is dropped.
#[derive(Debug)]
pub(super) struct InFlightRequest(RequestCounter);

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        self.0.0.finished.fetch_add(1, Ordering::SeqCst);
    }
}

/// A response body that keeps its request in flight until the whole body has been sent.
#[derive(Debug)]
pub(super) struct CountedBody {
    pub(super) body: Body,
    pub(super) _request: InFlightRequest,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
