//! Checkout sessions, in which a payer pays once.

use super::{CheckoutId, KeyId, LinkId, Scope, Transaction, branding::Branding, string_enum};
use jiff::{SignedDuration, Timestamp};
use tua_contract::{Amount, State, Status};

/// How long a token lives (docs/reference/values.md).
pub const LIFETIME: SignedDuration = SignedDuration::from_mins(30);

/// How many charges a session may have (docs/reference/endpoints.md).
pub const MAX_ATTEMPTS: u32 = 5;

string_enum! {
    /// The status of a session, as secret keys and webhooks see it (docs/reference/lifecycle.md).
    pub enum CheckoutStatus {
        /// It can be paid.
        Open = "OPEN",
        /// A charge is not decided yet.
        Pending = "PENDING",
        /// The payer's money has moved.
        Paid = "PAID",
        /// Its time is over, and it was not paid.
        Expired = "EXPIRED",
        /// The merchant closed it, and it was not paid.
        Closed = "CLOSED",
    }
}

/// A checkout session: an amount that one payer may pay until its token expires.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkout {
    /// `chk_…`, minted when the session is opened.
    pub id: CheckoutId,
    /// The account and mode that it belongs to.
    pub scope: Scope,
    /// The merchant's name, as payers read it.
    pub merchant: String,
    /// How the merchant's pages look.
    pub branding: Branding,
    /// The random seed of its token.
    pub seed: [u8; 16],
    /// The merchant's reference, or that of the payment link; its charges have the same one.
    pub reference: String,
    /// What the merchant asks for.
    pub terms: CheckoutTerms,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its token expires.
    pub expires_at: Timestamp,
    /// When it was closed, or will be, because its payment link ends then. From then on it takes no
    /// new charge, but one that is pending goes on.
    pub closed_at: Option<Timestamp>,
    /// The key that created it; none if a payment link did.
    pub created_by: Option<KeyId>,
    /// The payment link that opened it.
    pub link: Option<LinkId>,
    /// How far the sandbox clock of the account was ahead when the other times were read.
    pub sandbox_ahead: SignedDuration,
}

impl Checkout {
    /// Whether the token has expired: from exactly `expires_at` on.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        now >= self.expires_at
    }

    /// Whether it is closed.
    #[must_use]
    pub fn is_closed(&self, now: Timestamp) -> bool {
        self.closed_at.is_some_and(|at| at <= now)
    }

    /// When its end is due: its expiry, or its closing, if that comes first.
    #[must_use]
    pub fn ends_at(&self) -> Timestamp {
        self.closed_at.map_or(self.expires_at, |at| at.min(self.expires_at))
    }

    /// Its status, with these charges.
    #[must_use]
    pub fn status(&self, summary: &CheckoutSummary, now: Timestamp) -> CheckoutStatus {
        match summary.status() {
            CheckoutStatus::Open if self.is_closed(now) => CheckoutStatus::Closed,
            CheckoutStatus::Open if self.is_expired(now) => CheckoutStatus::Expired,
            status => status,
        }
    }

    /// What its token is refused with, where it has ended: from its expiry on, or once it was
    /// closed and no charge of it is pending or paid.
    #[must_use]
    pub fn ended(&self, summary: &CheckoutSummary, now: Timestamp) -> Option<EndedCheckout> {
        let ended = EndedCheckout::new(summary, self.is_closed(now), &self.reference);
        (self.is_expired(now) || ended.status == CheckoutStatus::Closed).then_some(ended)
    }
}

/// Until when a session takes charges, as its row stands inside the database transaction that
/// begins one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChargeWindow {
    /// When its token expires.
    pub expires_at: Timestamp,
    /// Whether its end is decided: `checkout.expired` or `checkout.closed` was sent, or it was
    /// paid. The clock of the node that begins a charge may be behind that of the node that
    /// decided.
    pub is_decided: bool,
    /// From when on it is closed.
    pub closed_at: Option<Timestamp>,
}

impl ChargeWindow {
    /// Whether no charge can begin any more.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.is_decided || now >= self.expires_at
    }

    /// Whether it is closed.
    #[must_use]
    pub fn is_closed(&self, now: Timestamp) -> bool {
        self.closed_at.is_some_and(|at| at <= now)
    }
}

/// What the response to an expired token shows of its session (docs/reference/credentials.md).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndedCheckout {
    /// `OPEN` where it expired unpaid, else `PENDING`, `PAID` or `CLOSED`.
    pub status: CheckoutStatus,
    /// The merchant's reference of the session.
    pub reference: String,
}

impl EndedCheckout {
    /// A session with these charges.
    #[must_use]
    pub fn new(summary: &CheckoutSummary, is_closed: bool, reference: &str) -> Self {
        let status = match summary.status() {
            CheckoutStatus::Open if is_closed => CheckoutStatus::Closed,
            status => status,
        };
        Self { status, reference: reference.to_owned() }
    }
}

/// A parsed request for a session.
#[derive(Clone, Debug)]
pub struct NewCheckout {
    /// The merchant's reference; generated where there is none.
    pub reference: Option<String>,
    /// What the merchant asks for.
    pub terms: CheckoutTerms,
}

/// What a merchant asks a payer for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckoutTerms {
    /// The amount to pay.
    pub amount: Amount,
    /// The payer's e-mail address; none where the payer of a payment link gave none.
    pub email: Option<String>,
    /// The merchant's JSON object, as text.
    pub metadata: Option<String>,
    /// What the payer answered to the question of a payment link, at most 100 characters.
    pub answer: Option<String>,
    /// Where the hosted page offers to return to.
    pub return_url: Option<String>,
}

