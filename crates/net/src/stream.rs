//! A byte stream with a timeout for every wait that hyper does not limit. hyper has one timeout for
//! the idle time before a request head and the head itself; here the head has its own.

use super::{ConnectionLimits, request_counter::RequestCounter};
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

/// A stream that fails with [`io::ErrorKind::TimedOut`] once its client is too slow.
#[derive(Debug)]
pub(super) struct TimeoutStream<S> {
    stream: S,
    requests: RequestCounter,
    limits: ConnectionLimits,
    /// The request whose head is being received, counted from 0.
    head: Option<usize>,
    read_timeout: WaitTimeout,
    write_timeout: WaitTimeout,
    /// How many writes have ended. It identifies the present wait: progress restarts the timeout.
    writes: usize,
}

impl<S> TimeoutStream<S> {
    pub(super) const fn new(stream: S, requests: RequestCounter, limits: ConnectionLimits) -> Self {
        Self {
            stream,
            requests,
            limits,
            // A new connection must send its first head at once.
            head: Some(0),
            read_timeout: WaitTimeout::new(),
            write_timeout: WaitTimeout::new(),
            writes: 0,
        }
    }

    /// Passes a write's outcome on, or fails with a timeout when the client accepts no bytes for
    /// too long.
    fn check_write<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.writes = self.writes.wrapping_add(1);
            return outcome;
        }
        ready!(self.write_timeout.poll(context, self.writes, self.limits.write_timeout));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(context, buf);
        let next = self.requests.finished_if_idle();
        if buf.filled().len() > before {
            self.head = next;
        }
        if outcome.is_ready() || next.is_none() || self.head != next {
            return outcome;
        }
        let request = next.unwrap_or_default();
        let limit = self.limits.head_timeout;
        ready!(self.read_timeout.poll(context, request, limit));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, buf);
        self.check_write(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, bufs);
        self.check_write(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        self.check_write(context, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.check_write(context, outcome)
    }
}

/// The timeout of one wait after another. Creates its timer when the first wait begins.
#[derive(Debug)]
struct WaitTimeout {
    timer: Option<(usize, Pin<Box<Sleep>>)>,
}

impl WaitTimeout {
    const fn new() -> Self {
        Self { timer: None }
    }

    /// Ready once `limit` has passed since this wait, identified by its number, was first polled.
    fn poll(&mut self, context: &mut Context<'_>, wait: usize, limit: Duration) -> Poll<()> {
        let (current, timer) =
            self.timer.get_or_insert_with(|| (wait, Box::pin(sleep_until(Instant::now() + limit))));
        if *current != wait {
            *current = wait;
            timer.as_mut().reset(Instant::now() + limit);
        }
        timer.as_mut().poll(context)
    }
}
