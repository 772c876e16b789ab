//! What a refused caller asks next: has money moved, and what is there to do?

use tua_contract::ErrorCode;

/// The two sentences below an error code's explanation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Help {
    /// Whether money moved.
    pub(super) money: &'static str,
    /// What to do.
    pub(super) remedy: &'static str,
}

const REFUSED: &str = "Nothing was done and no money moved.";
const ALREADY: &str = "This request did nothing; what came before it stands.";
const UNKNOWN: &str = "Whether anything was done is not known: look the payment up before you try again.";

/// What to tell somebody who met this code.
pub(super) const fn help(code: ErrorCode) -> Help {
    use ErrorCode as C;
    let (money, remedy) = match code {
        C::MalformedJson => (REFUSED, "Send one JSON object in UTF-8 that names each field once."),
        C::MissingCredentials => (REFUSED, "Send a credential in x-api-key, or in Authorization after Bearer."),
        C::InvalidCredentials => (
            REFUSED,
            "Check that the whole key was sent and belongs to this service; tua key list shows which are revoked.",
        ),
        C::ConflictingCredentials => (REFUSED, "Send one credential, in one header."),
        C::CheckoutTokenExpired => (
            "This request did nothing. The member checkout says how the session stands: OPEN, nothing was paid; PENDING, a payment is being confirmed, so do not pay again; PAID, it was paid.",
            "Where it is OPEN, open a new checkout and use its token.",
        ),
        C::CredentialNotAllowed => {
            (REFUSED, "Use a credential that opens this route: the API's document names them for each.")
        }
        C::SecretKeyExposed => (
            REFUSED,
            "Revoke this key now with tua key revoke, make another, and put checkout tokens into pages instead.",
        ),
        C::HttpsRequired => {
            (REFUSED, "Revoke this key, since others may have read it, make another, and send it over https only.")
        }
        C::NotFound => (REFUSED, "Check the address: the API lives under /v1, and /openapi.json lists its paths."),
        C::TransactionNotFound => {
            (REFUSED, "Check the id, and that the key is of the account and the mode (test or live) that made it.")
        }
        C::MethodNotAllowed => (REFUSED, "Use a method that the Allow header names."),
        C::ChargeInProgress => (
            "This request did nothing. The charge before it may still take the money.",
            "Follow that charge with GET /v1/status until it is final; only then begin another.",
        ),
        C::CheckoutAlreadyPaid => (
            "This request did nothing. The money of an earlier charge has moved.",
            "Do not charge again; the checkout is done.",
        ),
        C::AttemptsExhausted => (REFUSED, "Open a new checkout to let the payer try again."),
        C::VerificationNotExpected => {
            (ALREADY, "Submit a code only while nextAction is ENTER_OTP or ENTER_VOUCHER; GET /v1/status tells.")
        }
        C::IdempotencyKeyInvalid => (REFUSED, "Send one Idempotency-Key of 1 to 255 printable ASCII characters."),
        C::IdempotencyKeyReused => {
            (ALREADY, "Use a new key for a new request, and the same body to repeat an old one.")
        }
        C::IdempotencyInProgress => {
            (ALREADY, "Repeat the same request after Retry-After; it answers with what came of the first.")
        }
        C::RequestTimeout => (REFUSED, "Send the request again, its body whole and without a pause."),
        C::BodyTooLarge => (REFUSED, "Send at most 32 KiB; metadata takes 8 KiB at the most."),
        C::UnsupportedMediaType => (REFUSED, "Send the header Content-Type: application/json."),
        C::ValidationFailed => (REFUSED, "Correct every field that errors points to, and send the request again."),
        C::FieldRequired => (REFUSED, "Add the field that errors points to."),
        C::UnknownField => (REFUSED, "Correct the field's name, or leave the field out."),
        C::FieldNotAllowed => (REFUSED, "Leave the field out: the checkout that the token belongs to sets it."),
        C::InvalidType => (REFUSED, "Send the field in its own JSON type; amounts are numbers, not strings."),
        C::InvalidAmount => (REFUSED, "Send cedis as a number above 0 with at most 2 decimals, such as 10.5."),
        C::AmountMismatch => (REFUSED, "Leave the amount out, or send the one that GET /v1/checkout shows."),
        C::InvalidPhoneNumber => (REFUSED, "Send ten digits beginning with 0, such as 0241234567."),
        C::UnsupportedNetwork => (REFUSED, "Send MTN, TELECEL or AIRTELTIGO."),
        C::UnsupportedCurrency => (REFUSED, "Send GHS, or leave the currency out."),
        C::InvalidEmail => (REFUSED, "Send an address such as ama@example.com."),
        C::InvalidUrl => (REFUSED, "Send an https address without a user name; in test mode http on loopback will do."),
        C::TooLong => (REFUSED, "Shorten the text to what the field may hold."),
        C::InvalidText => (REFUSED, "Send one line of text without control characters."),
        C::InvalidMetadata => (REFUSED, "Send at most 50 keys of at most 64 characters, and 8 KiB of JSON in all."),
        C::InvalidParameter => (REFUSED, "Correct the query parameter that errors points to, and send it once."),
        C::InvalidOtp => (
            "Nothing was done, no attempt was used up and no money moved.",
            "Ask the payer for the code again: 4 to 10 letters or digits.",
        ),
        C::RateLimited => (ALREADY, "Wait as many seconds as Retry-After says, then send the same request again."),
        C::NetworkUnavailable => (
            REFUSED,
            "Try again after Retry-After, or use another network. In live mode the network needs an operator.",
        ),
        C::InternalError | C::ServiceUnavailable => {
            (UNKNOWN, "Repeat the request with the same Idempotency-Key: it is done once, however often it is sent.")
        }
    };
    Help { money, remedy }
}
