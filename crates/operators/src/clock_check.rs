//! Compares the clock of this machine with that of an operator.

use jiff::{SignedDuration, Timestamp, fmt::rfc2822::DateTimeParser};
use reqwest::header::{DATE, HeaderMap};
use tua_domain::ports::CheckResult;

/// The largest difference that is accepted. Tokens and signatures of operators are valid for
/// minutes.
const MAX_DIFFERENCE: SignedDuration = SignedDuration::from_secs(60);

/// Compares `now` with the `Date` of an operator's response (RFC 9110, section 6.6.1). `None` where
/// the response has no valid `Date`.
#[must_use]
pub fn compare_clocks(headers: &HeaderMap, now: Timestamp) -> Option<CheckResult> {
    let date = headers.get(DATE)?.to_str().ok()?;
    let operator_time = DateTimeParser::new().parse_timestamp(date).ok()?;
    let difference = now.duration_since(operator_time).abs();
    let seconds = difference.as_secs();
    let outcome = if difference <= MAX_DIFFERENCE {
        Ok(format!("differs from the operator's by {seconds} s"))
    } else {
        Err(format!(
            "differs from the operator's by {seconds} s; synchronise the clock of this machine \
             (NTP)"
        ))
    };
    Some(CheckResult::new("clock", outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn compare(date: &'static str) -> Option<Result<String, String>> {
        let headers = HeaderMap::from_iter([(DATE, HeaderValue::from_static(date))]);
        compare_clocks(&headers, "2026-11-22T08:00:00Z".parse().unwrap())
            .map(|result| result.outcome)
    }

    #[test]
    fn a_difference_of_more_than_a_minute_is_a_fault() {
        assert!(compare("Sun, 22 Nov 2026 08:00:59 GMT").unwrap().is_ok());
        assert!(compare("Sun, 22 Nov 2026 07:55:00 GMT").unwrap().unwrap_err().contains("300 s"));
        assert_eq!(compare("yesterday"), None);
        assert_eq!(compare_clocks(&HeaderMap::new(), Timestamp::UNIX_EPOCH), None);
    }
}
