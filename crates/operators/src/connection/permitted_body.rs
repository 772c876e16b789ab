//! A request body that is handed to the connection only while the order may be sent.

use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::{
    fmt,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};
use tua_domain::ports::SendPermit;

/// The whole body of an order. hyper polls it after the connection is made and before it writes
/// anything, so the permit is checked as late as possible: connecting may take seconds, and a
/// process may be suspended meanwhile.
#[derive(Debug)]
pub(super) struct PermittedBody {
    body: Option<Bytes>,
    permit: SendPermit,
    expired: Arc<AtomicBool>,
}

/// The permission to send had expired.
#[derive(Debug)]
pub(super) struct PermitExpired;

impl PermittedBody {
    pub(super) fn new(body: Vec<u8>, permit: SendPermit, expired: Arc<AtomicBool>) -> Self {
        Self { body: Some(body.into()), permit, expired }
    }

    pub(super) fn into_body(self) -> reqwest::Body {
        reqwest::Body::wrap(self)
    }
}

/// Whether a request was aborted because the permission had expired.
pub(super) fn has_expired(expired: &AtomicBool) -> bool {
    expired.load(Ordering::SeqCst)
}

impl Body for PermittedBody {
    type Data = Bytes;
    type Error = PermitExpired;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, PermitExpired>>> {
        let Some(body) = self.body.take() else { return Poll::Ready(None) };
        if self.permit.is_valid() {
            return Poll::Ready(Some(Ok(Frame::data(body))));
        }
        self.expired.store(true, Ordering::SeqCst);
        Poll::Ready(Some(Err(PermitExpired)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.body.as_ref().map_or(0, |body| body.len() as u64))
    }
}

impl fmt::Display for PermitExpired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the permission to send the order had expired")
    }
}

impl std::error::Error for PermitExpired {}
