//! `POST /v1/charge` (interface specification section 4.1).

use super::{
    auth::Authenticated,
    body::JsonBody,
    fields::Fields,
    problem::ApiError,
    values,
    view::{Outcome, TransactionView},
};
use crate::{
    app::App,
    domain::{
        Caller, Checkout, Kind, Transaction,
        payment::{self, Instruction},
    },
};
use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use std::sync::Arc;
use tua_contract::{ErrorCode, State as Standing, Step};

/// Begins a collection from a payer's wallet.
pub(super) async fn create_charge(
    State(app): State<Arc<App>>,
    caller: Authenticated,
    body: JsonBody,
) -> Result<Response, ApiError> {
    let caller = caller.0;
    let fields = Fields::new(body.members()?);
    let instruction = match &caller {
        Caller::Key(_) => merchants_charge(fields)?,
        Caller::Token(checkout) => payers_charge(fields, checkout)?,
    };
    let transaction = payment::begin(&app, &caller, instruction).await?;
    Ok(accepted(&transaction, &caller))
}

/// The 202 of a charge or payout.
pub(super) fn accepted(transaction: &Transaction, caller: &Caller) -> Response {
    let message = initiation(transaction);
    let view = Outcome { message, transaction: TransactionView::new(transaction, caller) };
    (StatusCode::ACCEPTED, Json(view)).into_response()
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
    let ((amount, phone), network) = required.ok_or_else(super::problem::internal)?;
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
    let (phone, network) = required.ok_or_else(super::problem::internal)?;
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
