//! The proxy through which a journey's browser makes all requests. It records violations in every
//! engine, and can delay responses.

use crate::violations::{Violation, ViolationLog};
use anyhow::{Context, Result, bail};
use http_body_util::{BodyExt, Either, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1 as client;
use hyper::header::{CONTENT_SECURITY_POLICY, Entry, HeaderMap, HeaderValue};
use hyper::server::conn::http1 as server;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A page of the proxy. When the browser has loaded it, it has sent all earlier reports.
pub(crate) const FLUSH_PAGE: &str = "http://report.invalid/farewell";
const POLICY_REPORTS: &str = "http://report.invalid/refusals";
const REPORT_HOST: &str = "report.invalid";

type ProxyResponse = Response<Either<Incoming, Empty<Bytes>>>;

/// A running proxy. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct Proxy {
    address: SocketAddr,
    relay: Arc<Relay>,
    server: JoinHandle<()>,
}

#[derive(Debug)]
struct Relay {
    violations: Arc<ViolationLog>,
    /// What gets no response until it is released.
    held: watch::Sender<Option<Held>>,
    /// Whether a request waits for its release, or waited since the last [`Proxy::hold`].
    has_held: AtomicBool,
}

/// Requests whose responses are delayed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Held {
    /// Those whose path begins with this.
    Paths(&'static str),
    /// Those with which a page refreshes itself.
    Refreshes,
}

impl Held {
    fn includes(self, request: &Request<Incoming>) -> bool {
        match self {
            Self::Paths(paths) => request.uri().path().starts_with(paths),
            Self::Refreshes => request.headers().contains_key("hx-request"),
        }
    }
}

impl Proxy {
    pub(crate) async fn start(violations: Arc<ViolationLog>) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let held = watch::Sender::new(None);
        let relay = Arc::new(Relay { violations, held, has_held: AtomicBool::new(false) });
        let server = tokio::spawn(serve(listener, Arc::clone(&relay)));
        Ok(Self { address, relay, server })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Delays the responses to these requests, until [`Proxy::release`].
    pub(crate) fn hold(&self, held: Held) {
        self.relay.has_held.store(false, Ordering::Relaxed);
        self.relay.held.send_replace(Some(held));
    }

    /// Whether a request was held since the last [`Proxy::hold`].
    pub(crate) fn has_held(&self) -> bool {
        self.relay.has_held.load(Ordering::Relaxed)
    }

    pub(crate) fn release(&self) {
        self.relay.held.send_replace(None);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, relay: Arc<Relay>) {
    while let Ok((stream, _)) = listener.accept().await {
        let relay = Arc::clone(&relay);
        tokio::spawn(async move {
            let service = service_fn(|request| relay.respond(request));
            let _ = server::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

impl Relay {
    /// An error closes the connection, as without a network.
    async fn respond(&self, request: Request<Incoming>) -> Result<ProxyResponse> {
        if request.uri().host() == Some(REPORT_HOST) {
            return self.record_report(request).await;
        }
        if !self.violations.allows(request.uri()) {
            bail!("{} is foreign", request.uri());
        }
        let url = request.uri().to_string();
        let is_held = |held: Option<Held>| held.is_some_and(|held| held.includes(&request));
        let mut held = self.held.subscribe();
        if is_held(*held.borrow()) {
            self.has_held.store(true, Ordering::Relaxed);
        }
        held.wait_for(|held| !is_held(*held)).await?;
        let mut response = match forward(request).await {
            Ok(response) => response,
            Err(error) => {
                self.violations.record(Violation::NoResponse { url, error: format!("{error:#}") });
                return Err(error);
            }
        };
        let status = response.status();
        if status.is_client_error() || status.is_server_error() {
            self.violations.record(Violation::ErrorResponse { status, url });
        }
        request_policy_reports(response.headers_mut())?;
        Ok(response.map(Either::Left))
    }

    /// A report of the browser that the page's security policy blocked something.
    async fn record_report(&self, request: Request<Incoming>) -> Result<ProxyResponse> {
        if request.method() == Method::POST {
            let body = request.into_body().collect().await?.to_bytes();
            let report: Value = serde_json::from_slice(&body)?;
            let text =
                |name: &str| report["csp-report"][name].as_str().unwrap_or_default().to_owned();
            self.violations.record(Violation::BlockedByPolicy {
                directive: text("effective-directive"),
                blocked: text("blocked-uri"),
            });
        }
        Ok(Response::new(Either::Right(Empty::new())))
    }
}

async fn forward(mut request: Request<Incoming>) -> Result<Response<Incoming>> {
    let authority = request.uri().authority().context("a request to nowhere")?.to_string();
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    *request.uri_mut() = path.parse()?;
    request.headers_mut().remove("proxy-connection");
    let stream = TcpStream::connect(authority).await?;
    let (mut sender, connection) = client::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender.send_request(request).await?)
}

/// Adds to each policy the URL for reports of violations. It does not change what the policy
/// blocks.
fn request_policy_reports(headers: &mut HeaderMap) -> Result<()> {
    if let Entry::Occupied(mut policies) = headers.entry(CONTENT_SECURITY_POLICY) {
        for policy in policies.iter_mut() {
            *policy = HeaderValue::from_str(&format!(
                "{}; report-uri {POLICY_REPORTS}",
                policy.to_str()?
            ))?;
        }
    }
    Ok(())
}
