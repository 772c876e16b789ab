//! Converts the reasons why a payment, a refund or a batch did not begin into API errors.

use super::{
    problem::ApiError,
    refusals::{
        SET_UP_OPERATOR, account_suspended, expired, invalid_credential, link_in_use,
        transaction_not_found,
    },
};
use tua_contract::{ErrorCode, Network};
use tua_domain::{
    Mode, payout_batch::UnroutableLines, payout_controls::LimitExceeded, ports::BeginError,
    refund::RefundRefused, routing::RouteError,
};
use tua_http_json::Fault;

impl From<BeginError> for ApiError {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::KeyRevoked => invalid_credential(),
            BeginError::AccountSuspended => account_suspended(),
            BeginError::Expired(ended) => expired(ended),
            BeginError::ChargeInProgress => Self::new(
                ErrorCode::ChargeInProgress,
                "Another charge of this checkout is still pending. Wait for its outcome before you \
                 begin a new one.",
            ),
            BeginError::AlreadyPaid => Self::new(
                ErrorCode::CheckoutAlreadyPaid,
                "This checkout is already paid. Nothing \
                 was charged again.",
            ),
            BeginError::LinkInUse => link_in_use(),
            BeginError::AttemptsExhausted => Self::new(
                ErrorCode::AttemptsExhausted,
                "This checkout has had five charges, and no more are allowed. Create a new \
                 checkout.",
            ),
            BeginError::Unroutable(error @ RouteError::AmountOutOfRange(_)) => {
                Self::faults(vec![out_of_range("/amount".to_owned(), &error)])
            }
            BeginError::Unroutable(RouteError::NetworkUnavailable) => network_unavailable(),
            BeginError::Unroutable(RouteError::NoOperator(mode)) => no_operator(mode),
            BeginError::Unroutable(RouteError::NetworkEnded(network)) => {
                Self::faults(vec![network_ended("/network".to_owned(), network)])
            }
            BeginError::LinesUnroutable(lines) => lines_unroutable(lines),
            BeginError::ChargeNotFound => transaction_not_found(),
            BeginError::Refund(RefundRefused::NotRefundable(reason)) => Self::new(
                ErrorCode::NotRefundable,
                format!("{}. Nothing was refunded.", capitalised(&reason.to_string())),
            ),
            BeginError::Refund(refused @ RefundRefused::ExceedsPayment { .. }) => Self::new(
                ErrorCode::RefundExceedsPayment,
                format!("Only {refused}. Nothing was refunded."),
            ),
            BeginError::LimitExceeded(error) => Self::new(
                ErrorCode::PayoutLimitExceeded,
                format!("{}. Nothing was paid out.", capitalised(&error.to_string())),
            ),
            BeginError::LinesExceeded(lines) => {
                Self::faults(lines.into_iter().map(line_exceeds).collect())
            }
            BeginError::QuoteChanged { payer_pays } => Self::faults(vec![Fault {
                pointer: "/payerPays".to_owned(),
                code: ErrorCode::QuoteChanged.as_str(),
                detail: format!(
                    "The payer would pay GHS {payer_pays} now. Nothing was charged. Show the payer \
                     this sum before you try again."
                )
                .into(),
            }]),
            BeginError::Repeat(error) => error.into(),
            BeginError::Exceeded(exceeded) => exceeded.into(),
            BeginError::Overloaded(overloaded) => overloaded.into(),
            BeginError::Store(error) => error.into(),
        }
    }
}

fn network_unavailable() -> ApiError {
    ApiError::new(
        ErrorCode::NetworkUnavailable,
        "No operator serves this network at the moment. No money moved. Try again later, or use \
         another network.",
    )
}

fn no_operator(mode: Mode) -> ApiError {
    ApiError::no_operator(format!(
        "No operator is set up for {} payments on this network. No money moved. {SET_UP_OPERATOR}",
        mode.as_str()
    ))
}

/// The fault of an amount that no operator takes.
fn out_of_range(pointer: String, error: &RouteError) -> Fault {
    Fault {
        pointer,
        code: ErrorCode::AmountOutOfRange.as_str(),
        detail: format!("{} No money moved.", capitalised(&format!("{error}."))).into(),
    }
}

/// The fault of a network that is retired.
fn network_ended(pointer: String, network: Network) -> Fault {
    Fault {
        pointer,
        code: ErrorCode::UnsupportedNetwork.as_str(),
        detail: format!(
            "{network} has ended, so no payment can begin on it. No money moved. Its numbers go on \
             with another network: ask the person which, and send that one."
        )
        .into(),
    }
}

/// The refusal of a batch with lines that no operator takes. Faults that waiting does not correct
/// come first.
fn lines_unroutable(lines: UnroutableLines) -> ApiError {
    let lasting = |(line, error)| match error {
        RouteError::AmountOutOfRange(_) => {
            Some(out_of_range(format!("/payouts/{line}/amount"), &error))
        }
        RouteError::NetworkEnded(network) => {
            Some(network_ended(format!("/payouts/{line}/network"), network))
        }
        RouteError::NetworkUnavailable | RouteError::NoOperator(_) => None,
    };
    let unserved = lines.iter().find_map(|(_, error)| match error {
        RouteError::NoOperator(mode) => Some(no_operator(*mode)),
        _ => None,
    });
    let faults: Vec<Fault> = lines.into_iter().filter_map(lasting).collect();
    if faults.is_empty() {
        unserved.unwrap_or_else(network_unavailable)
    } else {
        ApiError::faults(faults)
    }
}

/// The fault of a payout of a batch that exceeds a limit.
fn line_exceeds((line, exceeded): (usize, LimitExceeded)) -> Fault {
    Fault {
        pointer: format!("/payouts/{line}/amount"),
        code: ErrorCode::PayoutLimitExceeded.as_str(),
        detail: format!("{}.", capitalised(&exceeded.to_string())).into(),
    }
}

/// A sentence with a capital letter.
fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
