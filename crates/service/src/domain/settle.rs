//! Turns what operators say into what a transaction is.

use super::{
    NewTransaction, Transaction, TransactionId,
    idempotency::Answering,
    payment::Begun,
    ports::{Answer, Observed, Order, OutcomeLabel, StoreError},
    verification,
};
use crate::app::App;
use futures_util::FutureExt;
use jiff::SignedDuration;
use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Instant};
use tracing::{error, info, warn};
use tua_contract::{Step, lifecycle::Observation};

/// How long an operator is waited for. What it has not said by then, it may still say later.
pub const PATIENCE: SignedDuration = SignedDuration::from_secs(30);

/// What an operator answers about a transaction, or `unanswered` where it takes too long, or its connector panics.
pub(super) async fn with_operator_timeout<T: OutcomeLabel>(
    app: &App,
    begun: &NewTransaction,
    answer: impl Future<Output = T>,
    unanswered: T,
) -> T {
    let called = Instant::now();
    let (answer, outcome) = tokio::select! {
        answer = AssertUnwindSafe(answer).catch_unwind() => match answer {
            Ok(answer) => {
                let outcome = answer.outcome();
                (answer, outcome)
            }
            Err(_) => {
                error!(transaction = %begun.id, "the operator's connector panicked; nothing was learned from it");
                (unanswered, "panicked")
            }
        },
        () = app.clock.sleep_until(app.clock.now() + PATIENCE) => (unanswered, "timed_out"),
    };
    app.metrics.operator_called(begun, T::OPERATION, outcome, called.elapsed());
    answer
}

/// Sends a transaction to its operator and records the first answer. Returns the transaction as it
/// then stands; nothing where the answer could not be had or kept, and the worker asks later.
///
/// Safe to repeat where the operator refuses a reference twice; nothing else calls it again.
pub async fn send(app: Arc<App>, transaction: Transaction, answering: Option<Answering>) -> Option<Begun> {
    let id = &transaction.begun.id;
    let Some(operator) = app.operators.serving(transaction.begun.scope.mode, transaction.begun.network) else {
        warn!(transaction = %id, "no operator serves this network any more; it stays pending");
        return None;
    };
    let order = match order(&app, &transaction).await {
        Ok(order) => order,
        Err(error) => {
            error!(transaction = %id, %error, "could not be prepared for the operator; the worker asks later");
            return None;
        }
    };
    let observation =
        with_operator_timeout(&app, &transaction.begun, operator.send(&order), Observation::Ambiguous).await;
    kept(&transaction, record_and_answer(&app, &transaction, observation, answering).await)
}

/// Asks the operator about a transaction, by reference.
pub async fn ask(app: Arc<App>, transaction: Transaction) {
    let Some(operator) = app.operators.serving(transaction.begun.scope.mode, transaction.begun.network) else {
        return;
    };
    let reference = transaction.begun.id.operator_reference();
    let answer = operator.ask(&reference);
    match with_operator_timeout(&app, &transaction.begun, answer, Answer::Unanswered).await {
        Answer::Known(observation) => {
            let settled = match observation {
                // It could not be cancelled then, or a crash came between the last wrong code and its consequence.
                Observation::Awaits(Step::EnterOtp | Step::EnterVoucher) if transaction.has_no_code_left() => {
                    verification::exhaust(&app, &transaction).await
                }
                _ => record(&app, &transaction, observation).await,
            };
            drop(kept(&transaction, settled));
        }
        // The crash came between the promise and the call: keep the promise, under the same reference.
        Answer::NeverReceived if operator.refuses_repeats() => drop(send(app.clone(), transaction, None).await),
        Answer::NeverReceived | Answer::Unanswered => {}
    }
}

fn kept<T>(transaction: &Transaction, stored: Result<T, StoreError>) -> Option<T> {
    // Still on disk as pending and due to be asked about, so nothing is lost.
    let id = &transaction.begun.id;
    stored.inspect_err(|error| error!(transaction = %id, %error, "an operator's answer could not be stored")).ok()
}

/// Records an observation made about `asked`, and wakes who waits for a change.
///
/// Returns the transaction as it now stands.
///
/// # Errors
/// The store's own.
pub async fn record(app: &App, asked: &Transaction, observation: Observation) -> Result<Transaction, StoreError> {
    record_and_answer(app, asked, observation, None).await.map(|recorded| recorded.transaction)
}

/// As [`record`], with the answer to whoever began the payment, in the same write: unless something else has
/// happened to the transaction since, it is known before what the observation makes of it.
async fn record_and_answer(
    app: &App,
    asked: &Transaction,
    observation: Observation,
    answering: Option<Answering>,
) -> Result<Begun, StoreError> {
    let (id, now) = (&asked.begun.id, app.clock.now());
    let reply = answering.and_then(|answering| answering.reply(&asked.after(observation, now)?.1));
    let Observed { transaction, before, is_answered } =
        app.store.observe(asked, observation, reply.clone(), now).await?;
    if let Some(before) = before {
        app.metrics.transaction_changed(&transaction, before);
        info!(
            transaction = %id,
            status = transaction.state.status().as_str(),
            next_action = transaction.state.next_action(),
            phone = transaction.begun.phone.last_three(),
            "transaction moved"
        );
        if transaction.conflict.is_some() {
            warn!(transaction = %id, "an operator contradicts a final state; the state stands");
        }
        app.changes.notify(id);
    }
    Ok(Begun { transaction, answer: reply.filter(|_| is_answered).map(|reply| reply.answer) })
}

async fn order(app: &App, transaction: &Transaction) -> Result<Order, StoreError> {
    let begun = &transaction.begun;
    let merchant = app.store.account(&begun.scope.account).await?.map(|account| account.name).unwrap_or_default();
    Ok(Order {
        reference: begun.id.operator_reference(),
        kind: begun.kind,
        network: begun.network,
        phone: begun.phone.clone(),
        amount: begun.amount,
        merchant,
        message: begun.payer_message.clone(),
    })
}

/// An operator has news about a reference. Only a hint: the operator is asked, and its answer counts.
pub async fn check_now(app: Arc<App>, operator_reference: String) {
    let found = match TransactionId::of_operator_reference(&operator_reference) {
        Some(id) => app.store.transaction(&id).await,
        None => Ok(None),
    };
    match found {
        Ok(Some(transaction)) => ask(app, transaction).await,
        Ok(None) => warn!("a callback names a reference that is not ours"),
        Err(error) => error!(%error, "a callback could not be looked up; the worker asks later"),
    }
}

/// Reads a transaction that must exist.
pub(super) async fn reload(app: &App, id: &TransactionId) -> Result<Transaction, StoreError> {
    app.store.transaction(id).await?.ok_or_else(|| StoreError::failed("a transaction has vanished"))
}
