//! A connection's bytes, with an end to every wait that hyper does not end itself: hyper bounds the
//! pause before a head and the head together; here the head has a time of its own.

use super::{Bounds, traffic::Traffic};
use std::{
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

/// A stream that fails once its client is too slow.
#[derive(Debug)]
pub(super) struct Watched<S> {
    stream: S,
    traffic: Traffic,
    bounds: Bounds,
    /// The request whose head is coming in, counted from 0.
    head: Option<usize>,
    reading: Deadline,
    writing: Deadline,
    /// Writes that have ended.
    written: usize,
}

impl<S> Watched<S> {
    pub(super) const fn new(stream: S, traffic: Traffic, bounds: Bounds) -> Self {
        Self {
            stream,
            traffic,
            bounds,
            // A new connection owes its first head at once.
            head: Some(0),
            reading: Deadline::new(),
            writing: Deadline::new(),
            written: 0,
        }
    }

    /// The end of a write: its outcome, or a time-out where the client takes nothing for too long.
    fn write_ends<T>(&mut self, context: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.written = self.written.wrapping_add(1);
            return outcome;
        }
        ready!(self.writing.poll(context, self.written, self.bounds.stalled));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(context, buf);
        let next = self.traffic.between_requests();
        if buf.filled().len() > before {
            self.head = next;
        }
        if outcome.is_ready() || next.is_none() || self.head != next {
            return outcome;
        }
        let (request, limit) = (next.unwrap_or_default(), self.bounds.head);
        ready!(self.reading.poll(context, request, limit));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, buf);
        self.write_ends(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, bufs);
        self.write_ends(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        self.write_ends(context, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.write_ends(context, outcome)
    }
}

/// The end of one wait after the other. Makes its timer only once something is waited for.
#[derive(Debug)]
struct Deadline {
    timer: Option<(usize, Pin<Box<Sleep>>)>,
}

impl Deadline {
    const fn new() -> Self {
        Self { timer: None }
    }

    /// Ready once `limit` is over since this wait, by its number, was first asked about.
    fn poll(&mut self, context: &mut Context<'_>, wait: usize, limit: Duration) -> Poll<()> {
        let (known, timer) = self.timer.get_or_insert_with(|| (wait, Box::pin(sleep_until(Instant::now() + limit))));
        if *known != wait {
            *known = wait;
            timer.as_mut().reset(Instant::now() + limit);
        }
        timer.as_mut().poll(context)
    }
}
