//! What charges and payouts have in common: how one is begun.

use super::{
    idempotent::{self, Made},
    problem::ApiError,
    refusals::internal,
    view::{Outcome, TransactionView},
};
use crate::{
    app::App,
    domain::{
        Caller, Kind, Transaction, TransactionId,
        idempotency::{Answer, Answering, Attempt, Fingerprint, Route},
        payment::{self, Instruction},
    },
};
use axum::{
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use std::sync::Arc;
use tua_contract::{State, Step};

/// Begins a charge or payout once, and answers with 202.
pub(super) async fn payment(
    app: Arc<App>,
    headers: &HeaderMap,
    caller: Caller,
    route: Route,
    instruction: Instruction,
) -> Result<Response, ApiError> {
    let fingerprint = Fingerprint::of_payment(&app.server_key, &instruction);
    let attempt = idempotent::attempt(&app, headers, &caller, route, fingerprint);
    let work = {
        let (app, caller) = (app.clone(), caller.clone());
        let answering = attempt.clone().map(|attempt| answering(attempt, caller.clone()));
        async move {
            let begun = payment::begin(&app, &caller, instruction, answering).await?;
            match begun.answer {
                Some(answer) => Ok(Made::Kept(answer)),
                None => accepted(&begun.transaction, &caller).map(Made::New),
            }
        }
    };
    let revive = async |id: String| {
        let transaction = app.store.transaction(&TransactionId::new(id)).await?.ok_or_else(internal)?;
        accepted(&transaction, &caller)
    };
    Ok(idempotent::run(&app, attempt, work, revive).await?.into_response())
}

fn answering(attempt: Attempt, caller: Caller) -> Answering {
    Answering { attempt, answer: Arc::new(move |transaction| accepted(transaction, &caller).ok()) }
}

fn accepted(transaction: &Transaction, caller: &Caller) -> Result<Answer, ApiError> {
    let message = initiation(transaction);
    let view = Outcome { message, transaction: TransactionView::new(transaction, caller) };
    idempotent::answer(StatusCode::ACCEPTED, &view)
}

const fn initiation(transaction: &Transaction) -> &'static str {
    match (transaction.state, transaction.begun.kind) {
        (State::Pending(Step::ApproveOnPhone), _) => "Started. The payer must approve it on the phone.",
        (State::Pending(Step::EnterOtp), _) => "Started. The payer must enter the passcode that the operator sent.",
        (State::Pending(Step::EnterVoucher), _) => {
            "Started. The payer must create a voucher on the phone and enter it."
        }
        (State::Pending(Step::Wait), Kind::Charge) => "Started. The outcome is not known yet.",
        (State::Pending(Step::Wait), Kind::Payout) => "Accepted. The outcome is not known yet.",
        (State::Successful, _) => "Successful. The money has moved.",
        (State::Failed(_), _) => "Failed. No money moved. The member failure shows the reason.",
    }
}
