//! Connections that begin with the other protocol than their port speaks: TLS where plain HTTP is
//! expected, or plain HTTP where TLS is expected.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy, sink},
    net::TcpStream,
    time::{Instant, timeout},
};
use tracing::warn;

/// The first byte of a TLS connection: the content type `handshake` (RFC 8446, section 5.1).
const TLS_HANDSHAKE: u8 = 22;

/// The shortest time between two log lines of a listener.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// How long a client may take to read the response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(2);

/// How much of what the client has sent is read and dropped, in bytes.
const MAX_DROPPED_BYTES: u64 = 64 << 10;

/// The protocol of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scheme {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS.
    Https,
}

/// Refuses connections that begin with the other protocol, and logs that. Clones share when a line
/// was last logged.
#[derive(Clone, Debug, Default)]
pub(super) struct WrongSchemes(Arc<Mutex<Option<Instant>>>);

impl Scheme {
    /// Waits for the first byte, and returns whether the client speaks the other protocol.
    pub(super) async fn is_missed_by(self, stream: &TcpStream) -> bool {
        let mut first = [0];
        let received = stream.peek(&mut first).await.unwrap_or_default();
        received > 0
            && match self {
                Self::Http => first[0] == TLS_HANDSHAKE,
                // The first letter of a method. No record of TLS has such a type.
                Self::Https => first[0].is_ascii_uppercase(),
            }
    }

    const fn detail(self) -> &'static str {
        match self {
            Self::Http => {
                "This port speaks plain HTTP, not TLS. Use an address that begins with http://, or \
                 the port of the proxy that terminates TLS.\n"
            }
            Self::Https => {
                "This port speaks TLS, not plain HTTP. Use an address that begins with https://. \
                 If the request had a secret key, others may have read it: revoke the key.\n"
            }
        }
    }
}

impl WrongSchemes {
    /// Responds that the port speaks `scheme`, and closes the connection.
    ///
    /// A client that speaks TLS cannot show the response. It is sent all the same: TLS libraries
    /// report it as what it is ("wrong version number", "server gave HTTP response to HTTPS
    /// client"), whereas an alert would look like a fault of the TLS configuration.
    pub(super) async fn refuse(&self, scheme: Scheme, mut stream: TcpStream, address: SocketAddr) {
        self.log(scheme, address);
        let detail = scheme.detail();
        let response = format!(
            "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{detail}",
            detail.len()
        );
        let responding = async {
            stream.write_all(response.as_bytes()).await?;
            stream.shutdown().await?;
            // If unread bytes were left, the connection would be reset, and the response lost.
            copy(&mut stream.take(MAX_DROPPED_BYTES), &mut sink()).await
        };
        // Whether the client reads it is up to the client.
        let _ = timeout(RESPONSE_TIMEOUT, responding).await;
    }

    fn log(&self, scheme: Scheme, address: SocketAddr) {
        let mut logged_at = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if logged_at.is_some_and(|at| at.elapsed() < LOG_INTERVAL) {
            return;
        }
        *logged_at = Some(Instant::now());
        match scheme {
            Scheme::Http => warn!(
                %address,
                "an https:// address was used for a port that speaks plain HTTP: use http://, or \
                 let a proxy or --tls-cert terminate TLS"
            ),
            Scheme::Https => warn!(
                %address,
                "an http:// address was used for a port that speaks TLS: use https://"
            ),
        }
    }
}
