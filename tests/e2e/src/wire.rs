//! The only way out of a journey's browser: a proxy that sees every request and every answer,
//! whatever the engine, and that can hold answers back.

use crate::witness::{Sighting, Witness};
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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A page of the wire's own. Whoever has been there has sent before whatever else was to be sent.
pub(crate) const FAREWELL: &str = "http://witness.invalid/farewell";
const REFUSALS: &str = "http://witness.invalid/refusals";
const OURS: &str = "witness.invalid";

type Answer = Response<Either<Incoming, Empty<Bytes>>>;

/// A running proxy; it ends when dropped.
#[derive(Debug)]
pub(crate) struct Wire {
    address: SocketAddr,
    relay: Arc<Relay>,
    server: JoinHandle<()>,
}

#[derive(Debug)]
struct Relay {
    witness: Arc<Witness>,
    /// Paths that begin so are not answered for now.
    held: watch::Sender<Option<&'static str>>,
}

impl Wire {
    pub(crate) async fn start(witness: Arc<Witness>) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let relay = Arc::new(Relay { witness, held: watch::Sender::new(None) });
        let server = tokio::spawn(serve(listener, Arc::clone(&relay)));
        Ok(Self { address, relay, server })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers nothing whose path begins so, until [`Wire::let_go`].
    pub(crate) fn hold(&self, paths: &'static str) {
        self.relay.held.send_replace(Some(paths));
    }

    pub(crate) fn let_go(&self) {
        self.relay.held.send_replace(None);
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, relay: Arc<Relay>) {
    while let Ok((stream, _)) = listener.accept().await {
        let relay = Arc::clone(&relay);
        tokio::spawn(async move {
            let answer = service_fn(|request| relay.answer(request));
            let _ = server::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

impl Relay {
    /// An error here closes the connection, which is what a browser without a network sees.
    async fn answer(&self, request: Request<Incoming>) -> Result<Answer> {
        if request.uri().host() == Some(OURS) {
            return self.take_note(request).await;
        }
        if !self.witness.admits(request.uri()) {
            bail!("{} is foreign", request.uri());
        }
        let url = request.uri().to_string();
        let is_held = |held: &Option<&str>| held.is_some_and(|paths| request.uri().path().starts_with(paths));
        self.held.subscribe().wait_for(|held| !is_held(held)).await?;
        let mut response = match forward(request).await {
            Ok(response) => response,
            Err(error) => {
                self.witness.saw(Sighting::NoAnswer { url, error: format!("{error:#}") });
                return Err(error);
            }
        };
        let status = response.status();
        if status.is_client_error() || status.is_server_error() {
            self.witness.saw(Sighting::ErrorAnswer { status, url });
        }
        ask_for_refusals(response.headers_mut())?;
        Ok(response.map(Either::Left))
    }

    /// The page's security policy refused something, and the browser says what.
    async fn take_note(&self, request: Request<Incoming>) -> Result<Answer> {
        if request.method() == Method::POST {
            let said = request.into_body().collect().await?.to_bytes();
            let report: Value = serde_json::from_slice(&said)?;
            let text = |name: &str| report["csp-report"][name].as_str().unwrap_or_default().to_owned();
            self.witness
                .saw(Sighting::Refusal { directive: text("effective-directive"), blocked: text("blocked-uri") });
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

/// Adds to each policy where its refusals are to be told. That changes nothing of what it refuses.
fn ask_for_refusals(headers: &mut HeaderMap) -> Result<()> {
    if let Entry::Occupied(mut policies) = headers.entry(CONTENT_SECURITY_POLICY) {
        for policy in policies.iter_mut() {
            *policy = HeaderValue::from_str(&format!("{}; report-uri {REFUSALS}", policy.to_str()?))?;
        }
    }
    Ok(())
}
