//! Requests to the API of a service with the test key of the environment.

use crate::cli::{
    environment::variable,
    fault::{Fault, FaultKind},
};
use clap::Args;
use reqwest::{Client, RequestBuilder, StatusCode, redirect::Policy};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::time::Duration;
use tua_contract::ErrorCode;
use tua_domain::{Generation, Mode, SecretKey};
use tua_net::innermost_cause;
use url::Url;

/// Longer than the longest wait of the API.
const TIMEOUT: Duration = Duration::from_secs(45);

/// How long the service waits for a change of a payment that is polled. Between two polls it is
/// checked whether the payment takes too long.
const PREFER_WAIT: &str = "wait=5";

/// How long to wait before the next request, when the service cannot be reached.
const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// The variable with the key. There is no flag: other users of the machine can read flags.
const KEY_VARIABLE: &str = "TUA_SECRET_KEY";

/// The variable of `--api-url`.
pub(crate) const API_URL_VARIABLE: &str = "TUA_API_URL";

/// The API of `tua serve` and `tua demo` on this machine: the default of `--api-url`.
const LOCAL_API: &str = "http://127.0.0.1:8080/v1";

/// The flag of the commands that call the API.
#[derive(Args, Debug)]
pub(crate) struct ApiFlag {
    /// The address of the service's API
    #[arg(
        long,
        env = API_URL_VARIABLE,
        value_name = "URL",
        default_value = LOCAL_API,
        value_parser = parse_url
    )]
    pub(super) api_url: Url,
}

/// The API of a service, with a test key.
pub(crate) struct TestApi {
    client: Client,
    /// Ends with `/v1`.
    base: String,
    key: String,
}

/// Reads the address of a server.
pub(crate) fn parse_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| "it must be an address such as http://localhost:9000/webhooks".to_owned())
}

/// Why a request has no result.
#[derive(Debug)]
pub(crate) enum ApiFault {
    /// The command cannot go on, or the response cannot be read. The same request fails again.
    Refused(String),
    /// The service refused it with a problem document. The same request is refused again.
    Problem(Refusal),
    /// The service refused a value of the query: the event after which it was asked to continue
    /// does not exist any more, for example.
    InvalidParameter(String),
    /// The service could not be reached or is overloaded. A later request may succeed.
    Unavailable(String),
}

/// A refusal with a problem document.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    problem: Problem,
}

/// The members of a problem document (RFC 9457) that a person or a program needs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Problem {
    code: String,
    detail: String,
    #[serde(default)]
    request_id: Option<String>,
}

impl Problem {
    fn line(&self) -> String {
        format!("{} ({})", self.detail, self.code)
    }
}

impl From<ApiFault> for Fault {
    fn from(fault: ApiFault) -> Self {
        match fault {
            ApiFault::Unavailable(line) => {
                Self::new(FaultKind::Unavailable, "api_unavailable", line)
            }
            ApiFault::Problem(Refusal { status, problem }) => {
                let is_not_found = status == StatusCode::NOT_FOUND;
                let kind = if is_not_found { FaultKind::NotFound } else { FaultKind::Failed };
                let details =
                    json!({ "httpStatus": status.as_u16(), "requestId": problem.request_id });
                Self::new(kind, &problem.code, problem.line()).with_details(details)
            }
            ApiFault::Refused(line) | ApiFault::InvalidParameter(line) => line.into(),
        }
    }
}

impl ApiFault {
    /// Says on standard error that the service is unavailable, and waits before the next request.
    ///
    /// # Errors
    /// The fault itself, where the next request would fail as this one.
    pub(super) async fn wait_to_retry(self) -> Result<(), Self> {
        let Self::Unavailable(line) = self else { return Err(self) };
        eprintln!("tua: {line}; trying again");
        tokio::time::sleep(RETRY_PAUSE).await;
        Ok(())
    }
}

impl TestApi {
    /// The API at this address, with the key of the environment.
    ///
    /// # Errors
    /// One line: there is no key, or it is no v2 test key.
    pub(crate) fn from_environment(api_url: &Url) -> Result<Self, String> {
        let key = variable(KEY_VARIABLE)?.ok_or_else(|| {
            format!("{KEY_VARIABLE} is not set: put a v2 test key (tua_test_v2_…) into it")
        })?;
        let key = key.trim();
        require_test_key(key)?;
        let client = Client::builder()
            .redirect(Policy::none())
            .timeout(TIMEOUT)
            .build()
            .map_err(|error| format!("the HTTP client: {error}"))?;
        let origin = api_url.as_str().trim_end_matches('/').trim_end_matches("/v1");
        Ok(Self { client, base: format!("{origin}/v1"), key: key.to_owned() })
    }

