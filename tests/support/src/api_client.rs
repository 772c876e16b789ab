//! A caller of the API with its credential, and the responses that it gets.

use reqwest::{Method, RequestBuilder, StatusCode, header::HeaderMap};
use serde_json::{Value, json};
use std::time::Duration;

/// A client with a credential.
#[derive(Clone, Debug)]
pub struct ApiClient {
    /// A secret key or a checkout token; empty where requests have none.
    pub credential: String,
    /// The origin of the service, without a trailing slash.
    pub origin: String,
    /// It follows no redirects.
    pub http: reqwest::Client,
}

/// A response with its whole body.
#[derive(Debug)]
pub struct Response {
    /// The status of HTTP.
    pub status: StatusCode,
    /// All headers of the response.
    pub headers: HeaderMap,
    /// The body, which must be UTF-8.
    pub text: String,
}

/// An HTTP client with a timeout that follows no redirects.
pub fn client() -> reqwest::Client {
    let timeout = Duration::from_secs(30);
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(timeout)
        .build()
        .unwrap()
}

impl ApiClient {
    /// A request with the credential, for what the other methods cannot express.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.origin));
        if self.credential.is_empty() { request } else { request.bearer_auth(&self.credential) }
    }

    /// Sends a request with these headers, and with this body as JSON.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Response {
        let mut request = self.request(method, path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_owned());
        }
        Response::read(request.send().await.unwrap()).await
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, &[], None).await
    }

    /// Sends this JSON with POST.
    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.post_text(path, &body.to_string()).await
    }

    /// Sends a body unchanged: digits, order of members, faults.
    pub async fn post_text(&self, path: &str, body: &str) -> Response {
        self.send(Method::POST, path, &[], Some(body)).await
    }

    /// Creates a charge with a checkout token.
    pub async fn charge(&self, phone: &str, network: &str) -> Response {
        self.post("/v1/charge", &json!({ "phoneNumber": phone, "network": network })).await
    }

    /// The response of `GET /v1/status` for a transaction.
    pub async fn status(&self, transaction: &str) -> Value {
        self.get(&format!("/v1/status/{transaction}")).await.json()
    }

    /// Polls the status until it is as wanted, at most 90 seconds: a busy machine, a callback that
    /// met a full disk, so that the reconciling worker asks later, or a failed write of that
    /// worker, whose lease ends after a minute.
    pub async fn until(&self, transaction: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let polling = async {
            loop {
                let status = self.status(transaction).await;
                if wanted(&status) {
                    return status;
                }
                tokio::task::yield_now().await;
            }
        };
        match tokio::time::timeout(Duration::from_secs(90), polling).await {
            Ok(status) => status,
            Err(_) => panic!("not as wanted within 90 seconds: {}", self.status(transaction).await),
        }
    }
}

impl Response {
    /// Receives the whole body.
    pub async fn read(response: reqwest::Response) -> Self {
        let status = response.status();
        let headers = response.headers().clone();
        Self { status, headers, text: response.text().await.unwrap() }
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The `transactionId` of the body.
    #[track_caller]
    pub fn id(&self) -> String {
        self.json()["transactionId"]
            .as_str()
            .unwrap_or_else(|| panic!("no transaction: {self:?}"))
            .to_owned()
    }

    /// Asserts that the response has this status.
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        self
    }

    /// Asserts a problem document with this status and code.
    #[track_caller]
    pub fn is_problem(self, status: u16, code: &str) -> Self {
        let answer = self.is(status);
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_eq!(answer.json()["code"], code, "{}", answer.text);
        answer
    }

    /// The value of a header; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