/// What a session's charges amount to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckoutSummary {
    /// How many charges it has had.
    pub attempts: u32,
    /// Whether any of them is paid.
    pub paid: bool,
    /// The charge that brought the money. `None` while nothing is paid, and where reviews found
    /// that the money of no charge has arrived.
    pub paid_charge: Option<Transaction>,
    /// The charge that is not decided, and where there is none the latest one.
    pub latest: Option<Transaction>,
}

impl CheckoutSummary {
    /// What these charges of a session, oldest first, amount to.
    #[must_use]
    pub fn of(mut charges: Vec<Transaction>) -> Self {
        let attempts = charges.len();
        let paid = charges.iter().any(Transaction::is_paid);
        let paid_charge = find_paid_charge(&charges).cloned();
        // Not simply the last: a machine's clock may be set back, and an id made earlier may come
        // later.
        let pending = charges.iter().position(|charge| !charge.state.is_final());
        let latest = pending.or(attempts.checked_sub(1)).map(|at| charges.swap_remove(at));
        Self { attempts: u32::try_from(attempts).unwrap_or(u32::MAX), paid, paid_charge, latest }
    }

    /// How many more charges it may have.
    #[must_use]
    pub const fn attempts_left(&self) -> u32 {
        MAX_ATTEMPTS.saturating_sub(self.attempts)
    }

    /// The status by the charges alone: open, pending or paid.
    #[must_use]
    pub fn status(&self) -> CheckoutStatus {
        let latest = self.latest.as_ref().map(|transaction| transaction.state.status());
        match (self.paid, latest) {
            (true, _) => CheckoutStatus::Paid,
            (false, Some(Status::Pending)) => CheckoutStatus::Pending,
            (false, _) => CheckoutStatus::Open,
        }
    }
}

/// The charge that brought the money of a session. An operator can report a failed one as paid after
/// another one has succeeded. Of several, it is one whose money was not returned, then a successful
/// one, then the first one.
fn find_paid_charge(charges: &[Transaction]) -> Option<&Transaction> {
    let paid = charges.iter().filter(|charge| charge.has_brought_money());
    paid.min_by_key(|charge| (is_returned(charge), charge.state != State::Successful))
}

/// Whether all money of a paid charge is returned by refunds, or on its way back.
fn is_returned(charge: &Transaction) -> bool {
    let asked = charge.order.transfer.amount;
    let received = charge.settled_amount.map_or(asked, |settled| settled.min(asked));
    charge.refunds.counted >= received.pesewas()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transaction::{Conflict, Event, tests::new_order};
    use tua_contract::FailureCode;

    #[test]
    fn a_charge_that_is_not_decided_is_found_wherever_it_stands() {
        let pending = Transaction::begin(new_order(), true, None, Timestamp::UNIX_EPOCH);
        let mut failed = pending.clone();
        failed.apply_event(
            &Event::moved(State::Failed(FailureCode::CustomerRejected)),
            Timestamp::UNIX_EPOCH,
        );
        for charges in [[pending.clone(), failed.clone()], [failed.clone(), pending.clone()]] {
            let standing = CheckoutSummary::of(charges.to_vec());
            assert_eq!(
                (standing.attempts, standing.paid, standing.latest),
                (2, false, Some(pending.clone()))
            );
        }
        assert_eq!(CheckoutSummary::of(vec![failed.clone()]).latest, Some(failed));
        assert_eq!(CheckoutSummary::of(Vec::new()).latest, None);
    }

    /// A charge in this state, with what its operator reported against it and what a review found.
    fn charge(state: State, conflict: Option<(Status, Option<Status>)>) -> Transaction {
        let at = Timestamp::UNIX_EPOCH;
        let conflict = conflict.map(|(observed, decision)| Conflict { observed, at, decision });
        Transaction { state, conflict, ..Transaction::begin(new_order(), true, None, at) }
    }

    #[test]
    fn the_charge_that_paid_is_the_one_whose_money_arrived() {
        const REJECTED: State = State::Failed(FailureCode::CustomerRejected);
        let paid = charge(State::Successful, None);
        let failed = charge(REJECTED, None);
        let paid_late = charge(REJECTED, Some((Status::Successful, None)));
        let found_unpaid = charge(REJECTED, Some((Status::Successful, Some(Status::Failed))));
        let found_paid = charge(REJECTED, Some((Status::Successful, Some(Status::Successful))));
        let doubted = charge(State::Successful, Some((Status::Failed, None)));
        let taken_back = charge(State::Successful, Some((Status::Failed, Some(Status::Failed))));
        let mut returned = paid.clone();
        returned.refunds.counted = paid.order.transfer.amount.pesewas();
        for (charges, expected) in [
            (vec![], None),
            (vec![&failed], None),
            (vec![&failed, &paid], Some(&paid)),
            (vec![&paid_late, &failed], Some(&paid_late)),
            (vec![&paid_late, &paid], Some(&paid)),
            (vec![&paid_late, &returned], Some(&paid_late)),
            (vec![&failed, &returned], Some(&returned)),
            (vec![&found_unpaid, &failed], None),
            (vec![&found_unpaid, &paid_late], Some(&paid_late)),
            (vec![&found_paid, &failed], Some(&found_paid)),
            (vec![&doubted], Some(&doubted)),
            (vec![&taken_back], None),
            (vec![&taken_back, &paid_late], Some(&paid_late)),
        ] {
            let charges: Vec<_> = charges.into_iter().cloned().collect();
            let found = CheckoutSummary::of(charges.clone()).paid_charge;
            assert_eq!(found.as_ref(), expected, "{charges:?}");
        }
    }
}
