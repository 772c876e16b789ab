//! Why an order failed, and what to do about it.

use super::{AcmeSettings, settings::Challenge};
use crate::innermost_cause;
use instant_acme::{Error, Problem};
use std::fmt::Display;
use tua_domain::ports::StoreError;

/// The longest text of the ACME server that is logged.
const MAX_TEXT_CHARS: usize = 500;

/// Why an order failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// A setting's file is invalid.
    #[error("{0}")]
    Setting(String),
    /// No response to a request.
    #[error("the ACME server does not respond: {0}")]
    Unreachable(String),
    /// The ACME server refused a request; its problem type and its text.
    #[error("the ACME server refused: {1} ({0})")]
    Refused(String, String),
    /// The ACME server could not validate a name.
    #[error("the ACME server could not validate {name}: {reason}")]
    NotValidated { name: String, reason: String },
    /// A response that the protocol does not allow.
    #[error("the response of the ACME server is unusable: {0}")]
    Unusable(String),
    /// The order did not end in time.
    #[error("the order did not end in time")]
    TimedOut,
    /// Reading or writing the ACME records in the store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Failure {
    /// What the people who run the service can do.
    pub(super) fn remedy(&self, settings: &AcmeSettings) -> String {
        match self {
            Self::Setting(_) => "correct the setting and restart the service".to_owned(),
            Self::Unreachable(_) => {
                format!(
                    "check that this machine can reach {}, and the ACME server's status page",
                    settings.directory
                )
            }
            Self::Refused(kind, _) => refusal_remedy(kind, settings),
            Self::NotValidated { name, .. } => match settings.challenge {
                Challenge::TlsAlpn01 => format!(
                    "check that the DNS of {name} points here, and that port 443 reaches --listen \
                     without another TLS server in between"
                ),
                Challenge::Http01 => {
                    format!(
                        "check that the DNS of {name} points here, and that port 80 reaches \
                         --http-listen"
                    )
                }
            },
            Self::Unusable(_) => {
                "check --acme-directory; if it is right, report this to the ACME server".to_owned()
            }
            Self::TimedOut => "nothing: the service tries again".to_owned(),
            Self::Store(_) => "check the database".to_owned(),
        }
    }

    /// Whether the ACME server has no such account, so that another one must be created.
    pub(super) fn is_unknown_account(&self) -> bool {
        matches!(self, Self::Refused(kind, _) if kind == "accountDoesNotExist")
    }
}

/// The remedies of the problem types of RFC 8555 section 6.7.
fn refusal_remedy(kind: &str, settings: &AcmeSettings) -> String {
    match kind {
        "rateLimited" => "wait: the ACME server limits orders".to_owned(),
        "externalAccountRequired" => {
            "set --acme-eab to the file with the values that the ACME server gave you".to_owned()
        }
        "caa" => "permit this certificate authority in the CAA records of the names".to_owned(),
        "rejectedIdentifier" | "unsupportedIdentifier" => {
            format!(
                "choose names that this ACME server issues certificates for: {}",
                settings.names.join(", ")
            )
        }
        "invalidContact" | "unsupportedContact" => "correct --acme-contact".to_owned(),
        "accountDoesNotExist" => "nothing: the service creates another account".to_owned(),
        "unauthorized" if settings.eab.is_some() => {
            "check the values in the file of --acme-eab".to_owned()
        }
        _ => "the text says what the ACME server refuses; the service tries again".to_owned(),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Api(problem) => problem.into(),
            Error::Timeout(_) => Self::TimedOut,
            Error::Other(cause) => match cause.downcast::<reqwest::Error>() {
                Ok(error) => Self::Unreachable(printable(innermost_cause(&error))),
                Err(other) => Self::Unusable(printable(other)),
            },
            other => Self::Unusable(printable(other)),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        let kind = problem.r#type.as_deref().unwrap_or("about:blank");
        let kind = printable(kind.strip_prefix("urn:ietf:params:acme:error:").unwrap_or(kind));
        Self::Refused(kind, printable(problem.detail.unwrap_or_default()))
    }
}

/// A text of the ACME server as it may be logged: bounded, and without control characters.
pub(super) fn printable(text: impl Display) -> String {
    text.to_string().chars().filter(|char| !char.is_control()).take(MAX_TEXT_CHARS).collect()
}
