//! TLS before the first reply of an SMTP server, as on port 465.
#![expect(
    deprecated,
    reason = "lettre encrypts a stream that is already there only with this type: its own \
              connections cannot be limited, and its TLS settings cannot be read"
)]

use super::smtp_stream::LimitedStream;
use lettre::transport::smtp::{
    Error,
    client::{AsyncNetworkStream, AsyncTokioStream, TlsParameters},
};
use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::compat::{Compat, FuturesAsyncReadCompatExt};

/// A TCP connection that TLS encrypts.
#[derive(Debug)]
pub(super) struct EncryptedStream(Compat<AsyncNetworkStream>);

impl EncryptedStream {
    /// Encrypts a stream.
    ///
    /// # Errors
    /// The certificate is not trusted, or the server does not respond with TLS.
    pub(super) async fn begin(stream: LimitedStream, tls: TlsParameters) -> Result<Self, Error> {
        let mut stream = AsyncNetworkStream::use_existing_tokio1(Box::new(stream));
        stream.upgrade_tls(tls).await?;
        Ok(Self(stream.compat()))
    }
}

impl AsyncRead for EncryptedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl AsyncWrite for EncryptedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

impl AsyncTokioStream for EncryptedStream {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.get_ref().peer_addr()
    }
}
