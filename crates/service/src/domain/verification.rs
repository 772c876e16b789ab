//! Passcodes and vouchers: five wrong ones at the most.

use super::{
    Caller, Transaction, TransactionId,
    idempotency::Attempt,
    ports::{Cancelled, CodeAnswer, CountError, StoreError},
    settle,
};
use crate::app::App;
use std::sync::Arc;
use tracing::Instrument;
use tua_contract::{Code, FailureCode, State, lifecycle::Observation};

/// What became of a submitted code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The operator took it.
    Accepted,
    /// The operator refused it; more attempts are left.
    Wrong,
    /// The operator refused it, and it was the last attempt.
    Exhausted,
    /// Whether the operator took it is not known yet.
    Unknown,
}

/// Submits a code for a transaction.
///
/// Runs in a task of its own, so that a counted attempt reaches the operator even where the
/// payer's connection breaks.
///
/// # Errors
/// [`CountError`]; then no attempt was used up.
pub async fn submit(
    app: &Arc<App>,
    caller: &Caller,
    id: &TransactionId,
    code: Code,
    attempt: Option<Attempt>,
) -> Result<(Transaction, Verdict), CountError> {
    let session = match caller {
        Caller::Key(_) => None,
        Caller::Token(checkout) => Some(&checkout.id),
    };
    let guess = app.payment_limits.code(session, id);
    let counted = app.store.count_code_attempt(id, attempt, guess, app.clock.now()).await?;
    app.changes.notify(id);
    let task = app.tasks.spawn(verify(app.clone(), counted, code).in_current_span());
    let verified = task.await.map_err(|_| StoreError::failed("a verification was cut off"))?;
    Ok(verified?)
}

async fn verify(app: Arc<App>, counted: Transaction, code: Code) -> Result<(Transaction, Verdict), StoreError> {
    let begun = &counted.begun;
    let Some(operator) = app.operators.serving(begun.scope.mode, begun.network) else {
        let unknown = settle::record(&app, &counted, Observation::Ambiguous).await?;
        return Ok((unknown, Verdict::Unknown));
    };
    let reference = begun.id.operator_reference();
    let answer = operator.submit_code(&reference, &code);
    match settle::with_operator_timeout(&app, begun, answer, CodeAnswer::Unanswered).await {
        CodeAnswer::Accepted(observation) => {
            Ok((settle::record(&app, &counted, observation).await?, Verdict::Accepted))
        }
        CodeAnswer::Unanswered => Ok((settle::record(&app, &counted, Observation::Ambiguous).await?, Verdict::Unknown)),
        CodeAnswer::Wrong if counted.code_attempts_left() == Some(0) => {
            let ended = exhaust(&app, &counted).await?;
            let verdict = match ended.state {
                State::Failed(_) => Verdict::Exhausted,
                State::Pending(_) | State::Successful => Verdict::Unknown,
            };
            Ok((ended, verdict))
        }
        CodeAnswer::Wrong => Ok((settle::reload(&app, &begun.id).await?, Verdict::Wrong)),
    }
}

/// Ends a transaction whose attempts are used up: failed only once the operator can no longer
/// take money for it, and else waiting for the operator's word.
pub(super) async fn exhaust(app: &App, transaction: &Transaction) -> Result<Transaction, StoreError> {
    let begun = &transaction.begun;
    let cancelled = match app.operators.serving(begun.scope.mode, begun.network) {
        Some(operator) => {
            let reference = begun.id.operator_reference();
            let answer = operator.cancel(&reference);
            settle::with_operator_timeout(app, begun, answer, Cancelled::No).await
        }
        None => Cancelled::No,
    };
    let observation = match cancelled {
        Cancelled::Yes => Observation::Failed(FailureCode::OtpAttemptsExhausted),
        Cancelled::No => Observation::Ambiguous,
    };
    settle::record(app, transaction, observation).await
}
