//! Finds charges that may have been paid twice: of the same number and amount, a short time apart
//! (docs/reference/dashboard.md#paid-twice).

use super::{Kind, Transaction, TransactionId, privacy::erased_phone};
use jiff::SignedDuration;
use tua_contract::Status;

/// Two charges of one number and amount within this time are reported.
pub const REPEATED_WITHIN: SignedDuration = SignedDuration::from_hours(24);

/// Another charge of the same number and amount. It is no fault: a customer may buy the same twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepeatedCharge {
    /// The other charge.
    pub other: TransactionId,
    /// How long after the other one this charge was created; negative if it was created before.
    pub after_other: SignedDuration,
}

/// Whether a transaction can be one of two payments of the same: it is a charge whose money has
/// come or may come. The number of erased people is nobody's.
#[must_use]
pub fn may_be_repeated(transaction: &Transaction) -> bool {
    let transfer = &transaction.order.transfer;
    transfer.kind == Kind::Charge
        && transaction.state.status() != Status::Failed
        && transfer.phone != erased_phone()
}

/// The charge that this one repeats: the latest before it, or else the first after it.
#[must_use]
pub fn repeated<'a>(
    charge: &Transaction,
    others: impl IntoIterator<Item = &'a Transaction>,
) -> Option<RepeatedCharge> {
    if !may_be_repeated(charge) {
        return None;
    }
    let same = others.into_iter().filter(|other| is_same(charge, other));
    let repetitions = same.map(|other| RepeatedCharge {
        other: other.order.id.clone(),
        after_other: charge.created_at.duration_since(other.created_at),
    });
    repetitions
        .filter(|one| one.after_other.abs() <= REPEATED_WITHIN)
        .min_by_key(|one| (one.after_other.is_negative(), one.after_other.abs()))
}

fn is_same(charge: &Transaction, other: &Transaction) -> bool {
    let one = &charge.order.transfer;
    let two = &other.order.transfer;
    charge.order.id != other.order.id
        && may_be_repeated(other)
        && charge.order.scope == other.order.scope
        && (&one.phone, one.amount) == (&two.phone, two.amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AccountId, Mode, Scope, TransactionOrder, transaction::tests::new_order};
    use jiff::Timestamp;
    use tua_contract::{Amount, FailureCode, Phone, State};

    const MINUTE: i64 = 60;
    const DAY: i64 = 24 * 60 * MINUTE;

    fn order(id: &str) -> TransactionOrder {
        let scope = Scope { account: AccountId::new("acc_1"), mode: Mode::Test };
        TransactionOrder { id: TransactionId::new(id), scope, ..new_order() }
    }

    fn charge(order: TransactionOrder, at_second: i64) -> Transaction {
        let at = Timestamp::from_second(DAY + at_second).unwrap();
        Transaction { created_at: at, ..Transaction::begin(order, false, None, at) }
    }

    #[test]
    fn the_latest_before_counts_and_else_the_first_after() {
        let all = [
            charge(order("txn_1"), 0),
            charge(order("txn_2"), 3 * MINUTE),
            charge(order("txn_3"), 10 * MINUTE),
        ];
        let found = |index: usize| repeated(&all[index], &all).unwrap();
        let expected = [("txn_2", -3), ("txn_1", 3), ("txn_2", 7)];
        for (index, (other, minutes)) in expected.into_iter().enumerate() {
            assert_eq!(found(index).other.as_str(), other);
            assert_eq!(found(index).after_other, SignedDuration::from_mins(minutes));
        }
        assert_eq!(repeated(&all[0], &all[..1]), None, "a charge does not repeat itself");
    }

    #[test]
    fn another_number_amount_or_outcome_and_a_longer_time_are_no_repetition() {
        let one = charge(order("txn_1"), 0);
        let mut other_phone = order("txn_2");
        other_phone.transfer.phone = Phone::parse("0551234567").unwrap();
        let mut other_amount = order("txn_2");
        other_amount.transfer.amount = Amount::from_pesewas(1).unwrap();
        let mut payout = order("txn_2");
        payout.transfer.kind = Kind::Payout;
        let failed = Transaction {
            state: State::Failed(FailureCode::CustomerRejected),
            ..charge(order("txn_2"), MINUTE)
        };
        for other in [
            charge(other_phone, MINUTE),
            charge(other_amount, MINUTE),
            charge(payout, MINUTE),
            failed,
            charge(order("txn_2"), DAY + 1),
        ] {
            assert_eq!(repeated(&one, [&other]), None, "{other:?}");
            assert_eq!(repeated(&other, [&one]), None, "{other:?}");
        }
        assert!(repeated(&one, [&charge(order("txn_2"), DAY)]).is_some());
    }

    #[test]
    fn the_number_of_erased_people_is_nobodys() {
        let mut erased = order("txn_1");
        erased.transfer.phone = erased_phone();
        let one = charge(erased.clone(), 0);
        let two = charge(TransactionOrder { id: TransactionId::new("txn_2"), ..erased }, MINUTE);
        assert_eq!(repeated(&one, [&two]), None);
    }
}
