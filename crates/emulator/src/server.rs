//! Serves connections. A response may ask that its connection is closed instead, as a fault.

use axum::{Router, body::Body, http::Request, response::Response};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use std::time::Duration;
use tokio::{net::TcpListener, sync::watch, time::timeout};
use tower::ServiceExt;

/// A response with this extension is not sent: its connection is closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CloseConnection;

/// The error that closes a connection.
#[derive(Debug, thiserror::Error)]
#[error("the connection is closed on purpose")]
struct ClosedOnPurpose;

/// How long responses may continue after the stop.
const STOP_TIMEOUT: Duration = Duration::from_millis(500);

/// Serves until the sender of `stop` is dropped.
pub(crate) async fn serve(listener: TcpListener, app: Router, mut stop: watch::Receiver<()>) {
    let connections = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new());
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // The process has no file descriptor left, or the client is gone already.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            _ = stop.changed() => break,
        };
        let _ = stream.set_nodelay(true);
        let app = app.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let app = app.clone();
            async move {
                let Ok(response) = app.oneshot(request.map(Body::new)).await;
                close_if_asked(response)
            }
        });
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that goes away, and a connection closed on purpose, are no errors here.
            let _ = connection.await;
        });
    }
    drop(listener);
    let _ = timeout(STOP_TIMEOUT, connections.shutdown()).await;
}

fn close_if_asked(response: Response) -> Result<Response, ClosedOnPurpose> {
    match response.extensions().get::<CloseConnection>() {
        Some(CloseConnection) => Err(ClosedOnPurpose),
        None => Ok(response),
    }
}
