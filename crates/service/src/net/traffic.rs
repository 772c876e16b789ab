//! What a connection's stream and its service know of each other.

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

/// The requests of one connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Traffic(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    begun: AtomicUsize,
    answered: AtomicUsize,
}

impl Traffic {
    /// A request's head has been read. It counts as answered once what is returned is dropped.
    pub(super) fn begin(&self) -> Answering {
        self.0.begun.fetch_add(1, Ordering::SeqCst);
        Answering(self.clone())
    }

    /// How many requests have been answered, unless one is still being answered.
    pub(super) fn between_requests(&self) -> Option<usize> {
        let answered = self.0.answered.load(Ordering::SeqCst);
        (self.0.begun.load(Ordering::SeqCst) == answered).then_some(answered)
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(super) struct Answering(Traffic);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.0.answered.fetch_add(1, Ordering::SeqCst);
    }
}

/// An answer's body, which ends the answering with itself.
#[derive(Debug)]
pub(super) struct AnswerBody {
    pub(super) body: Body,
    pub(super) _answering: Answering,
}

impl HttpBody for AnswerBody {
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
