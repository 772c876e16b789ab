//! An HTTP client with one connection, which is opened when it is needed.

use anyhow::{Context, Result, ensure};
use http_body_util::{BodyExt, Full};
use hyper::{
    Request, StatusCode,
    body::Bytes,
    client::conn::http1::{self, SendRequest},
    header::{CONTENT_TYPE, COOKIE, ETAG, HOST},
};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::net::SocketAddr;
use tokio::net::TcpStream;

/// A client with a connection of its own.
#[derive(Debug)]
pub struct Client {
    address: SocketAddr,
    credential: String,
    sender: Option<SendRequest<Full<Bytes>>>,
}

/// A response, read to its end.
#[derive(Debug)]
pub struct Response {
    pub status: StatusCode,
    pub etag: Option<String>,
    /// The bytes of the header fields, as HTTP/1.1 writes them.
    head_bytes: usize,
    body: Bytes,
}

impl Response {
    pub fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body)
            .with_context(|| format!("{}: {:?}", self.status, self.body))
    }

    /// A member that is a string.
    pub fn text(&self, member: &str) -> Result<String> {
        let json = self.json()?;
        json[member].as_str().map(str::to_owned).with_context(|| format!("no {member} in {json}"))
    }

    /// The body as it was sent, which is text only without a content coding.
    pub fn body_text(&self) -> Result<String> {
        Ok(String::from_utf8(self.body.to_vec())?)
    }

    /// The bytes of header fields and body.
    pub fn wire_bytes(&self) -> usize {
        self.head_bytes + self.body.len()
    }
}

impl Client {
    pub const fn new(address: SocketAddr, credential: String) -> Self {
        Self { address, credential, sender: None }
    }

    pub async fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> Result<Response> {
        self.send("GET", path, headers, Bytes::new()).await
    }

    pub async fn post(&mut self, path: &str, body: impl Into<Bytes>) -> Result<Response> {
        self.send("POST", path, &[], body.into()).await
    }

    /// As [`Self::post`], with more headers.
    pub async fn post_with(
        &mut self,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Result<Response> {
        self.send("POST", path, headers, body.into()).await
    }

    /// Reads a response of any length, and returns how many bytes its body has.
    pub async fn download(&mut self, path: &str, cookie: &str) -> Result<u64> {
        let request =
            Request::get(path).header(HOST, self.address.to_string()).header(COOKIE, cookie);
        let mut sender = self.connection().await?;
        let response = sender.send_request(request.body(Full::default())?).await?;
        ensure!(response.status().is_success(), "{path} was answered {}", response.status());
        let mut body = response.into_body();
        let mut bytes = 0;
        while let Some(frame) = body.frame().await {
            bytes += u64::try_from(frame?.data_ref().map_or(0, Bytes::len))?;
        }
        Ok(bytes)
    }

    async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> Result<Response> {
        let mut request =
            Request::builder().method(method).uri(path).header(HOST, self.address.to_string());
        if !self.credential.is_empty() {
            request = request.header("x-api-key", &self.credential);
        }
        if !body.is_empty() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut sender = self.connection().await?;
        let (head, body) = sender.send_request(request.body(Full::new(body))?).await?.into_parts();
        let body = body.collect().await?.to_bytes();
        let etag = head.headers.get(ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        // With `: ` and the end of the line.
        let head_bytes =
            head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
        self.sender = Some(sender);
        Ok(Response { status: head.status, etag, head_bytes, body })
    }

    /// The open connection, or a new one if the service has closed it.
    async fn connection(&mut self) -> Result<SendRequest<Full<Bytes>>> {
        if let Some(mut sender) = self.sender.take()
            && sender.ready().await.is_ok()
        {
            return Ok(sender);
        }
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(sender)
    }
}
