//! Hubtel's response codes. Sources: its pages on receiving money (23 December 2025) and the list
//! of the Sales API.

use tua_contract::FailureCode;
use tua_domain::{Kind, ports::FailureScope};

/// What a code means for an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// The order is accepted; the outcome follows.
    Accepted,
    /// The order was executed.
    Executed,
    /// The order has failed, or was refused before it was accepted. Final.
    Failed(FailureCode),
    /// The code reports an unknown outcome, or is not documented.
    Unknown,
}

/// Which orders Hubtel would refuse, or fail, with the same code.
pub(super) fn scope(code: &str) -> FailureScope {
    match code {
        // The keys do not fit the account, or the account may not use the channel.
        "4101" | "4103" => FailureScope::Network,
        // Also 4070: there may be a fee for other amounts.
        _ => FailureScope::Order,
    }
}

/// The meaning of a code. `text` is what Hubtel wrote with it, in lower case.
pub(super) fn meaning(code: &str, text: &str, kind: Kind) -> Meaning {
    let not_found = match kind {
        Kind::Charge => FailureCode::PayerNotFound,
        Kind::Payout => FailureCode::RecipientNotFound,
    };
    let limit = match kind {
        Kind::Charge => FailureCode::PayerLimit,
        Kind::Payout => FailureCode::RecipientLimit,
    };
    match code {
        "0000" => Meaning::Executed,
        "0001" => Meaning::Accepted,
        "2001" => Meaning::Failed(by_text(text, kind, not_found, limit)),
        "2050" | "2102" => Meaning::Failed(FailureCode::InsufficientFunds),
        "2051" | "2103" | "2152" | "2200" | "2201" | "3050" => Meaning::Failed(not_found),
        "2100" => Meaning::Failed(FailureCode::ApprovalTimeout),
        "2101" => Meaning::Failed(FailureCode::WrongPin),
        "2153" | "2154" => Meaning::Failed(limit),
        // The request, the fee or the channel: the merchant's settings at Hubtel, which no payer
        // can change.
        "4000" | "4070" | "4103" => Meaning::Failed(FailureCode::OperatorRefused),
        "4075" => Meaning::Failed(FailureCode::MerchantFloatLow),
        // The keys do not fit the account.
        "4101" => Meaning::Failed(FailureCode::NetworkUnavailable),
        // 0005 and 5000 are documented as unknown outcomes.
        _ => Meaning::Unknown,
    }
}

/// The reason of 2001, which stands for every failure at the network.
fn by_text(text: &str, kind: Kind, not_found: FailureCode, limit: FailureCode) -> FailureCode {
    let names = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // The documented text lists three reasons at once, so it names none.
    let is_list = names(&["limits, has insufficient funds"]);
    let is_charge = kind == Kind::Charge;
    match () {
        () if is_list => FailureCode::Unspecified,
        // The merchant's prepaid balance has the code 4075.
        () if names(&["insufficient"]) => FailureCode::InsufficientFunds,
        () if names(&["limit"]) => limit,
        () if names(&["pin"])
            && names(&["wrong", "invalid", "incorrect", "no or"])
            && is_charge =>
        {
            FailureCode::WrongPin
        }
        () if names(&["timeout", "timed out", "expired"]) && is_charge => {
            FailureCode::ApprovalTimeout
        }
        () if names(&["declined", "rejected by", "cancelled by"]) && is_charge => {
            FailureCode::CustomerRejected
        }
        () if names(&["not found", "not registered", "matches the channel"]) => not_found,
        () if names(&["missing permissions"]) && !is_charge => FailureCode::OperatorRefused,
        // Characters in the description that the networks do not transport.
        () if names(&["character"]) => FailureCode::OperatorRefused,
        () => FailureCode::Unspecified,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_its_meaning() {
        use FailureCode as Code;
        for (code, text, charge, payout) in [
            ("2001", "insufficient funds", Code::InsufficientFunds, Code::InsufficientFunds),
            ("2001", "you entered the wrong pin", Code::WrongPin, Code::Unspecified),
            ("2001", "ussd session timeout", Code::ApprovalTimeout, Code::Unspecified),
            (
                "2001",
                "user has reached counter or balance limits",
                Code::PayerLimit,
                Code::RecipientLimit,
            ),
            (
                "2001",
                "account holder with fri not found",
                Code::PayerNotFound,
                Code::RecipientNotFound,
            ),
            (
                "2001",
                "the customer declined the transaction",
                Code::CustomerRejected,
                Code::Unspecified,
            ),
            (
                "2001",
                "has reached counter or balance limits, has insufficient funds or",
                Code::Unspecified,
                Code::Unspecified,
            ),
            (
                "2001",
                "the number matches the channel of another network",
                Code::PayerNotFound,
                Code::RecipientNotFound,
            ),
            (
                "2001",
                "the payload has special characters",
                Code::OperatorRefused,
                Code::OperatorRefused,
            ),
            (
                "2001",
                "mobile money user is missing permissions",
                Code::Unspecified,
                Code::OperatorRefused,
            ),
            ("2001", "failed", Code::Unspecified, Code::Unspecified),
            ("2050", "", Code::InsufficientFunds, Code::InsufficientFunds),
            ("2051", "", Code::PayerNotFound, Code::RecipientNotFound),
            ("2100", "", Code::ApprovalTimeout, Code::ApprovalTimeout),
            ("2101", "", Code::WrongPin, Code::WrongPin),
            ("2153", "", Code::PayerLimit, Code::RecipientLimit),
            ("3050", "", Code::PayerNotFound, Code::RecipientNotFound),
            ("4000", "", Code::OperatorRefused, Code::OperatorRefused),
            ("4070", "", Code::OperatorRefused, Code::OperatorRefused),
            ("4075", "", Code::MerchantFloatLow, Code::MerchantFloatLow),
            ("4101", "", Code::NetworkUnavailable, Code::NetworkUnavailable),
            ("4103", "", Code::OperatorRefused, Code::OperatorRefused),
        ] {
            assert_eq!(meaning(code, text, Kind::Charge), Meaning::Failed(charge), "{code} {text}");
            assert_eq!(meaning(code, text, Kind::Payout), Meaning::Failed(payout), "{code} {text}");
        }
        assert_eq!(meaning("0001", "", Kind::Charge), Meaning::Accepted);
        assert_eq!(meaning("0000", "", Kind::Charge), Meaning::Executed);
        assert_eq!((scope("4101"), scope("4103")), (FailureScope::Network, FailureScope::Network));
        for code in ["2001", "2050", "2051", "4000", "4070", "4075", "", "9999"] {
            assert_eq!(scope(code), FailureScope::Order, "{code}");
        }
        for code in ["5000", "0005", "2002", "SUSPENDED", "", "failed"] {
            assert_eq!(meaning(code, "failed", Kind::Charge), Meaning::Unknown, "{code}");
        }
    }
}
