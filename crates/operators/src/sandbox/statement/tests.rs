use super::*;
use tua_contract::{Amount, Network, Phone};
use tua_domain::{Transfer, ports::Order};

const SCRIPT: Script = Script { speed: 1.0, phone: true };

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// An order of a payer on MTN, which its phone decides.
fn received(reference: &str, kind: Kind, at: &str) -> Received {
    let transfer = Transfer {
        kind,
        amount: Amount::from_pesewas(1250).unwrap(),
        network: Network::Mtn,
        phone: Phone::parse("0241234567").unwrap(),
    };
    let order = Order {
        reference: reference.to_owned(),
        transfer,
        merchant: "Adom Stores".to_owned(),
        message: None,
        email: None,
    };
    Received::new(order, time(at))
}

fn approved(order: Received, at: &str) -> Received {
    Received { decided: Some((Decision::Approve, time(at))), ..order }
}

fn second_of_march() -> StatementPeriod {
    let day = "2026-03-02".parse().unwrap();
    StatementPeriod::new(day, day, time("2026-03-09T00:00:00Z")).unwrap()
}

#[test]
fn a_statement_has_what_has_moved_by_now_in_its_days_and_nothing_else() {
    let declined = Received {
        decided: Some((Decision::Decline, time("2026-03-02T10:00:05Z"))),
        ..received("declined", Kind::Charge, "2026-03-02T10:00:00Z")
    };
    let orders = [
        approved(received("before", Kind::Charge, "2026-03-01T23:00:00Z"), "2026-03-01T23:59:59Z"),
        approved(received("night", Kind::Charge, "2026-03-01T23:59:00Z"), "2026-03-02T00:00:00Z"),
        received("undecided", Kind::Charge, "2026-03-02T09:00:00Z"),
        declined,
        approved(received("later", Kind::Charge, "2026-03-02T11:00:00Z"), "2026-03-02T12:00:01Z"),
        received("wages", Kind::Payout, "2026-03-02T11:30:00Z"),
        received("back", Kind::Payout, "2026-03-02T11:40:00Z").as_refund(),
    ];
    let at = |now| {
        String::from_utf8(write(SCRIPT, &orders, &second_of_march(), time(now)).unwrap()).unwrap()
    };
    let noon = [
        HEADER,
        "night,DEPOSIT,COMPLETED,GHS,12.50,2026-03-02T00:00:00Z,MTN",
        "wages,PAYOUT,COMPLETED,GHS,12.50,2026-03-02T11:30:00Z,MTN",
        "back,REFUND,COMPLETED,GHS,12.50,2026-03-02T11:40:00Z,MTN",
    ];
    assert_eq!(at("2026-03-02T12:00:00Z").lines().collect::<Vec<_>>(), noon);
    let evening = at("2026-03-02T18:00:00Z");
    assert!(evening.starts_with(&noon.join("\n")), "an earlier line stays as it is: {evening}");
    assert_eq!(evening.lines().count(), noon.len() + 1);
}

#[test]
fn a_line_is_the_same_at_every_speed() {
    let payout = received("wages", Kind::Payout, "2026-03-02T11:30:00Z");
    let at = |speed| {
        moved_at(Script { speed, phone: false }, &payout, time("2026-03-02T12:00:00Z")).unwrap()
    };
    assert_eq!(at(1.0), at(100.0));
    assert_eq!(moved_at(SCRIPT, &payout, payout.at), None, "the sandbox has not decided");
}
