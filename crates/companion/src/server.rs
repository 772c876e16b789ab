//! Connections: how many, how many of one address, and how long a request's head may take.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Weak},
    time::Duration,
};

use axum::{Router, body::Body, extract::ConnectInfo, http::Request, serve::Listener};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{net::TcpListener, sync::Semaphore, time::timeout};
use tower::ServiceExt;

use crate::limits::network;

/// The limits of connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// All connections; others wait in the listen backlog of the system.
    pub total: usize,
    /// Connections of one IPv4 address or IPv6 /64; others are closed.
    pub per_address: usize,
    /// The time limit for a request's head, counted from the accept of the connection or from the
    /// end of the previous request. A connection without a request is closed by it too.
    pub header_read_timeout: Duration,
    /// How long requests may run after the stop.
    pub shutdown_timeout: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            total: 1000,
            per_address: 50,
            header_read_timeout: seconds(10),
            shutdown_timeout: seconds(10),
        }
    }
}

/// Serves until `stop` resolves, then lets running requests finish for at most `shutdown_timeout`.
pub async fn serve(
    mut listener: TcpListener,
    app: Router,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) {
    let total = Arc::new(Semaphore::new(limits.total));
    let mut addresses = HashMap::<IpAddr, Weak<Semaphore>>::new();
    let connections = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.header_read_timeout);
    let mut accept_next =
        async || (total.clone().acquire_owned().await, Listener::accept(&mut listener).await);
    tokio::pin!(stop);
    loop {
        let (total_permit, (stream, peer)): (_, (_, SocketAddr)) = tokio::select! {
            accepted = accept_next() => accepted,
            () = &mut stop => break,
        };
        addresses.retain(|_, semaphore| semaphore.strong_count() > 0);
        let semaphore = addresses.entry(network(peer.ip())).or_default();
        let permits =
            semaphore.upgrade().unwrap_or_else(|| Arc::new(Semaphore::new(limits.per_address)));
        *semaphore = Arc::downgrade(&permits);
        let Ok(address_permit) = permits.try_acquire_owned() else { continue };
        let app = app.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            app.clone().oneshot(request.map(Body::new))
        });
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let _ = connection.await;
            drop((total_permit, address_permit));
        });
    }
    drop(listener);
    let _ = timeout(limits.shutdown_timeout, connections.shutdown()).await;
}
