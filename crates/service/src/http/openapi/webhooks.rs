//! What is sent to a merchant's endpoint (contract section 8), one entry for each type of event.

use super::{
    examples,
    route::{content, reference},
    schemas::{self, one_of, text},
};
use crate::{domain::Kind, http::view::TransactionView};
use serde_json::{Value, json};
use tua_contract::{FailureCode, State, Step};
use utoipa::{
    ToSchema,
    openapi::{
        HttpMethod, ObjectBuilder, PathItem, Paths, PathsBuilder, RefOr, Required, ResponseBuilder, Schema, Type,
        path::{OperationBuilder, Parameter, ParameterBuilder, ParameterIn},
        request_body::RequestBodyBuilder,
    },
};

/// What an event is about, which its `data` shows.
#[derive(Clone, Copy, Debug)]
enum About {
    /// A transaction, in a state that the event may leave it in.
    Transaction(Kind, State),
    /// A transaction that succeeded, and that the operator then said had failed.
    Contradiction(Kind),
    /// A session.
    Checkout(&'static str),
    /// The endpoint itself, which a merchant tries.
    Endpoint,
}

const ENDPOINT_ID: &str = "whe_019aa5f0c2007d3e8a1b4c5d6e7f8093";
const CHARGE: fn(State) -> About = |state| About::Transaction(Kind::Charge, state);
const PAYOUT: fn(State) -> About = |state| About::Transaction(Kind::Payout, state);
const WAIT: State = State::Pending(Step::Wait);

/// Every type of event, when it is sent, and what it is about.
fn events() -> [(&'static str, &'static str, About); 16] {
    [
        ("charge.pending", "A charge has begun.", CHARGE(WAIT)),
        (
            "charge.action_required",
            "The payer is to do something: approve, or enter a passcode or voucher.",
            CHARGE(State::Pending(Step::ApproveOnPhone)),
        ),
        ("charge.successful", "The payer's money has moved.", CHARGE(State::Successful)),
        ("charge.failed", "It has not, and will not.", CHARGE(State::Failed(FailureCode::CustomerRejected))),
        ("charge.delayed", "A charge has been pending for ten minutes. Sent once.", CHARGE(WAIT)),
        (
            "charge.conflict",
            "The operator contradicted a final state, which stands.",
            About::Contradiction(Kind::Charge),
        ),
        ("payout.pending", "A payout has begun.", PAYOUT(WAIT)),
        ("payout.successful", "The recipient has the money.", PAYOUT(State::Successful)),
        (
            "payout.failed",
            "The recipient does not, and will not.",
            PAYOUT(State::Failed(FailureCode::RecipientNotFound)),
        ),
        ("payout.delayed", "A payout has been pending for ten minutes. Sent once.", PAYOUT(WAIT)),
        ("payout.reversed", "The operator sent a payout back after it had succeeded.", PAYOUT(State::Successful)),
        (
            "payout.conflict",
            "The operator contradicted a final state, which stands.",
            About::Contradiction(Kind::Payout),
        ),
        ("checkout.opened", "A checkout session was opened.", About::Checkout("OPEN")),
        ("checkout.paid", "A session is paid, maybe after it expired.", About::Checkout("PAID")),
        ("checkout.expired", "A session expired, and no charge of it is pending or paid.", About::Checkout("OPEN")),
        ("ping", "A merchant tries an endpoint.", About::Endpoint),
    ]
}

/// A session as its merchant sees it.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only described by it")]
pub(super) struct Session {
    checkout_id: String,
    /// The merchant's own name for it.
    reference: String,
    amount: schemas::Amount,
    currency: schemas::Currency,
    email: schemas::Email,
    metadata: Option<schemas::Metadata>,
    mode: schemas::LiveOrTest,
    created_at: schemas::Time,
    expires_at: schemas::Time,
    return_url: Option<schemas::ReturnUrl>,
    status: schemas::CheckoutStatus,
    /// How many more charges it may have, of five.
    attempts_left: u32,
    /// Its latest charge.
    #[schema(value_type = Option<TransactionView>)]
    transaction: Option<String>,
}

/// All of them, by their types.
pub(super) fn all() -> Paths {
    events()
        .into_iter()
        .fold(PathsBuilder::new(), |paths, (name, when, about)| paths.path(name, item(name, when, about)))
        .build()
}

fn item(name: &'static str, when: &str, about: About) -> PathItem {
    let schema = body(name, about);
    let body = RequestBodyBuilder::new()
        .required(Some(Required::True))
        .content("application/json", content(schema, vec![("event", example(name, about))]))
        .build();
    let taken = ResponseBuilder::new().description("Any 2xx: it was taken, and is not sent again.");
    let gone = ResponseBuilder::new().description("The endpoint is disabled, and nothing is sent to it any more.");
    let description = format!(
        "{when}\n\nSigned as Standard Webhooks 1.0 says. It comes at least once, so remember `webhook-id`; an answer other than \
         2xx, or none, has it sent again for about three days."
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

fn body(name: &'static str, about: About) -> RefOr<Schema> {
    let data = match about {
        About::Transaction(..) | About::Contradiction(_) => reference::<TransactionView<'static>>(),
        About::Checkout(_) => reference::<Session>(),
        About::Endpoint => ObjectBuilder::new()
            .schema_type(Type::Object)
            .property("endpointId", text().examples([json!(ENDPOINT_ID)]))
            .required("endpointId")
            .into(),
    };
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .property("type", one_of([name]))
        .property("timestamp", reference::<schemas::Time>())
        .property("data", data)
        .required("type")
        .required("timestamp")
        .required("data")
        .into()
}

fn example(name: &str, about: About) -> Value {
    let data = match about {
        About::Transaction(kind, state) => examples::merchants_transaction(kind, state),
        About::Contradiction(kind) => examples::contradicted_transaction(kind),
        About::Checkout(status) => examples::merchants_session(status),
        About::Endpoint => json!({ "endpointId": ENDPOINT_ID }),
    };
    json!({ "type": name, "timestamp": "2026-11-21T10:00:00.000Z", "data": data })
}

fn signature() -> [Parameter; 3] {
    [
        ("webhook-id", "The same for every delivery of one event."),
        ("webhook-timestamp", "When this delivery was signed, in seconds since 1970."),
        (
            "webhook-signature",
            "`v1,` and the base64 HMAC-SHA256; several, parted by blanks, while a secret is rotated.",
        ),
    ]
    .map(|(name, about)| {
        let header = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Header).required(Required::True);
        header.description(Some(about)).schema(Some(text())).build()
    })
}
