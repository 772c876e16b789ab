//! What the form tells the payer after a charge that did not begin.

/// A notice above the form's button.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormNotice {
    /// The request did not reach the server. To repeat it cannot charge twice.
    NotSent,
    /// No operator serves this network at the moment.
    NetworkUnavailable,
    /// The network has ended. The payer's number goes on with another one.
    NetworkEnded,
    /// The payer would pay another sum than was shown. The form shows the new one.
    PriceChanged,
    /// The shop's account is suspended.
    AccountSuspended,
    /// Somebody else is paying, or has paid, with the same link, which takes one payment.
    LinkInUse,
    /// The server refused the request by a rate limit.
    TooMany,
    /// The server refused the request for a reason that the payer cannot correct here.
    Refused,
}
