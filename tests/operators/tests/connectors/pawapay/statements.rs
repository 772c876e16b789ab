//! Statements that pawaPay makes in the background.

use super::{CALLBACK_URL, charge, payout, settings};
use crate::connectors::{
    faults::SOON,
    rig::{Rig, sent},
};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use std::{sync::Arc, time::Duration};
use tua_contract::Network;
use tua_domain::{
    calendar::day_of,
    ports::{Clock, Operator, ReadError},
    statement::period::StatementPeriod,
};
use tua_emulator::{Call, ClockHandle, Fault, Operator as Emulated};
use tua_operators::pawapay::PawaPay;
use tua_system::clock::OffsetClock;

const LIMIT: Duration = Duration::from_secs(60);

/// A clock on which a wait is over at once, for the emulator too.
#[derive(Debug)]
struct SkippingClock {
    own: OffsetClock,
    emulator: ClockHandle,
}

#[async_trait]
impl Clock for SkippingClock {
    fn now(&self) -> Timestamp {
        self.own.now()
    }

    fn uptime(&self) -> Duration {
        self.own.uptime()
    }

    async fn sleep_until_uptime(&self, at: Duration) {
        let by = at.saturating_sub(self.uptime());
        self.own.advance(by);
        self.emulator.advance(by);
    }
}

fn connect(rig: &Rig) -> PawaPay {
    let clock = SkippingClock { own: rig.clock.clone(), emulator: rig.emulator.clock() };
    let connection =
        rig.connection_with(&rig.emulator.base_url(Emulated::PAWAPAY), Arc::new(clock));
    PawaPay::new(settings(), connection, CALLBACK_URL.to_owned())
}

/// The days around now, whichever the emulator's day is.
fn days(rig: &Rig) -> StatementPeriod {
    let now = rig.clock.now();
    let day = |days: i64| day_of(now + SignedDuration::from_hours(24 * days));
    StatementPeriod::new(day(-1), day(1), now + SignedDuration::from_hours(24)).unwrap()
}

#[tokio::test]
async fn a_statement_is_requested_waited_for_and_downloaded() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    assert!(operator.capabilities().has_statements);
    for order in [charge(Network::Mtn, "0241234567"), payout(Network::Telecel, "0501234567")] {
        operator.send(&order, &rig.permit()).await;
        rig.advance(SOON);
        operator.query_status(&sent(&order)).await;
    }
    let file = operator.statement(&days(&rig), LIMIT).await.unwrap();
    let text = String::from_utf8(file.clone()).unwrap();
    assert!(
        text.starts_with("Transaction ID,Transaction Type,Status,") && text.ends_with('\n'),
        "{text}"
    );
    assert!(
        text.contains(",DEPOSIT,COMPLETED,GHS,12.5,")
            && text.contains(",PAYOUT,COMPLETED,GHS,12.5,"),
        "{text}"
    );
    assert_eq!(
        operator.statement(&days(&rig), LIMIT).await.unwrap(),
        file,
        "the same days, the same file"
    );
    let late =
        operator.statement(&days(&rig), Duration::from_secs(1)).await.unwrap_err().to_string();
    assert!(late.contains("within 1 seconds; try again later"), "{late}");
    let evidence = rig.exchanges.text();
    assert!(!evidence.contains("/v2/statements") && !evidence.contains("downloads"), "{evidence}");
}

#[tokio::test]
async fn what_is_not_a_whole_statement_is_an_error() {
    let rig = Rig::start().await;
    let operator = connect(&rig);
    for fault in [
        Fault::ErrorBefore,
        Fault::Unavailable,
        Fault::CloseBefore,
        Fault::CloseInBody,
        Fault::Html,
        Fault::HalfJson,
        Fault::TooManyRequests,
    ] {
        rig.emulator.chaos().set_once(Emulated::PAWAPAY, Call::Other, fault);
        let error = operator.statement(&days(&rig), LIMIT).await.unwrap_err();
        assert!(matches!(error, ReadError::Unanswered(_)), "{fault:?}: {error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    rig.emulator.chaos().clear();
    rig.emulator.revoke_credentials(Emulated::PAWAPAY);
    assert!(matches!(operator.statement(&days(&rig), LIMIT).await, Err(ReadError::Refused(_))));
}