    /// Reads a resource at once. `path` begins with `/`, and `query` is encoded.
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, ApiFault> {
        let fault = |error| ApiFault::Refused(format!("--api-url: {error}"));
        let url = Url::parse_with_params(&format!("{}{path}", self.base), query).map_err(fault)?;
        self.send(self.client.get(url), &self.key).await
    }

    /// Reads a payment when it changes, or after [`PREFER_WAIT`]
    /// (docs/reference/endpoints.md#long-polling).
    pub(super) async fn poll<T: DeserializeOwned>(&self, path: &str) -> Result<T, ApiFault> {
        let request = self.client.get(format!("{}{path}", self.base));
        self.send(request.header("prefer", PREFER_WAIT), &self.key).await
    }

    /// Sends a body with `credential`, or with the test key.
    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        credential: Option<&str>,
        body: &Value,
    ) -> Result<T, ApiFault> {
        let request = self.client.post(format!("{}{path}", self.base));
        let request = request
            .header("content-type", "application/json")
            .header("idempotency-key", uuid::Uuid::now_v7().to_string())
            .body(body.to_string());
        self.send(request, credential.unwrap_or(&self.key)).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        credential: &str,
    ) -> Result<T, ApiFault> {
        let unavailable = |error: &reqwest::Error| {
            let hint = if error.is_connect() {
                "; does `tua serve` run there? TUA_API_URL or --api-url is its address"
            } else {
                ""
            };
            ApiFault::Unavailable(format!("{}: {}{hint}", self.base, innermost_cause(error)))
        };
        let response =
            request.bearer_auth(credential).send().await.map_err(|error| unavailable(&error))?;
        let status = response.status();
        let text = response.text().await.map_err(|error| unavailable(&error))?;
        if status.is_success() {
            return serde_json::from_str(&text).map_err(|error| {
                ApiFault::Refused(format!("{}: the response cannot be read: {error}", self.base))
            });
        }
        Err(refusal(&self.base, status, &text))
    }
}

fn refusal(base: &str, status: StatusCode, text: &str) -> ApiFault {
    let is_unavailable = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    match serde_json::from_str::<Problem>(text) {
        Ok(problem) if problem.code == ErrorCode::InvalidParameter.as_str() => {
            ApiFault::InvalidParameter(problem.line())
        }
        Ok(problem) if is_unavailable => ApiFault::Unavailable(problem.line()),
        Ok(problem) => ApiFault::Problem(Refusal { status, problem }),
        Err(_) => {
            let line = format!("{base} responded with {status}: is it the address of the API?");
            if is_unavailable { ApiFault::Unavailable(line) } else { ApiFault::Refused(line) }
        }
    }
}

/// Refuses every key but a v2 test key, and never repeats it.
fn require_test_key(key: &str) -> Result<(), String> {
    if key.starts_with(SecretKey::prefix(Mode::Test, Generation::V2)) {
        return Ok(());
    }
    let is_live = Generation::ALL
        .iter()
        .any(|generation| key.starts_with(SecretKey::prefix(Mode::Live, *generation)));
    Err(if is_live {
        format!(
            "{KEY_VARIABLE} is a live key. This command is for test keys (tua_test_v2_…): real \
             payments are not made for tests, and their events belong to the shop's own endpoint"
        )
    } else {
        format!("{KEY_VARIABLE} is not a v2 test key (tua_test_v2_…)")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_key_is_refused_without_repeating_it() {
        for key in ["tua_live_v2_secret", "sk_live_secret"] {
            let refusal = require_test_key(key).unwrap_err();
            assert!(refusal.contains("live key") && !refusal.contains("_secret"), "{refusal}");
        }
        assert!(require_test_key("sk_test_secret").unwrap_err().contains("v2 test key"));
        assert_eq!(require_test_key("tua_test_v2_secret"), Ok(()));
    }

    #[test]
    fn a_refusal_contains_the_detail_and_the_code_of_the_problem() {
        let text = r#"{"code": "scope_missing", "detail": "This route needs read."}"#;
        let fault = refusal("http://127.0.0.1/v1", StatusCode::FORBIDDEN, text);
        assert!(matches!(fault, ApiFault::Problem(Refusal { problem, .. })
            if problem.line() == "This route needs read. (scope_missing)"));
        let text = text.replace("scope_missing", "invalid_parameter");
        let fault = refusal("http://127.0.0.1/v1", StatusCode::UNPROCESSABLE_ENTITY, &text);
        assert!(matches!(fault, ApiFault::InvalidParameter(_)), "{fault:?}");
        let other = refusal("http://127.0.0.1/v1", StatusCode::NOT_FOUND, "<html>");
        assert!(matches!(other, ApiFault::Refused(line) if line.contains("address of the API")));
    }
}
