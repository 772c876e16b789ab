//! `POST /v1/charge` (interface specification section 4.1).

use super::{
    auth::Authenticated,
    body::JsonBody,
    fields::Fields,
    idempotent,
    problem::{ApiError, internal},
    values,
    view::{Outcome, TransactionView},
};
use crate::{
    app::App,
    domain::{
        Caller, Checkout, Kind, Transaction, TransactionId,
        idempotency::{Answer, Attempt, Fingerprint, Route},
        payment::{self, Instruction},
    },
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use std::sync::Arc;
use tua_contract::{ErrorCode, State as Standing, Step};

/// Begins a collection from a payer's wallet.
pub(super) async fn create_charge(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, ApiError> {
    idempotent::check_key(&headers)?;
    let caller = caller.0;
    let fields = Fields::new(body.members()?);
    let instruction = match &caller {
        Caller::Key(_) => merchants_charge(fields)?,
        Caller::Token(checkout) => payers_charge(fields, checkout)?,
    };
    let attempt = idempotent::attempt(
        &app,
        &headers,
        &caller,
        Route::Charge,
        Fingerprint::of_payment(&app.server_key, &instruction),
    );
    begin(app, caller, instruction, attempt).await
}

/// Begins a charge or payout once, and answers with 202.
pub(super) async fn begin(
    app: Arc<App>,
    caller: Caller,
    instruction: Instruction,
    attempt: Option<Attempt>,
) -> Result<Response, ApiError> {
    let work = {
        let (app, caller, attempt) = (app.clone(), caller.clone(), attempt.clone());
        async move {
            let transaction = payment::begin(&app, &caller, instruction, attempt).await?;
            accepted(&transaction, &caller)
        }
    };
    let revive = async |id: String| {
        let transaction = app.store.transaction(&TransactionId::new(id)).await?.ok_or_else(internal)?;
        accepted(&transaction, &caller)
    };
    Ok(idempotent::run(&app, attempt, work, revive).await?.into_response())
}

fn accepted(transaction: &Transaction, caller: &Caller) -> Result<Answer, ApiError> {
    let message = initiation(transaction);
    let view = Outcome { message, transaction: TransactionView::new(transaction, caller) };
    idempotent::answer(StatusCode::ACCEPTED, &view)
}

fn merchants_charge(mut fields: Fields<'_>) -> Result<Instruction, ApiError> {
    let amount = fields.required("amount", values::amount);
    let phone = fields.required("phoneNumber", values::phone);
    let network = fields.required("network", values::network);
    fields.currency();
    let reference = fields.optional("reference", values::reference);
    let payer_message = fields.optional("payerMessage", values::note);
    let payee_note = fields.optional("payeeNote", values::note);
    let required = amount.zip(phone).zip(network);
    fields.finish()?;
    let ((amount, phone), network) = required.ok_or_else(internal)?;
    Ok(Instruction {
        kind: Kind::Charge,
        amount,
        network,
        phone,
        reference,
        email: None,
        metadata: None,
        payer_message,
        payee_note,
    })
}

/// A payer chooses number and network, and nothing else.
fn payers_charge(mut fields: Fields<'_>, checkout: &Checkout) -> Result<Instruction, ApiError> {
    let phone = fields.required("phoneNumber", values::phone);
    let network = fields.required("network", values::network);
    fields.currency();
    if fields.optional("amount", values::amount).is_some_and(|amount| amount != checkout.amount) {
        let detail = format!("The amount of this checkout is {}.", checkout.amount);
        fields.fault("amount", (ErrorCode::AmountMismatch, detail.into()));
    }
    fields.forbid(
        &["reference", "payerMessage", "payeeNote", "email", "metadata"],
        "A checkout token does not set this field; the checkout does.",
    );
    let required = phone.zip(network);
    fields.finish()?;
    let (phone, network) = required.ok_or_else(internal)?;
    Ok(Instruction {
        kind: Kind::Charge,
        amount: checkout.amount,
        network,
        phone,
        reference: None,
        email: None,
        metadata: None,
        payer_message: None,
        payee_note: None,
    })
}

const fn initiation(transaction: &Transaction) -> &'static str {
    match (transaction.state, transaction.begun.kind) {
        (Standing::Pending(Step::ApproveOnPhone), _) => "Started. The payer approves it on the phone.",
        (Standing::Pending(Step::EnterOtp), _) => "Started. The payer enters the passcode that was sent.",
        (Standing::Pending(Step::EnterVoucher), _) => "Started. The payer makes a voucher on the phone and enters it.",
        (Standing::Pending(Step::Wait), Kind::Charge) => "Started. The outcome is not known yet.",
        (Standing::Pending(Step::Wait), Kind::Payout) => "Accepted. The outcome is not known yet.",
        (Standing::Successful, _) => "Done. The money has moved.",
        (Standing::Failed(_), _) => "Not done. No money moved; see failure.",
    }
}
