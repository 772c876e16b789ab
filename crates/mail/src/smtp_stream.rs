//! The stream of an SMTP connection, from which a limited number of bytes is read.
//!
//! lettre reads a line of a reply to its end before it looks at its length, and a server that an
//! owner chose could send a line without an end.

use lettre::transport::smtp::{Error, client::AsyncTokioStream};
use std::{
    error::Error as StdError,
    io::{self, ErrorKind},
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

/// The number of bytes that are read from a connection, with those of TLS. A usual connection has
/// less than 20 KiB.
const MAX_READ_BYTES: usize = 256 * 1024;

/// A stream whose reads fail once the server has sent more than [`MAX_READ_BYTES`].
#[derive(Debug)]
pub(super) struct LimitedStream {
    stream: TcpStream,
    left_bytes: usize,
}

impl LimitedStream {
    /// Nothing of the stream has been read yet.
    pub(super) const fn new(stream: TcpStream) -> Self {
        Self { stream, left_bytes: MAX_READ_BYTES }
    }
}

/// Whether the server sent more than [`MAX_READ_BYTES`].
pub(super) fn is_too_long(error: &Error) -> bool {
    let mut cause = error.source();
    while let Some(error) = cause {
        let of_stream = error.downcast_ref::<io::Error>();
        if of_stream.is_some_and(|error| error.kind() == ErrorKind::FileTooLarge) {
            return true;
        }
        cause = error.source();
    }
    false
}

impl AsyncRead for LimitedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        let read = buffer.filled().len() - before;
        let Some(left) = self.left_bytes.checked_sub(read) else {
            let reason = format!("the server sent more than {} KiB", MAX_READ_BYTES / 1024);
            return Poll::Ready(Err(io::Error::new(ErrorKind::FileTooLarge, reason)));
        };
        self.left_bytes = left;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LimitedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl AsyncTokioStream for LimitedStream {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }
}
