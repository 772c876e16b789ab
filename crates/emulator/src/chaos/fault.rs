//! What can go wrong on demand.

use std::time::Duration;

/// What goes wrong with a request, its response or a callback.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The response is delayed, in real time.
    Latency(Duration),
    /// HTTP 500 in the operator's own format; the request has no effect.
    ErrorBefore,
    /// HTTP 500 in the operator's own format, although the request has had its effect.
    ErrorAfter,
    /// HTTP 503 in the operator's own format; the request has no effect.
    Unavailable,
    /// The operator's own error with this code, which it documents; the request has no effect.
    Refusal(&'static str),
    /// This status of the order, which the operator documents, in place of the present one.
    Status(&'static str),
    /// The connection is closed; the request has no effect.
    CloseBefore,
    /// The connection is closed before the response, although the request has had its effect.
    CloseAfter,
    /// The connection is closed in the middle of the response's body.
    CloseInBody,
    /// A page of HTML with status 200 in place of the response.
    Html,
    /// The first half of the response's JSON, as if it were all.
    HalfJson,
    /// Another amount than the order's.
    WrongAmount,
    /// Another currency than the order's.
    WrongCurrency,
    /// Another reference than the order's.
    WrongReference,
    /// A status that the operator does not document.
    UnknownStatus,
    /// HTTP 429; the request has no effect.
    TooManyRequests,
    /// HTTP 403 with a page of HTML, as to an address that is not on the operator's list.
    OffList,
    /// The operator's answer for an order that does not exist.
    NotFound,
    /// The callback is not sent.
    Lost,
    /// The callback is sent twice.
    Doubled,
    /// The callback is sent after the operator's next one, or after 30 s if there is none.
    Reordered,
    /// The callback is sent later, on the virtual clock.
    Delayed(Duration),
    /// When an order is accepted, a callback arrives at once that reports its success, with a wrong
    /// signature where the operator signs.
    Forged,
}

/// The duration of a fault that delays something, where the rule names none.
const DEFAULT_FAULT_DURATION: Duration = Duration::from_secs(5);

impl Fault {
    /// All faults, with the usual duration of those that have one, and without those that name a
    /// code or a status.
    pub const ALL: [Self; 21] = [
        Self::Latency(DEFAULT_FAULT_DURATION),
        Self::ErrorBefore,
        Self::ErrorAfter,
        Self::Unavailable,
        Self::CloseBefore,
        Self::CloseAfter,
        Self::CloseInBody,
        Self::Html,
        Self::HalfJson,
        Self::WrongAmount,
        Self::WrongCurrency,
        Self::WrongReference,
        Self::UnknownStatus,
        Self::TooManyRequests,
        Self::OffList,
        Self::NotFound,
        Self::Lost,
        Self::Doubled,
        Self::Reordered,
        Self::Delayed(DEFAULT_FAULT_DURATION),
        Self::Forged,
    ];

    /// The name in flags and forms.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Latency(_) => "latency",
            Self::ErrorBefore => "error-before",
            Self::ErrorAfter => "error-after",
            Self::Unavailable => "unavailable",
            Self::Refusal(_) => "refusal",
            Self::Status(_) => "status",
            Self::CloseBefore => "close-before",
            Self::CloseAfter => "close-after",
            Self::CloseInBody => "close-in-body",
            Self::Html => "html",
            Self::HalfJson => "half-json",
            Self::WrongAmount => "wrong-amount",
            Self::WrongCurrency => "wrong-currency",
            Self::WrongReference => "wrong-reference",
            Self::UnknownStatus => "unknown-status",
            Self::TooManyRequests => "too-many-requests",
            Self::OffList => "off-list",
            Self::NotFound => "not-found",
            Self::Lost => "lost",
            Self::Doubled => "doubled",
            Self::Reordered => "reordered",
            Self::Delayed(_) => "delayed",
            Self::Forged => "forged",
        }
    }

    /// Whether callbacks can have this fault.
    #[must_use]
    pub const fn is_of_callbacks(self) -> bool {
        matches!(
            self,
            Self::Lost
                | Self::Doubled
                | Self::Reordered
                | Self::Delayed(_)
                | Self::Forged
                | Self::Html
                | Self::HalfJson
                | Self::WrongAmount
                | Self::WrongCurrency
                | Self::WrongReference
                | Self::UnknownStatus
                | Self::Status(_)
        )
    }

    /// Whether responses can have this fault.
    #[must_use]
    pub const fn is_of_responses(self) -> bool {
        !matches!(
            self,
            Self::Lost | Self::Doubled | Self::Reordered | Self::Delayed(_) | Self::Forged
        )
    }

    /// The code of a refusal; `None` for every other fault.
    pub(crate) const fn refusal(&self) -> Option<&'static str> {
        match self {
            Self::Refusal(code) => Some(code),
            _ => None,
        }
    }
}
