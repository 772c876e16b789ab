//! Accepts connections and serves HTTP/1.1 on each of them.

use super::{
    ConnectionLimits,
    client::{Client, Peer},
    connection_limits::MAX_HEAD_BYTES,
    request_counter::{CountedBody, RequestCounter},
    stream::TimeoutStream,
    tls::Tls,
    unnamed_proxy::{ProxyDetector, UNNAMED_PROXY_HEADER},
    unread_body,
    wrong_scheme::{Scheme, WrongSchemes},
};
use crate::limits::{AddressConcurrency, ConcurrencyLimit};
use axum::{
    extract::Request,
    http::{self, HeaderValue, header},
    response::Response,
    serve::Listener,
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::{GracefulShutdown, Watcher},
};
use ipnet::IpNet;
use rustix::io::Errno;
use std::{
    convert::Infallible,
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV6},
    sync::Arc,
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::Semaphore,
    task::unconstrained,
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use tower::Service;

/// The length of the accept queue; the system may shorten it (on Linux, `net.core.somaxconn`). When
/// the queue is full, the client's TCP stack retries after 1, 3 and 7 seconds.
const BACKLOG: i32 = 1 << 16;

/// One year in seconds: browsers then use only TLS for this host (RFC 6797).
const STRICT_TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The value of `Connection` where the connection ends after this response.
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// The HTTP service that responds to every request.
pub trait HttpService:
    Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

impl<S> HttpService for S where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// Turns accepted connections into requests for an HTTP service.
#[derive(Clone, Debug)]
pub struct Server<S> {
    /// Limits of each connection.
    pub limits: ConnectionLimits,
    /// Present where the service itself terminates TLS.
    pub tls: Option<Arc<Tls>>,
    /// The proxies whose forwarding headers are used.
    pub trusted_proxies: Arc<[IpNet]>,
    /// How many connections one address may have. It does not apply to the trusted proxies, which
    /// have many clients.
    pub per_address: ConcurrencyLimit,
    /// Finds a proxy that is not one of them.
    pub proxy_detector: ProxyDetector,
    /// The HTTP service; it is always ready.
    pub service: S,
}

/// Binds a TCP listener to this address.
///
/// # Errors
/// The system's error, for example `AddrInUse` or `PermissionDenied`.
pub async fn listen(address: &str) -> io::Result<TcpListener> {
    let listener = match address.parse() {
        Ok(SocketAddr::V6(address)) if address.ip().is_unspecified() => {
            bind_everywhere(address).await?
        }
        _ => TcpListener::bind(address).await?,
    };
    // tokio listens with a queue of 1,024; a second listen(2) lengthens it.
    rustix::net::listen(&listener, BACKLOG)?;
    Ok(listener)
}

/// Listens on every address of this machine, IPv4 and IPv6, whatever the system's default for IPv6
/// sockets is (`net.ipv6.bindv6only`). Without IPv6, on every IPv4 address.
async fn bind_everywhere(address: SocketAddrV6) -> io::Result<TcpListener> {
    let bind = || {
        let socket = TcpSocket::new_v6()?;
        rustix::net::sockopt::set_ipv6_v6only(&socket, false)?;
        // As `TcpListener::bind` does: a restart need not wait for connections of the last process.
        socket.set_reuseaddr(true)?;
        socket.bind(address.into())?;
        socket.listen(BACKLOG.unsigned_abs())
    };
    match bind() {
        Err(error) if has_no_ipv6(&error) => {
            TcpListener::bind((Ipv4Addr::UNSPECIFIED, address.port())).await
        }
        bound => bound,
    }
}

/// Whether the reason is that the system has no IPv6.
fn has_no_ipv6(error: &io::Error) -> bool {
    let errors =
        [Errno::AFNOSUPPORT, Errno::ADDRNOTAVAIL, Errno::PROTONOSUPPORT, Errno::NOPROTOOPT];
    Errno::from_io_error(error).is_some_and(|errno| errors.contains(&errno))
}

/// Serves until `stopping` is cancelled, then returns once every connection has ended. Requests in
/// flight are finished; idle connections are closed.
pub async fn serve<S: HttpService>(
    mut listener: TcpListener,
    server: Server<S>,
    stopping: CancellationToken,
) {
    let total = server.limits.effective_connections();
    let permits = Arc::new(Semaphore::new(total));
    let concurrency = Arc::new(AddressConcurrency::new(server.per_address.clone().of_total(total)));
    let wrong_schemes = WrongSchemes::default();
    let connections = GracefulShutdown::new();
    // Acquires the permit before it accepts, so that excess connections wait in the kernel's queue.
    let mut accept = async || {
        let permit = permits.clone().acquire_owned().await;
        (permit, Listener::accept(&mut listener).await)
    };
    // Without tokio's cooperative budget: a client notices nothing of its connection until it is
    // accepted, so all waiting connections are accepted in one poll.
    unconstrained(async {
        loop {
            let (permit, (stream, address)) = tokio::select! {
                accepted = accept() => accepted,
                () = stopping.cancelled() => break,
            };
            let address_permit = if server.is_trusted_proxy(address.ip()) {
                None
            } else {
                match concurrency.acquire(address.ip().to_canonical()) {
                    // Closed without a response, which would cost more than the connection.
                    None => continue,
                    address_permit => address_permit,
                }
            };
            let server = server.clone();
            let watcher = connections.watcher();
            let stopping = stopping.clone();
            let wrong_schemes = wrong_schemes.clone();
            tokio::spawn(async move {
                server.accept(stream, address, watcher, stopping, &wrong_schemes).await;
                drop((permit, address_permit));
            });
        }
    })
    .await;
    drop(listener);
    connections.shutdown().await;
}

