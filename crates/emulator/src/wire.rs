//! Small helpers that several protocols share.

use axum::{
    Json,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use serde_json::{Number, Value};
use tua_contract::{Amount, Network};
use url::{Host, Url};

/// A response with a JSON body.
pub(crate) fn respond(status: StatusCode, body: Value) -> Response {
    (status, Json(body)).into_response()
}

/// A response that refuses a request, for `?`. It is boxed because a response is large.
#[derive(Debug)]
pub(crate) struct Refusal(Box<Response>);

impl From<Response> for Refusal {
    fn from(response: Response) -> Self {
        Self(Box::new(response))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        *self.0
    }
}

/// A JSON response that refuses a request.
pub(crate) fn refuse(status: StatusCode, body: Value) -> Refusal {
    respond(status, body).into()
}

/// A header's text; `None` if it is absent or not ASCII.
pub(crate) fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The token of `Authorization: Bearer …`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = header_text(headers, header::AUTHORIZATION.as_str())?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

/// User and password of `Authorization: Basic …`.
pub(crate) fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let (scheme, encoded) =
        header_text(headers, header::AUTHORIZATION.as_str())?.split_once(' ')?;
    let decoded = STANDARD.decode(encoded).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    let (user, password) = std::str::from_utf8(&decoded).ok()?.split_once(':')?;
    Some((user.to_owned(), password.to_owned()))
}

/// A text member of a JSON object; empty if it is absent or no text.
pub(crate) fn text<'a>(body: &'a Value, name: &str) -> &'a str {
    body.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// An amount as a JSON number in cedis.
pub(crate) fn number(amount: Amount) -> Value {
    pesewas_number(amount.pesewas())
}

/// A sum of pesewas, which may be 0, as a JSON number in cedis.
pub(crate) fn pesewas_number(pesewas: i64) -> Value {
    pesewas_text(pesewas).parse::<Number>().map_or(Value::Null, Value::Number)
}

/// A sum of pesewas, which may be 0 or negative, in cedis: `12.5`.
pub(crate) fn pesewas_text(pesewas: i64) -> String {
    let sign = if pesewas < 0 { "-" } else { "" };
    let text =
        format!("{sign}{}.{:02}", pesewas.unsigned_abs() / 100, pesewas.unsigned_abs() % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A moment in the format of RFC 3339, with whole seconds: `2026-11-22T08:00:00Z`.
pub(crate) fn rfc3339(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A moment with milliseconds: `2026-11-22T08:00:00.000Z`.
pub(crate) fn iso8601(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// A Ghanaian number in the international format without `+`, from any usual spelling. Other
/// numbers are kept.
pub(crate) fn international(phone: &str) -> String {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    match digits.strip_prefix('0').filter(|rest| rest.len() == 9) {
        Some(subscriber) => format!("233{subscriber}"),
        None => digits,
    }
}

/// The header of a body in JSON.
pub(crate) fn json_header() -> (&'static str, String) {
    ("content-type", "application/json".to_owned())
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(url: &str) -> bool {
    match Url::parse(url).ok().as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The network's name as payers know it.
pub(crate) fn wallet_name(network: Network) -> &'static str {
    match network {
        Network::Mtn => "MTN Mobile Money",
        Network::Telecel => "Telecel Cash",
        Network::AirtelTigo => "AT Money",
    }
}

/// The name that every wallet of the emulator belongs to.
pub(crate) const GIVEN_NAME: &str = "Ama";
/// The family name of the same person.
pub(crate) const FAMILY_NAME: &str = "Mensah";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_no_trailing_zeros() {
        for (pesewas, text) in
            [(0, "0"), (1, "0.01"), (50, "0.5"), (1000, "10"), (1250, "12.5"), (-5, "-0.05")]
        {
            assert_eq!(pesewas_text(pesewas), text);
        }
    }

    #[test]
    fn local_numbers_get_the_country_code() {
        assert_eq!(international("0241234567"), "233241234567");
        assert_eq!(international("+233 24 123 4567"), "233241234567");
        assert_eq!(international("46733123450"), "46733123450");
    }
}
