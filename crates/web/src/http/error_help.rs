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

/// The help texts of this code.
pub(super) const fn help(code: ErrorCode) -> Help {
    use ErrorCode as C;
    match code {
        C::MalformedJson => refused("Send one JSON object in UTF-8. Name each member once."),
        C::InvalidRequest => refused(
            "Send one Host header. If you did, a proxy on the way has added another one: correct \
             its settings.",
        ),
        // Credentials, and what they may do.
        C::MissingCredentials => {
            refused("Send a credential as x-api-key, or as Authorization: Bearer.")
        }
        C::InvalidCredentials => refused(
            "Check that you sent the whole key, and that it belongs to this service. tua key list \
             shows revoked keys.",
        ),
        C::ConflictingCredentials => refused("Send one credential in one header."),
        C::CheckoutTokenExpired => Help {
            money: "This request moved no money. The member checkout shows the state of the \
                session. OPEN: nothing was paid. PENDING: a payment is not decided yet, so do not \
                pay again. PAID: the checkout was paid. CLOSED: the merchant closed the checkout, \
                and nothing was paid.",
            remedy: "If the state is OPEN or CLOSED, create a new checkout and use its token.",
        },
        C::CredentialNotAllowed => refused(
            "Use a credential that may call this route. /openapi.json lists the credentials of \
             each route.",
        ),
        C::ScopeMissing => refused(
            "Use a key with the scope that the detail names. tua key list shows the scopes of each \
             key, and tua key create --scope sets them.",
        ),
        C::AddressNotAllowed => refused(
            "Send the request from an address of the key: tua key list shows them. If you do not \
             know where this request came from, revoke the key.",
        ),
        C::SecretKeyExposed => refused(
            "Revoke this key now with tua key revoke. Create another key for your server, and use \
             checkout tokens in pages.",
        ),
        C::HttpsRequired => refused(
            "Send requests over HTTPS only. If this one contained a secret key, others may have \
             read it: revoke it, and create another key.",
        ),
        C::AccountSuspended => Help {
            money: "This request moved no money. Payments that were pending may still move money.",
            remedy: "Ask the operator of this service why the account is suspended. tua account \
                resume ends it.",
        },
        // Paths, and the state of a resource.
        C::NotFound => refused(
            "Check the path. The API begins with /v1, and /openapi.json lists all paths. Check \
             that the key belongs to the account and mode of the resource.",
        ),
        C::TransactionNotFound => refused(
            "Check the identifier. Check that the key belongs to the account and mode (test or \
             live) that created the transaction.",
        ),
        C::MethodNotAllowed => refused("Use a method from the Allow header."),
        C::ChargeInProgress => Help {
            money: "This request moved no money. The other charge may still move money.",
            remedy: "Follow the other charge with GET /v1/status until it is final. Begin a new \
                charge only if it has failed.",
        },
        C::CheckoutAlreadyPaid => Help {
            money: "This request moved no money. An earlier charge has paid the checkout.",
            remedy: "Do not charge again. The checkout is complete.",
        },
        C::LinkInUse => Help {
            money: "This request moved no money. The other charge of the link may move money, or \
                has moved it.",
            remedy: "If the other charge fails, the link can be paid again. Otherwise create a new \
                link.",
        },
        C::LinkNotReopenable => refused("Create a new link."),
        C::TooManyEndpoints => refused("Remove a webhook endpoint that is no longer used."),
        C::AttemptsExhausted => refused("Create a new checkout, so that the payer can try again."),
        C::VerificationNotExpected => without_effect(
            "Submit a code only while nextAction is ENTER_OTP or ENTER_VOUCHER. GET /v1/status \
             shows nextAction.",
        ),
        C::NotCancellable => Help {
            money: "This request moved no money. The payout or refund may have moved money.",
            remedy: "Follow it with GET /v1/status or GET /v1/refunds until it is final.",
        },
        C::NotRefundable => Help {
            money: "This request moved no money. Earlier refunds of the charge remain.",
            remedy: "Refund a charge that is SUCCESSFUL. If an operator contradicted it, or its \
                payer disputes it, decide it with tua review first. Ask for a payout only after a \
                refund by the operator failed.",
        },
        C::RefundExceedsPayment => Help {
            money: "This request moved no money. Earlier refunds of the charge remain.",
            remedy: "Send at most the charge's refundableAmount, or leave the amount out to refund \
                all that is left.",
        },
        // Idempotency keys.
        C::IdempotencyKeyMissing => {
            refused("Send an Idempotency-Key of 1 to 255 printable ASCII characters.")
        }
        C::IdempotencyKeyInvalid => {
            refused("Send one Idempotency-Key of 1 to 255 printable ASCII characters.")
        }
        C::IdempotencyKeyReused => without_effect(
            "Use a new key for a new request. To repeat an earlier request, send exactly the same \
             body.",
        ),
        C::IdempotencyInProgress => without_effect(
            "Wait as long as Retry-After says, then send the same request again. You then get the \
             response to the first one.",
        ),
        // The body, and its fields.
        C::RequestTimeout => {
            refused("Send the request again. Send its whole body without a pause.")
        }
        C::BodyTooLarge => refused(
            "Send at most 32 KiB, and 1 MiB for a batch of payouts. The metadata may have at most \
             8 KiB.",
        ),
        C::UnsupportedMediaType => refused(
            "Send the header Content-Type: application/json. Send the body uncompressed, without \
             the header Content-Encoding.",
        ),
        C::ValidationFailed => {
            refused("Correct every field in errors, and send the request again.")
        }
        C::FieldRequired => refused("Add the field that errors names."),
        C::UnknownField => refused("Correct the name of the field, or remove the field."),
        C::FieldNotAllowed => refused(
            "Remove the field. The checkout of the token, or another field of the request, already \
             defines it.",
        ),
        C::InvalidType => {
            refused("Send the JSON type that the field needs. Amounts are numbers, not strings.")
        }
        C::InvalidAmount => {
            refused("Send cedis as a number above 0 with at most 2 decimals, for example 10.5.")
        }
        C::AmountMismatch => {
            refused("Remove the amount, or send the amount that GET /v1/checkout shows.")
        }
        C::QuoteChanged => refused(
            "Ask POST /v1/quote or GET /v1/checkout again, show the payer the new sum, and send it \
             as payerPays.",
        ),
        C::AmountOutOfRange => refused(
            "Send an amount within the limits that GET /v1/networks shows, or use another network.",
        ),
        C::InvalidPhoneNumber => {
            refused("Send ten digits that begin with 0, for example 0241234567.")
        }
        C::UnsupportedNetwork => refused(
            "Send MTN, TELECEL or AIRTELTIGO. For a number of a network that has ended, ask which \
             network it is with now.",
        ),
        C::UnsupportedCurrency => refused("Send GHS, or remove the currency."),
        C::InvalidEmail => refused("Send an address such as ama@example.com."),
        C::InvalidUrl => refused(
            "Send an https URL without a user name. In test mode, http is also allowed: of a \
             returnUrl on a loopback address only.",
        ),
        C::TooLong => refused("Shorten the text."),
        C::InvalidText => refused("Send a text of one line, without control characters."),
        C::InvalidTime => {
            refused("Send a time in the future with its offset, for example 2026-12-31T23:59:59Z.")
        }
        C::InvalidMetadata => refused(
            "Send at most 50 keys, at most 64 characters for each key, and at most 8 KiB of JSON.",
        ),
        C::InvalidParameter => {
            refused("Correct the query parameter or the field in errors. Send a parameter once.")
        }
        C::PayoutLimitExceeded => refused(
            "Send a smaller amount, or wait for the next day (UTC) if the daily limit is reached. \
             tua account set changes the limits.",
        ),
        C::InvalidOtp => Help {
            money: "No money moved. The request was refused, and no attempt was counted.",
            remedy: "Ask the payer for the code again: 4 to 10 letters or digits.",
        },
        // Limits and failures of the service.
        C::RateLimited => {
            without_effect("Wait as long as Retry-After says, then send the same request again.")
        }
        C::NetworkUnavailable => refused(
            "If the response has Retry-After, try again after it, or use another network. Without \
             Retry-After, no operator is set up for the network, and a repetition does not help: \
             set one up in the settings file, or on the page Operators of the dashboard. tua \
             doctor --live checks the operators.",
        ),
        C::InternalError | C::ServiceUnavailable => in_doubt(
            "Send the same request again with the same Idempotency-Key. The service executes it \
             only once.",
        ),
    }
}

/// Help where the request was refused before it had any effect.
const fn refused(remedy: &'static str) -> Help {
    Help { money: "No money moved. The request was refused and had no effect.", remedy }
}

/// Help where the request had no effect, but an earlier one may have moved money.
const fn without_effect(remedy: &'static str) -> Help {
    Help { money: "This request moved no money. The effects of earlier requests remain.", remedy }
}

/// Help where the service failed while it handled the request.
const fn in_doubt(remedy: &'static str) -> Help {
    Help {
        money: "It is not known whether money moved. Read the transaction before you try again.",
        remedy,
    }
}
