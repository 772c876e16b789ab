use super::*;
use crate::{AccountId, Mode};
use jiff::SignedDuration;
use std::collections::HashSet;

fn link(expires_at: Option<Timestamp>) -> Link {
    let terms = LinkTerms {
        title: "Dinner".to_owned(),
        description: None,
        amount: LinkAmount::Open { min: None, max: None },
        uses: LinkUses::Single,
        expires_at,
        metadata: None,
        question: None,
    };
    Link {
        id: LinkId::mint(),
        scope: Scope { account: AccountId::mint(), mode: Mode::Test },
        code: LinkCode::random(),
        reference: "r".to_owned(),
        terms,
        created_at: Timestamp::UNIX_EPOCH,
        closed_at: None,
        used_at: None,
        created_by: None,
    }
}

#[test]
fn a_code_is_read_however_it_is_typed() {
    let code = LinkCode::parse("ABCD2345").unwrap();
    for text in [
        "abcd2345",
        " aBcD 2345 ",
        "ABCD-2345",
        "a-b-c-d-2-3-4-5",
        "ABCD\u{2013}2345",
        "\tABCD\u{a0}2345\n",
    ] {
        assert_eq!(LinkCode::parse(text), Some(code.clone()), "{text:?}");
    }
    for text in [
        "",
        "ABCD234",
        "ABCD23456",
        "ABCD234O",
        "ABCD234I",
        "ABCD2340",
        "ABCD2341",
        "ABCD234L",
        "ABCD234é",
    ] {
        assert_eq!(LinkCode::parse(text), None, "{text:?}");
    }
    assert_eq!(code.spaced(), "ABCD 2345");
}

#[test]
fn codes_differ_and_use_every_character_that_can_be_read_aloud() {
    let codes: Vec<LinkCode> = (0..2_000).map(|_| LinkCode::random()).collect();
    let used: HashSet<char> = codes.iter().flat_map(|code| code.as_str().chars()).collect();
    assert_eq!(used.len(), 31);
    assert!(!used.iter().any(|character| "01OIL".contains(*character)));
    assert_eq!(codes.iter().collect::<HashSet<_>>().len(), codes.len());
    assert!(codes.iter().all(|code| LinkCode::parse(code.as_str()).as_ref() == Some(code)));
}

#[test]
fn closing_and_reopening_can_be_repeated_and_what_has_ended_stays_ended() {
    let now = Timestamp::UNIX_EPOCH;
    let later = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1);
    let open = link(Some(later));
    assert_eq!(open.changed(LinkChange::Reopen, now).unwrap(), None);
    let closed = open.changed(LinkChange::Close, now).unwrap().unwrap();
    assert_eq!(closed.status(now), LinkStatus::Closed);
    assert_eq!(closed.changed(LinkChange::Close, later).unwrap(), None);
    assert_eq!(closed.changed(LinkChange::Reopen, now).unwrap(), Some(open.clone()));
    let used = Link { used_at: Some(now), ..closed.clone() };
    for (link, at, status) in [
        (&closed, later, LinkStatus::Expired),
        (&open, later, LinkStatus::Expired),
        (&used, now, LinkStatus::Used),
        (&used, later, LinkStatus::Used),
    ] {
        let refused = link.changed(LinkChange::Reopen, at);
        assert!(
            matches!(refused, Err(ChangeLinkError::NotReopenable(found)) if found == status),
            "{refused:?}"
        );
    }
    assert_eq!(
        open.changed(LinkChange::Close, later).unwrap(),
        None,
        "an expired link stays expired"
    );
    assert_eq!(open.status(later), LinkStatus::Expired);
}

#[test]
fn an_open_amount_is_held_between_its_limits() {
    let cedis = |text: &str| Amount::parse(text).unwrap();
    let open = LinkAmount::Open { min: Some(cedis("5")), max: Some(cedis("10")) };
    assert!(open.takes(cedis("5")) && open.takes(cedis("10")) && !open.takes(cedis("4.99")));
    assert!(
        !open.takes(cedis("10.01"))
            && LinkAmount::Open { min: None, max: None }.takes(cedis("0.01"))
    );
    assert!(
        LinkAmount::Fixed(cedis("5")).takes(cedis("5"))
            && !LinkAmount::Fixed(cedis("5")).takes(cedis("6"))
    );
}
