//! Charges and payouts: durable first, then the operator.

use super::{
    Caller, Checkout, Kind, NewTransaction, Scope, Transaction, TransactionId,
    idempotency::{Answer, Answering},
    ports::BeginError,
    settle,
};
use crate::app::App;
use jiff::SignedDuration;
use std::sync::Arc;
use tracing::Instrument;
use tua_contract::{Amount, Network, Phone};

/// How long the answer to a charge or payout waits for the operator's first word (docs/reference/lifecycle.md).
const FIRST_ANSWER: SignedDuration = SignedDuration::from_secs(2);

/// What a merchant or payer asks for, parsed.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Which way the money goes.
    pub kind: Kind,
    /// How much.
    pub amount: Amount,
    /// Over which network.
    pub network: Network,
    /// The payer's or recipient's number.
    pub phone: Phone,
    /// The merchant's own name for it; generated where there is none.
    pub reference: Option<String>,
    /// The recipient's address (payouts).
    pub email: Option<String>,
    /// The merchant's JSON object, as text (payouts).
    pub metadata: Option<String>,
    /// As in docs/reference/endpoints.md.
    pub payer_message: Option<String>,
    /// As in docs/reference/endpoints.md.
    pub payee_note: Option<String>,
}

impl Instruction {
    /// What a payer with a token asks for: everything but number and network is the session's.
    #[must_use]
    pub const fn for_checkout(due: Amount, phone: Phone, network: Network) -> Self {
        Self {
            kind: Kind::Charge,
            amount: due,
            network,
            phone,
            reference: None,
            email: None,
            metadata: None,
            payer_message: None,
            payee_note: None,
        }
    }
}

/// A payment that has begun.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Begun {
    /// How it stands.
    pub transaction: Transaction,
    /// What its attempt is answered, where that is kept already.
    pub answer: Option<Answer>,
}

/// Begins a payment and waits shortly for the operator's first answer.
///
/// Returns the transaction as it stands then. From the moment it is on disk, the call to the
/// operator runs in a task of its own and outlives whoever asked for it. Where the attempt can be answered with the
/// operator's first word, that answer is kept together with the word.
///
/// # Errors
/// [`BeginError`]; then nothing was begun.
pub async fn begin(
    app: &Arc<App>,
    caller: &Caller,
    instruction: Instruction,
    answering: Option<Answering>,
) -> Result<Begun, BeginError> {
    let new = prepare(caller, instruction);
    if app.operators.serving(new.scope.mode, new.network).is_none() {
        return Err(BeginError::NetworkUnavailable);
    }
    let now = app.clock.now();
    let first_ask = app.poll_schedule.next(&new.scope, now, 0, now);
    let attempt = answering.as_ref().map(|answering| answering.attempt.clone());
    // Only a charge prompts its payer.
    let prompt = match new.kind {
        Kind::Charge => app.payment_limits.prompt(&new.scope, &new.phone),
        Kind::Payout => None,
    };
    let began = {
        let _permit = app.admission.acquire(now)?;
        app.store.begin(new, first_ask, attempt, prompt, now).await?
    };
    app.changes.notify_outbox();
    app.metrics.transaction_begun(&began);
    let first_answer = app.tasks.spawn(settle::send(app.clone(), began.clone(), answering).in_current_span());
    let answered = tokio::select! {
        answered = first_answer => answered.ok().flatten(),
        () = app.clock.sleep_until(app.clock.now() + FIRST_ANSWER) => None,
    };
    // From here on nothing may fail any more: the payment has begun, and the caller must learn of it.
    Ok(answered.unwrap_or(Begun { transaction: began, answer: None }))
}

fn prepare(caller: &Caller, instruction: Instruction) -> NewTransaction {
    let id = TransactionId::mint();
    match caller {
        Caller::Token(checkout) => for_checkout(id, checkout, instruction),
        Caller::Key(key) => for_merchant(id, key.scope.clone(), instruction),
    }
}

/// A session's charge takes everything but number and network from the session.
fn for_checkout(id: TransactionId, checkout: &Checkout, instruction: Instruction) -> NewTransaction {
    NewTransaction {
        amount: checkout.amount,
        reference: checkout.reference.clone(),
        checkout: Some(checkout.id.clone()),
        email: Some(checkout.email.clone()),
        metadata: checkout.metadata.clone(),
        ..for_merchant(id, checkout.scope.clone(), instruction)
    }
}

fn for_merchant(id: TransactionId, scope: Scope, instruction: Instruction) -> NewTransaction {
    NewTransaction {
        reference: instruction.reference.unwrap_or_else(|| id.as_str().to_owned()),
        id,
        scope,
        kind: instruction.kind,
        amount: instruction.amount,
        network: instruction.network,
        phone: instruction.phone,
        checkout: None,
        email: instruction.email,
        metadata: instruction.metadata,
        payer_message: instruction.payer_message,
        payee_note: instruction.payee_note,
    }
}
