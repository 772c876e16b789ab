use super::{verification::StatementVerification, *};
use crate::{Event, transaction::tests::new_order, transfer::OperatorDetails};
use jiff::Timestamp;
use std::sync::Arc;
use tua_contract::{Amount, FailureCode, State, Status};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

/// A charge of GHS 10.50 after these events.
fn charge(events: &[Event]) -> Transaction {
    let mut charge = Transaction::begin(new_order(), true, None, NOW);
    events.iter().for_each(|event| charge.apply_event(event, NOW));
    charge
}

fn paid(fee: Option<i64>) -> Event {
    Event::Moved(State::Successful, OperatorDetails { fee_pesewas: fee, ..OperatorDetails::NONE })
}

fn line(transaction: Option<Transaction>, pesewas: i64, fee: Option<i64>) -> MatchedLine {
    MatchedLine {
        statement: StatementId::mint(),
        line: StatementLine {
            number: 2,
            key: [0; 32],
            at: NOW,
            kind: LineKind::Charge,
            is_reversal: false,
            operator_transaction_id: Some("7".to_owned()),
            network: None,
            referenced: None,
            pesewas,
            fee_pesewas: fee,
        },
        transaction,
        is_repeated: false,
        is_returned: false,
    }
}

#[test]
fn a_line_agrees_only_where_amount_and_fee_are_those_of_a_successful_transaction() {
    let failed = Event::moved(State::Failed(FailureCode::ApprovalTimeout));
    for (transaction, pesewas, fee, outcome) in [
        (Some(charge(&[paid(None)])), 1050, None, Outcome::Matched),
        (Some(charge(&[paid(None)])), 1050, Some(20), Outcome::Matched),
        (Some(charge(&[paid(Some(20))])), 1050, Some(20), Outcome::Matched),
        (Some(charge(&[paid(Some(20))])), 1050, Some(21), Outcome::FeeDiffers),
        (Some(charge(&[paid(None)])), 1049, None, Outcome::AmountDiffers),
        (Some(charge(&[])), 1050, None, Outcome::MissingWithUs),
        (Some(charge(std::slice::from_ref(&failed))), 1050, None, Outcome::MissingWithUs),
        (None, 1050, None, Outcome::MissingWithUs),
        // The operator contradicted the failure with a success, so the money is there.
        (
            Some(charge(&[
                failed,
                Event::Contradicted(Status::Successful, None, OperatorDetails::NONE),
            ])),
            1050,
            None,
            Outcome::Matched,
        ),
    ] {
        let line = line(transaction, pesewas, fee);
        assert_eq!(
            (line.outcome(), line.agrees()),
            (outcome, outcome == Outcome::Matched),
            "{line:?}"
        );
    }
    let sum = Event::SumSettled(Amount::from_pesewas(900).unwrap());
    assert_eq!(line(Some(charge(&[sum, paid(None)])), 900, None).outcome(), Outcome::Matched);
}

#[test]
fn the_fee_that_the_operator_took_is_compared_with_the_tariff() {
    let with_tariff = |tariff, reported, stated| {
        let mut charge = charge(&[paid(reported)]);
        Arc::make_mut(&mut charge.order).price.fee_pesewas = Some(tariff);
        let line = line(Some(charge), 1050, stated);
        let listed = StatementVerification::default().add_line(&line);
        (line.outcome(), listed.map(|one| (one.theirs.unwrap().1, one.ours.unwrap().1)))
    };
    let matched = (Outcome::Matched, None);
    let differs = |real, tariff| (Outcome::FeeDiffers, Some((Some(real), Some(tariff))));
    assert_eq!(with_tariff(20, Some(20), Some(20)), matched);
    assert_eq!(with_tariff(20, None, None), matched, "no real fee is known");
    assert_eq!(with_tariff(20, Some(25), Some(20)), matched, "the statement counts");
    assert_eq!(with_tariff(20, Some(25), Some(25)), differs(25, 20));
    assert_eq!(with_tariff(20, Some(25), None), differs(25, 20));
}

#[test]
fn a_repeated_line_is_a_duplicate_and_a_reversal_agrees_once_the_money_went_back() {
    let repeated =
        MatchedLine { is_repeated: true, ..line(Some(charge(&[paid(None)])), 1050, None) };
    assert_eq!((repeated.outcome(), repeated.agrees()), (Outcome::Duplicate, false));
    let reversal = |transaction| {
        let mut reversal = line(Some(transaction), 1050, None);
        reversal.line.is_reversal = true;
        (reversal.outcome(), reversal.agrees())
    };
    assert_eq!(reversal(charge(&[paid(None)])), (Outcome::Reversed, false));
    let went_back = [
        paid(None),
        Event::Contradicted(Status::Failed, None, OperatorDetails::NONE),
        Event::CaseDecided(Status::Failed),
    ];
    assert_eq!(reversal(charge(&went_back)), (Outcome::Reversed, true));
    // The line of the payment itself agrees, once the statement has the reversal too.
    let paid = |is_returned, pesewas| {
        MatchedLine { is_returned, ..line(Some(charge(&went_back)), pesewas, None) }.outcome()
    };
    assert_eq!(paid(true, 1050), Outcome::Matched);
    assert_eq!(paid(true, 1049), Outcome::AmountDiffers);
    assert_eq!(paid(false, 1050), Outcome::MissingWithUs);
    let failed = charge(&[Event::moved(State::Failed(FailureCode::ApprovalTimeout))]);
    let failed = MatchedLine { is_returned: true, ..line(Some(failed), 1050, None) };
    assert_eq!(failed.outcome(), Outcome::MissingWithUs);
}
