//! The help texts of an error code: whether money moved, and what to do next.

use tua_contract::ErrorCode;

/// The two paragraphs that follow the explanation of an error code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Help {
    /// Whether the request moved money, or still may, as a paragraph.
    pub(super) money: &'static str,
    /// What the caller should do next.
    pub(super) remedy: &'static str,
}

/// The request was refused before it had any effect.
const REFUSED: &str = "No money moved. The request was refused and had no effect.";
/// The request had no effect, but an earlier one may have moved money.
const NO_EFFECT: &str = "This request moved no money. The effects of earlier requests remain.";
/// The service failed while it handled the request.
const UNKNOWN: &str =
    "It is not known whether money moved. Read the transaction before you try again.";

/// The help texts of this code.
pub(super) const fn help(code: ErrorCode) -> Help {
    use ErrorCode as C;
    let (money, remedy) = match code {
        C::MalformedJson => (REFUSED, "Send one JSON object in UTF-8. Name each member once."),
        C::MissingCredentials => {
            (REFUSED, "Send a credential as x-api-key, or as Authorization: Bearer.")
        }
        C::InvalidCredentials => (
            REFUSED,
            "Check that you sent the whole key, and that it belongs to this service. tua key list \
             shows revoked keys.",
        ),
        C::ConflictingCredentials => (REFUSED, "Send one credential in one header."),
        C::CheckoutTokenExpired => (
            "This request moved no money. The member checkout shows the state of the session. \
             OPEN: nothing was paid. PENDING: a payment is not decided yet, so do not pay again. \
             PAID: the checkout was paid. CLOSED: the merchant closed the checkout, and nothing \
             was paid.",
            "If the state is OPEN or CLOSED, create a new checkout and use its token.",
        ),
        C::CredentialNotAllowed => (
            REFUSED,
            "Use a credential that may call this route. /openapi.json lists the credentials of \
             each route.",
        ),
        C::ScopeMissing => (
            REFUSED,
            "Use a key with the scope that the detail names. tua key list shows the scopes of each \
             key, and tua key create --scope sets them.",
        ),
        C::AddressNotAllowed => (
            REFUSED,
            "Send the request from an address of the key: tua key list shows them. If you do not \
             know where this request came from, revoke the key.",
        ),
        C::SecretKeyExposed => (
            REFUSED,
            "Revoke this key now with tua key revoke. Create another key for your server, and use \
             checkout tokens in pages.",
        ),
        C::HttpsRequired => (
            REFUSED,
            "Others may have read this key: revoke it. Create another key, and send it over HTTPS \
             only.",
        ),
        C::AccountSuspended => (
            "This request moved no money. Payments that were pending may still move money.",
            "Ask the operator of this service why the account is suspended. tua account resume \
             ends it.",
        ),
        C::NotFound => (
            REFUSED,
            "Check the path. The API begins with /v1, and /openapi.json lists all paths. Check \
             that the key belongs to the account and mode of the resource.",
        ),
        C::TransactionNotFound => (
            REFUSED,
            "Check the identifier. Check that the key belongs to the account and mode (test or \
             live) that created the transaction.",
        ),
        C::MethodNotAllowed => (REFUSED, "Use a method from the Allow header."),
        C::ChargeInProgress => (
            "This request moved no money. The other charge may still move money.",
            "Follow the other charge with GET /v1/status until it is final. Begin a new charge \
             only if it has failed.",
        ),
        C::CheckoutAlreadyPaid => (
            "This request moved no money. An earlier charge has paid the checkout.",
            "Do not charge again. The checkout is complete.",
        ),
        C::LinkInUse => (
            "This request moved no money. The other charge of the link may move money, or has \
             moved it.",
            "If the other charge fails, the link can be paid again. Otherwise create a new link.",
        ),
        C::LinkNotReopenable => (REFUSED, "Create a new link."),
        C::AttemptsExhausted => {
            (REFUSED, "Create a new checkout, so that the payer can try again.")
        }
        C::VerificationNotExpected => (
            NO_EFFECT,
            "Submit a code only while nextAction is ENTER_OTP or ENTER_VOUCHER. GET /v1/status \
             shows nextAction.",
        ),
        C::NotCancellable => (
            "This request moved no money. The payout or refund may have moved money.",
            "Follow it with GET /v1/status or GET /v1/refunds until it is final.",
        ),
        C::NotRefundable => (
            "This request moved no money. Earlier refunds of the charge remain.",
            "Refund a charge that is SUCCESSFUL. If an operator contradicted it, or its payer \
             disputes it, decide it with tua review first. Ask for a payout only after a refund by \
             the operator failed.",
        ),
        C::RefundExceedsPayment => (
            "This request moved no money. Earlier refunds of the charge remain.",
            "Send at most the charge's refundableAmount, or leave the amount out to refund all \
             that is left.",
        ),
        C::IdempotencyKeyMissing => {
            (REFUSED, "Send an Idempotency-Key of 1 to 255 printable ASCII characters.")
        }
        C::IdempotencyKeyInvalid => {
            (REFUSED, "Send one Idempotency-Key of 1 to 255 printable ASCII characters.")
        }
        C::IdempotencyKeyReused => (
            NO_EFFECT,
            "Use a new key for a new request. To repeat an earlier request, send exactly the same \
             body.",
        ),
        C::IdempotencyInProgress => (
            NO_EFFECT,
            "Wait as long as Retry-After says, then send the same request again. You then get the \
             response to the first one.",
        ),
        C::RequestTimeout => {
            (REFUSED, "Send the request again. Send its whole body without a pause.")
        }
        C::BodyTooLarge => (
            REFUSED,
            "Send at most 32 KiB, and 1 MiB for a batch of payouts. The metadata may have at most \
             8 KiB.",
        ),
        C::UnsupportedMediaType => (
            REFUSED,
            "Send the header Content-Type: application/json. Send the body uncompressed, without \
             the header Content-Encoding.",
        ),
        C::ValidationFailed => {
            (REFUSED, "Correct every field in errors, and send the request again.")
        }
        C::FieldRequired => (REFUSED, "Add the field that errors names."),
        C::UnknownField => (REFUSED, "Correct the name of the field, or remove the field."),
        C::FieldNotAllowed => (
            REFUSED,
            "Remove the field. The checkout of the token, or another field of the request, already \
             defines it.",
        ),
        C::InvalidType => {
            (REFUSED, "Send the JSON type that the field needs. Amounts are numbers, not strings.")
        }
        C::InvalidAmount => {
            (REFUSED, "Send cedis as a number above 0 with at most 2 decimals, for example 10.5.")
        }
        C::AmountMismatch => {
            (REFUSED, "Remove the amount, or send the amount that GET /v1/checkout shows.")
        }
        C::QuoteChanged => (
            REFUSED,
            "Ask POST /v1/quote or GET /v1/checkout again, show the payer the new sum, and send it \
             as payerPays.",
        ),
        C::AmountOutOfRange => (
            REFUSED,
            "Send an amount within the limits that GET /v1/networks shows, or use another network.",
        ),
        C::InvalidPhoneNumber => {
            (REFUSED, "Send ten digits that begin with 0, for example 0241234567.")
        }
        C::UnsupportedNetwork => (
            REFUSED,
            "Send MTN, TELECEL or AIRTELTIGO. For a number of a network that has ended, ask which \
             network it is with now.",
        ),
        C::UnsupportedCurrency => (REFUSED, "Send GHS, or remove the currency."),
        C::InvalidEmail => (REFUSED, "Send an address such as ama@example.com."),
        C::InvalidUrl => (
            REFUSED,
            "Send an https URL without a user name. In test mode, http on a loopback address is \
             also allowed.",
        ),
        C::TooLong => (REFUSED, "Shorten the text."),
        C::InvalidText => (REFUSED, "Send a text of one line, without control characters."),
        C::InvalidTime => (
            REFUSED,
            "Send a time in the future with its offset, for example 2026-12-31T23:59:59Z.",
        ),
        C::InvalidMetadata => (
            REFUSED,
            "Send at most 50 keys, at most 64 characters for each key, and at most 8 KiB of JSON.",
        ),
        C::InvalidParameter => {
            (REFUSED, "Correct the query parameter in errors, and send it once.")
        }
        C::PayoutLimitExceeded => (
            REFUSED,
            "Send a smaller amount, or wait for the next day (UTC) if the daily limit is reached. \
             tua account set changes the limits.",
        ),
        C::InvalidOtp => (
            "No money moved. The request was refused, and no attempt was counted.",
            "Ask the payer for the code again: 4 to 10 letters or digits.",
        ),
        C::RateLimited => {
            (NO_EFFECT, "Wait as long as Retry-After says, then send the same request again.")
        }
        C::NetworkUnavailable => (
            REFUSED,
            "Try again after Retry-After, or use another network. In live mode, each network needs \
             an operator.",
        ),
        C::InternalError | C::ServiceUnavailable => (
            UNKNOWN,
            "Send the same request again with the same Idempotency-Key. The service executes it \
             only once.",
        ),
    };
    Help { money, remedy }
}
