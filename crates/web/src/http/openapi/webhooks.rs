//! The requests to a merchant's endpoint (docs/reference/webhooks.md), one for each type of event.

use super::{
    content::{content, reference},
    examples, refund_examples,
};
use serde_json::{Value, json};
use tua_api::{
    resources::{CheckoutView, RefundView, TransactionView},
    values::{Time, closed_enum, string_schema},
};
use tua_contract::{FailureCode, State, Step};
use tua_domain::{Kind, checkout::CheckoutStatus, webhook::EventType};
use utoipa::openapi::{
    HttpMethod, ObjectBuilder, PathItem, Paths, PathsBuilder, RefOr, Required, ResponseBuilder,
    Schema, Type,
    path::{OperationBuilder, Parameter, ParameterBuilder, ParameterIn},
    request_body::RequestBodyBuilder,
};

/// The resource of an event, which is in its `data`.
#[derive(Clone, Copy, Debug)]
enum EventSubject {
    /// A transaction, in a state that it can have at this event.
    Transaction(Kind, State),
    /// A successful transaction that the operator later reported as failed.
    Contradiction(Kind),
    /// A successful payout that was reversed.
    Reversal,
    /// A refund, in a state that it can have at this event.
    Refund(State),
    /// A successful refund that the operator later reported as failed.
    RefundContradiction,
    /// A session in this status.
    Checkout(CheckoutStatus),
    /// The endpoint itself, which a merchant tests.
    Endpoint,
}

const ENDPOINT_ID: &str = "whe_019aa5f0c2007d3e8a1b4c5d6e7f8093";
const WAIT: State = State::Pending(Step::Wait);
const APPROVE: State = State::Pending(Step::ApproveOnPhone);
const REJECTED: State = State::Failed(FailureCode::CustomerRejected);
const NOT_FOUND: State = State::Failed(FailureCode::RecipientNotFound);

/// The sentence that describes an event, and the subject of its example.
const fn describe(event: EventType) -> (&'static str, EventSubject) {
    use EventSubject::{
        Checkout, Contradiction, Endpoint, Refund, RefundContradiction, Reversal, Transaction,
    };
    use EventType as E;
    use Kind::{Charge, Payout};
    match event {
        E::ChargePending => ("A charge has begun.", Transaction(Charge, WAIT)),
        E::ChargeActionRequired => (
            "The payer must approve, or enter a passcode or voucher.",
            Transaction(Charge, APPROVE),
        ),
        E::ChargeSuccessful => {
            ("The payer's money has moved.", Transaction(Charge, State::Successful))
        }
        E::ChargeFailed => {
            ("The payer's money has not moved and will not move.", Transaction(Charge, REJECTED))
        }
        E::ChargeDelayed => {
            ("A charge has been pending for ten minutes. Sent once.", Transaction(Charge, WAIT))
        }
        E::ChargeConflict => (
            "The operator contradicted a final state. The state does not change.",
            Contradiction(Charge),
        ),
        E::PayoutPending => ("A payout has begun.", Transaction(Payout, WAIT)),
        E::PayoutSuccessful => {
            ("The recipient has the money.", Transaction(Payout, State::Successful))
        }
        E::PayoutFailed => (
            "The recipient has not received the money and will not receive it.",
            Transaction(Payout, NOT_FOUND),
        ),
        E::PayoutDelayed => {
            ("A payout has been pending for ten minutes. Sent once.", Transaction(Payout, WAIT))
        }
        E::PayoutReversed => ("The operator returned a successful payout.", Reversal),
        E::PayoutConflict => (
            "The operator contradicted a final state. The state does not change.",
            Contradiction(Payout),
        ),
        E::RefundPending => ("A refund has begun.", Refund(WAIT)),
        E::RefundSuccessful => ("The payer has the money back.", Refund(State::Successful)),
        E::RefundFailed => {
            ("The payer has not received the money and will not receive it.", Refund(NOT_FOUND))
        }
        E::RefundDelayed => ("A refund has been pending for ten minutes. Sent once.", Refund(WAIT)),
        E::RefundConflict => (
            "The operator contradicted a final state. The state does not change.",
            RefundContradiction,
        ),
        E::CheckoutOpened => ("A checkout session was created.", Checkout(CheckoutStatus::Open)),
        E::CheckoutPaid => {
            ("A session is paid, possibly after its expiry.", Checkout(CheckoutStatus::Paid))
        }
        E::CheckoutAttemptFailed => (
            "A charge of an open session has failed. The payer can try again with the same \
             session.",
            Checkout(CheckoutStatus::Open),
        ),
        E::CheckoutExpired => (
            "A session has expired, and no charge of it is pending or successful.",
            Checkout(CheckoutStatus::Expired),
        ),
        E::CheckoutClosed => (
            "The merchant closed a session, and no charge of it is pending or successful.",
            Checkout(CheckoutStatus::Closed),
        ),
        E::Ping => ("A test event, requested with `tua webhook ping`.", Endpoint),
    }
}

