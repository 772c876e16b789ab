//! Accepts connections and serves HTTP/1.1 on each.

use super::{
    Bounds,
    bounds::HEAD_SIZE,
    client::{Client, Peer},
    stream::Watched,
    tls::Tls,
    traffic::{AnswerBody, Traffic},
};
use axum::{
    body::Body,
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
use std::{convert::Infallible, future::Future, io, net::SocketAddr, sync::Arc};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::unconstrained,
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use tower::Service;

/// How many connections may wait to be accepted; the system may allow fewer (on Linux, `net.core.somaxconn`). One that
/// finds no place there is tried again by its client after a second, then after three, then after seven.
const BACKLOG: i32 = 1 << 16;

/// A year: browsers come back over TLS, or not at all.
const STRICT_TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// What answers every request.
pub(crate) trait Answers:
    Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

impl<S> Answers for S where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

/// Where connections become requests.
#[derive(Clone, Debug)]
pub(crate) struct Edge<S> {
    /// What a connection may take.
    pub(crate) bounds: Bounds,
    /// Present where the service itself speaks TLS.
    pub(crate) tls: Option<Arc<Tls>>,
    /// Whose word about the client counts.
    pub(crate) trusted_proxies: Arc<[IpNet]>,
    /// What answers; it is always ready.
    pub(crate) service: S,
}

/// Listens on this address.
pub(crate) async fn listen(address: &str) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address).await?;
    // Once more, for a longer queue than tokio asks for.
    rustix::net::listen(&listener, BACKLOG)?;
    Ok(listener)
}

/// Serves until told to stop, and returns once every connection has ended. A request that has come
/// in is answered; a connection that waits for its next one is closed.
pub(crate) async fn serve<S: Answers>(mut listener: TcpListener, edge: Edge<S>, stopping: CancellationToken) {
    let places = Arc::new(Semaphore::new(edge.bounds.places()));
    let connections = GracefulShutdown::new();
    // A place is taken before a connection is accepted: what is too many waits with the system.
    let mut accept = async || {
        let place = places.clone().acquire_owned().await;
        (place, Listener::accept(&mut listener).await)
    };
    // Whoever waits to be accepted is seen by nobody. So all are in one turn, not as few as a task usually gets done.
    unconstrained(async {
        loop {
            let (place, (stream, address)) = tokio::select! {
                accepted = accept() => accepted,
                () = stopping.cancelled() => break,
            };
            let (edge, watcher, stopping) = (edge.clone(), connections.watcher(), stopping.clone());
            tokio::spawn(async move {
                edge.welcome(stream, address, watcher, stopping).await;
                drop(place);
            });
        }
    })
    .await;
    drop(listener);
    connections.shutdown().await;
}

impl<A: Answers> Edge<A> {
    async fn welcome(self, stream: TcpStream, address: SocketAddr, watcher: Watcher, stopping: CancellationToken) {
        // Answers are small: none waits to be sent together with the next.
        let _ = stream.set_nodelay(true);
        let peer = Peer::new(address.ip(), self.tls.is_some());
        let Some(tls) = self.tls.clone() else { return self.talk(stream, peer, watcher).await };
        let shaken = tokio::select! {
            shaken = timeout(self.bounds.handshake, tls.accept(stream)) => shaken,
            () = stopping.cancelled() => return,
        };
        match shaken {
            // In a box, so that others need not keep room for it.
            Ok(Ok(stream)) => Box::pin(self.talk(stream, peer, watcher)).await,
            Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
            Err(_) => tracing::debug!("a TLS handshake took too long"),
        }
    }

    async fn talk<S>(self, stream: S, peer: Peer, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let traffic = Traffic::default();
        let stream = TokioIo::new(Watched::new(stream, traffic.clone(), self.bounds));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.bounds.idle).max_header_size(HEAD_SIZE);
        let service = service_fn(move |request| self.answer(request, peer, &traffic));
        if let Err(error) = watcher.watch(http.serve_connection(stream, service)).await {
            tracing::debug!(%error, "a connection ended early");
        }
    }

    /// What is awaited holds nothing of the request but what its answer comes from: thousands may wait for theirs.
    fn answer(
        &self,
        request: http::Request<Incoming>,
        peer: Peer,
        traffic: &Traffic,
    ) -> impl Future<Output = Result<http::Response<AnswerBody>, Infallible>> + use<A> {
        let answering = traffic.begin();
        let mut request = request.map(Body::new);
        let client = Client::behind(&self.trusted_proxies, peer, request.headers());
        request.extensions_mut().insert(client);
        let answer = self.service.clone().call(request);
        async move {
            let mut response = answer.await?;
            if client.https {
                response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
            }
            Ok(response.map(|body| AnswerBody { body, _answering: answering }))
        }
    }
}