impl<A: HttpService> Server<A> {
    fn is_trusted_proxy(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(&address.to_canonical()))
    }

    const fn scheme(&self) -> Scheme {
        if self.tls.is_some() { Scheme::Https } else { Scheme::Http }
    }

    const fn first_byte_timeout(&self) -> Duration {
        match self.scheme() {
            Scheme::Http => self.limits.head_timeout,
            Scheme::Https => self.limits.handshake_timeout,
        }
    }

    /// Serves a connection, unless it begins with the other protocol than the port's.
    async fn accept(
        self,
        stream: TcpStream,
        address: SocketAddr,
        watcher: Watcher,
        stopping: CancellationToken,
        wrong_schemes: &WrongSchemes,
    ) {
        let scheme = self.scheme();
        let is_missed = tokio::select! {
            // A request that has arrived is served although the service stops.
            biased;
            missed = timeout(self.first_byte_timeout(), scheme.is_missed_by(&stream)) => missed,
            () = stopping.cancelled() => return,
        };
        match is_missed {
            Ok(false) => self.serve_stream(stream, address, watcher, stopping).await,
            Ok(true) => wrong_schemes.refuse(scheme, stream, address).await,
            Err(_) => tracing::debug!("a connection sent nothing"),
        }
    }

    async fn serve_stream(
        self,
        stream: TcpStream,
        address: SocketAddr,
        watcher: Watcher,
        stopping: CancellationToken,
    ) {
        // TCP_NODELAY: responses are small and must not wait for Nagle's algorithm.
        let _ = stream.set_nodelay(true);
        let peer = Peer::new(address.ip(), self.tls.is_some());
        let Some(tls) = self.tls.clone() else {
            return self.serve_connection(stream, peer, watcher).await;
        };
        let handshake = tokio::select! {
            // Boxed, as below.
            handshake = timeout(self.limits.handshake_timeout, Box::pin(tls.accept(stream))) => {
                handshake
            }
            () = stopping.cancelled() => return,
        };
        match handshake {
            // Boxed, so that the future of a connection without TLS does not reserve room for a TLS
            // stream.
            Ok(Ok(Some(stream))) => Box::pin(self.serve_connection(stream, peer, watcher)).await,
            Ok(Ok(None)) => tracing::info!(%address, "the ACME server has validated a name"),
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
            Err(_) => tracing::debug!("TLS handshake timed out"),
        }
    }

    async fn serve_connection<S>(self, stream: S, peer: Peer, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let requests = RequestCounter::default();
        let stream = TokioIo::new(TimeoutStream::new(stream, requests.clone(), self.limits));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(self.limits.idle_timeout)
            .max_header_size(MAX_HEAD_BYTES);
        let service = service_fn(move |request| self.respond(request, peer, &requests));
        if let Err(error) = watcher.watch(http.serve_connection(stream, service)).await {
            tracing::debug!(%error, "connection ended early");
        }
    }

    /// The returned future keeps nothing of the request except what its response needs: thousands
    /// of long polls may wait at the same time.
    fn respond(
        &self,
        request: http::Request<Incoming>,
        peer: Peer,
        requests: &RequestCounter,
    ) -> impl Future<Output = Result<http::Response<CountedBody>, Infallible>> + use<A> {
        let in_flight = requests.start();
        let (mut request, body) = unread_body::share(request);
        let client = Client::of_request(&self.trusted_proxies, peer, &request);
        self.proxy_detector.record(&client);
        let detected_proxy = self.proxy_detector.header_value(&client, request.uri().path());
        request.extensions_mut().insert(client);
        let response = self.service.clone().call(request);
        async move {
            let mut response = response.await?;
            if client.https {
                response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
            }
            if let Some(value) = detected_proxy {
                response.headers_mut().insert(UNNAMED_PROXY_HEADER, value);
            }
            if let Some(body) = body
                && !response.headers().contains_key(header::CONNECTION)
                && !body.drop_rest().await
            {
                response.headers_mut().insert(header::CONNECTION, CLOSE);
            }
            Ok(response.map(|body| CountedBody { body, _request: in_flight }))
        }
    }
}