/// All events, by their types.
pub(super) fn all() -> Paths {
    EventType::ALL
        .iter()
        .fold(PathsBuilder::new(), |paths, event| paths.path(event.as_str(), item(*event)))
        .build()
}

fn item(event: EventType) -> PathItem {
    let name = event.as_str();
    let (when, subject) = describe(event);
    let schema = body(name, subject);
    let body = RequestBodyBuilder::new()
        .required(Some(Required::True))
        .content("application/json", content(schema, vec![("event", example(name, subject))]))
        .build();
    let taken = ResponseBuilder::new()
        .description("Any 2xx: the event was delivered, and is not sent again.");
    let gone = ResponseBuilder::new()
        .description("The service disables the endpoint, and sends nothing to it any more.");
    let description = format!(
        "{when}\n\nSigned as Standard Webhooks 1.0 specifies. It is sent at least once, so compare \
         `webhook-id`. Without a 2xx response, it is sent again for about three days."
    );
    let operation = OperationBuilder::new()
        .operation_id(Some(format!("on_{}", name.replace('.', "_"))))
        .tag("Webhooks")
        .summary(Some(when))
        .description(Some(description))
        .parameters(Some(signature()))
        .request_body(Some(body))
        .response("2XX", taken.build())
        .response("410", gone.build())
        .securities(Some([]))
        .build();
    PathItem::new(HttpMethod::Post, operation)
}

fn body(name: &'static str, subject: EventSubject) -> RefOr<Schema> {
    let data = match subject {
        EventSubject::Transaction(..) | EventSubject::Contradiction(_) | EventSubject::Reversal => {
            reference::<TransactionView<'static>>()
        }
        EventSubject::Refund(_) | EventSubject::RefundContradiction => {
            reference::<RefundView<'static>>()
        }
        EventSubject::Checkout(_) => reference::<CheckoutView<'static>>(),
        EventSubject::Endpoint => ObjectBuilder::new()
            .schema_type(Type::Object)
            .property("endpointId", string_schema().examples([json!(ENDPOINT_ID)]))
            .required("endpointId")
            .into(),
    };
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .property("type", closed_enum([name]))
        .property("timestamp", reference::<Time>())
        .property("data", data)
        .required("type")
        .required("timestamp")
        .required("data")
        .into()
}

fn example(name: &str, subject: EventSubject) -> Value {
    let data = match subject {
        EventSubject::Transaction(kind, state) => examples::transaction_body(kind, state),
        EventSubject::Contradiction(kind) => examples::conflicting_transaction_body(kind),
        EventSubject::Reversal => examples::reversed_payout_body(),
        EventSubject::Refund(state) => refund_examples::refund(state),
        EventSubject::RefundContradiction => refund_examples::contradicted_refund(),
        EventSubject::Checkout(status) => examples::session_body(status),
        EventSubject::Endpoint => json!({ "endpointId": ENDPOINT_ID }),
    };
    json!({ "type": name, "timestamp": "2026-11-21T10:00:00.000Z", "data": data })
}

fn signature() -> [Parameter; 3] {
    [
        ("webhook-id", "Identifies the event. It is the same for every attempt."),
        ("webhook-timestamp", "The time of this attempt, in seconds since 1970."),
        (
            "webhook-signature",
            "`v1,` and the base64 of HMAC-SHA256. While a secret is being rotated, there are \
             several signatures, separated by spaces.",
        ),
    ]
    .map(|(name, description)| {
        let header = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::True);
        header.description(Some(description)).schema(Some(string_schema())).build()
    })
}
