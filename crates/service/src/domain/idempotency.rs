//! Requests that may be sent again without harm (docs/reference/idempotency.md; the IETF draft
//! draft-ietf-httpapi-idempotency-key-header-07).

use super::{Caller, Transaction, payment::Instruction, secret::ServerKey, string_enum::string_enum};
use jiff::SignedDuration;
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How long a key is remembered.
pub const MEMORY: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How long a first attempt counts as still running, at the most; longer than any operator is waited for.
pub const RUNNING: SignedDuration = SignedDuration::from_secs(60);

string_enum! {
    /// The routes that take a key, each with keys of its own.
    pub enum Route {
        /// `POST /charge`.
        Charge = "charge",
        /// `POST /payout`.
        Payout = "payout",
        /// `POST /checkout`.
        Checkout = "checkout",
        /// `POST /submit-otp`.
        SubmitOtp = "submit-otp",
    }
}

/// A request that carries an idempotency key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Whose key, on which route.
    pub scope: String,
    /// The caller's key.
    pub key: String,
    /// What was asked for, parsed.
    pub fingerprint: Fingerprint,
    /// Which process attends to it.
    pub instance: String,
}

impl Attempt {
    /// The keys of an account's mode are its own on each route; a token's are its session's.
    #[must_use]
    pub fn new(caller: &Caller, route: Route, key: String, fingerprint: Fingerprint, instance: &str) -> Self {
        let holder = match caller {
            Caller::Key(key) => format!("{}/{}", key.scope.account, key.scope.mode.as_str()),
            Caller::Token(checkout) => checkout.id.as_str().to_owned(),
        };
        let scope = format!("{holder}/{}", route.as_str());
        Self { scope, key, fingerprint, instance: instance.to_owned() }
    }

    /// Where it stands among others.
    #[must_use]
    pub fn place(&self) -> (&str, &str) {
        (&self.scope, &self.key)
    }

    /// What no two attempts share, whatever they ask for.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.scope, self.key)
    }
}

/// What is remembered of an attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdempotencyRecord {
    /// What was asked for then.
    pub fingerprint: Fingerprint,
    /// The transaction or session that came of it.
    pub subject: String,
    /// What was answered; nothing where that is still to come, or a crash came before.
    pub answer: Option<Answer>,
    /// Which process began it.
    pub instance: String,
    /// Whether that process may still be attending to it; of this one, [`InFlight`] knows.
    pub running: bool,
}

/// The attempts that this process is attending to: one that ended without an answer that could be kept,
/// because the store failed or something panicked, is not waited for.
#[derive(Clone, Debug, Default)]
pub struct InFlight(Arc<Mutex<HashMap<Name, usize>>>);

/// An attempt's scope and key.
type Name = (String, String);

/// Until it is dropped, an attempt is attended to.
#[derive(Debug)]
pub struct InFlightGuard(InFlight, Name);

impl InFlight {
    /// Attends to an attempt. Repetitions may race, so one attempt may be attended to several times.
    #[must_use]
    pub fn begin(&self, attempt: &Attempt) -> InFlightGuard {
        let name = (attempt.scope.clone(), attempt.key.clone());
        *self.lock().entry(name.clone()).or_default() += 1;
        InFlightGuard(self.clone(), name)
    }

    /// Whether anybody attends to it.
    #[must_use]
    pub fn is_in_flight(&self, attempt: &Attempt) -> bool {
        self.lock().contains_key(&(attempt.scope.clone(), attempt.key.clone()))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Name, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut attempts = self.0.lock();
        if let Some(many) = attempts.get_mut(&self.1) {
            *many -= 1;
            if *many == 0 {
                attempts.remove(&self.1);
            }
        }
    }
}

/// An answer to give again, byte for byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Its HTTP status.
    pub status: u16,
    /// Its JSON.
    pub body: String,
}

/// An answer, and the attempt that it is kept for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// What was attempted.
    pub attempt: Attempt,
    /// What it is answered.
    pub answer: Answer,
}

/// What shows a transaction.
pub type AnswerOf = dyn Fn(&Transaction) -> Option<Answer> + Send + Sync;

/// How an attempt is answered, from what came of it.
#[derive(Clone)]
pub struct Answering {
    /// What was attempted.
    pub attempt: Attempt,
    /// Its answer, while the transaction stands so.
    pub answer: Arc<AnswerOf>,
}

impl Answering {
    /// The answer while the transaction stands so.
    #[must_use]
    pub fn reply(&self, transaction: &Transaction) -> Option<Reply> {
        (self.answer)(transaction).map(|answer| Reply { attempt: self.attempt.clone(), answer })
    }
}

impl fmt::Debug for Answering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answering").field("attempt", &self.attempt).finish_non_exhaustive()
    }
}

/// A parsed request, taken before anything is generated for it.
///
/// Keyed with the server key (HMAC-SHA256), since a passcode could be guessed from a plain digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// Of the fields that were sent, in an order of ours. Each is preceded by its length, so
    /// that no two lists of fields run into the same bytes.
    #[must_use]
    pub fn of(key: &ServerKey, fields: &[Option<&str>]) -> Self {
        let mut message = Vec::new();
        for field in fields {
            let (present, text) = field.map_or((0, ""), |text| (1, text));
            message.push(present);
            message.extend((text.len() as u64).to_be_bytes());
            message.extend(text.as_bytes());
        }
        Self(key.authenticate(&message))
    }

    /// Of a charge or payout.
    #[must_use]
    pub fn of_payment(key: &ServerKey, instruction: &Instruction) -> Self {
        Self::of(
            key,
            &[
                Some(&instruction.amount.to_string()),
                Some(instruction.network.as_str()),
                Some(instruction.phone.as_str()),
                instruction.reference.as_deref(),
                instruction.email.as_deref(),
                instruction.metadata.as_deref().map(canonical).as_deref(),
                instruction.payer_message.as_deref(),
                instruction.payee_note.as_deref(),
            ],
        )
    }
}

/// JSON without the order of its members and its white space; as it is where it cannot be read so.
#[must_use]
pub fn canonical(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json).map_or_else(|_| json.to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_run_into_each_other() {
        let key = ServerKey::parse(&"A".repeat(43)).unwrap();
        let of = |fields: &[Option<&str>]| Fingerprint::of(&key, fields);
        assert_ne!(of(&[Some("ab"), Some("c")]), of(&[Some("a"), Some("bc")]));
        assert_ne!(of(&[None, Some("a")]), of(&[Some("a"), None]));
        assert_ne!(of(&[None]), of(&[Some("")]));
    }

    #[test]
    fn metadata_is_compared_by_what_it_says() {
        assert_eq!(canonical(r#"{"b": 1.50, "a": [1, 2]}"#), canonical(r#"{"a":[1,2],"b":1.5}"#));
        assert_ne!(canonical(r#"{"a":[1,2]}"#), canonical(r#"{"a":[2,1]}"#));
        // Found by `cargo xtask fuzz --target body`.
        let once = canonical(r#"{"a":922222222222222222222222.2222222222222222222222222}"#);
        assert_eq!(canonical(&once), once);
    }
}
