//! Every fault of every call of every connector, in one table. Callbacks are in `callback_matrix`,
//! refunds in the `faults` of each connector.

use super::{
    documented::{
        AMBIGUOUS, APPROVE, Duplicate, Is, NeverReceived, NotSent, Outcome, PAID, PENDING,
        Unanswered, failed,
    },
    faults::SOON,
    hubtel, mtn_momo, pawapay, paystack,
    rig::{CallbackReceiver, Rig, sent},
};
use std::{sync::Arc, time::Duration};
use tua_contract::{
    Code, FailureCode, Network,
    lifecycle::{Observation, Step},
};
use tua_domain::{
    Kind,
    ports::{CodeResponse, Operator, Order, SendResponse, StatusResponse},
};
use tua_emulator::{Call, Fault, Operator as Emulated};

/// A column of the matrix: what goes wrong between the service and an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    TimeOut,
    ClosedBefore,
    ClosedInBody,
    ClosedAfter,
    ErrorBefore,
    ErrorAfter,
    Html,
    HalfJson,
    WrongAmount,
    WrongReference,
    UnknownStatus,
    /// The same once more.
    Twice,
    ExpiredToken,
    TooMany,
}

const CELLS: [Cell; 14] = [
    Cell::TimeOut,
    Cell::ClosedBefore,
    Cell::ClosedInBody,
    Cell::ClosedAfter,
    Cell::ErrorBefore,
    Cell::ErrorAfter,
    Cell::Html,
    Cell::HalfJson,
    Cell::WrongAmount,
    Cell::WrongReference,
    Cell::UnknownStatus,
    Cell::Twice,
    Cell::ExpiredToken,
    Cell::TooMany,
];

/// How long the connectors wait for a response that does not come.
const IMPATIENT: Duration = Duration::from_millis(700);

impl Cell {
    pub(super) const fn fault(self) -> Option<Fault> {
        Some(match self {
            Self::TimeOut => Fault::Latency(Duration::from_secs(3600)),
            Self::ClosedBefore => Fault::CloseBefore,
            Self::ClosedInBody => Fault::CloseInBody,
            Self::ClosedAfter => Fault::CloseAfter,
            Self::ErrorBefore => Fault::ErrorBefore,
            Self::ErrorAfter => Fault::ErrorAfter,
            Self::Html => Fault::Html,
            Self::HalfJson => Fault::HalfJson,
            Self::WrongAmount => Fault::WrongAmount,
            Self::WrongReference => Fault::WrongReference,
            Self::UnknownStatus => Fault::UnknownStatus,
            Self::TooMany => Fault::TooManyRequests,
            Self::Twice | Self::ExpiredToken => return None,
        })
    }

    /// Whether a request with this fault has its effect.
    const fn has_effect(self) -> bool {
        !matches!(self, Self::TimeOut | Self::ClosedBefore | Self::ErrorBefore | Self::TooMany)
    }
}

/// A connector over the emulator.
pub(super) struct Connected {
    pub(super) rig: Rig,
    pub(super) emulated: Emulated,
    pub(super) operator: Arc<dyn Operator>,
    /// The same with a short time limit.
    impatient: Arc<dyn Operator>,
    pub(super) callbacks: CallbackReceiver,
}

impl Connected {
    pub(super) async fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for emulated in Emulated::all() {
            let mut rig = Rig::start().await;
            let callbacks = CallbackReceiver::start().await;
            rig.emulator.set_callback_url(emulated, &callbacks.url);
            let operator = connect(&rig, emulated, &callbacks.url);
            rig.call_timeout = IMPATIENT;
            let impatient = connect(&rig, emulated, &callbacks.url);
            all.push(Self { rig, emulated, operator, impatient, callbacks });
        }
        all
    }

    pub(super) fn is(&self, emulated: Emulated) -> bool {
        self.emulated == emulated
    }

    pub(super) fn order(&self, kind: Kind, phone: &str) -> Order {
        let network = if phone.starts_with("020") { Network::Telecel } else { Network::Mtn };
        super::rig::order(kind, network, phone)
    }

    pub(super) fn operator(&self, cell: Cell) -> &dyn Operator {
        if cell == Cell::TimeOut { &*self.impatient } else { &*self.operator }
    }

    /// Sets the fault of this call. MTN's token expires; who has none refuses the credentials.
    fn set(&self, call: Call, cell: Cell) {
        match cell.fault() {
            Some(fault) => _ = self.rig.emulator.chaos().set(self.emulated, call, fault),
            None if cell == Cell::Twice => {}
            None if self.is(Emulated::MTN_MOMO) => {
                self.rig.emulator.clock().advance(Duration::from_secs(3600))
            }
            None => self.rig.emulator.revoke_credentials(self.emulated),
        }
    }

    fn clear(&self) {
        self.rig.emulator.chaos().clear();
        self.rig.emulator.restore_credentials(self.emulated);
    }

    pub(super) async fn send(&self, order: &Order, cell: Cell) -> Outcome {
        match self.operator(cell).send(order, &self.rig.permit()).await {
            SendResponse::Observed(report) => Is(report.compare(order.transfer.amount).observation),
            SendResponse::Duplicate => Duplicate,
            SendResponse::NotSent => NotSent,
        }
    }

    pub(super) async fn ask(&self, order: &Order, cell: Cell) -> Outcome {
        match self.operator(cell).query_status(&sent(order)).await {
            StatusResponse::Known(report) => Is(report.compare(order.transfer.amount).observation),
            StatusResponse::NeverReceived => NeverReceived,
            StatusResponse::Unanswered => Unanswered,
        }
    }

    /// What a send with this fault is.
    fn expected_send(&self, kind: Kind, cell: Cell) -> Outcome {
        let accepted = if kind == Kind::Charge { APPROVE } else { PENDING };
        match cell {
            // MTN's response is empty, so nothing in it can be wrong, and its status counts.
            Cell::ClosedInBody | Cell::HalfJson | Cell::WrongReference | Cell::UnknownStatus
                if self.is(Emulated::MTN_MOMO) =>
            {
                accepted
            }
            // The response is no success yet, and no amount is compared.
            Cell::WrongAmount => accepted,
            Cell::ExpiredToken if self.is(Emulated::MTN_MOMO) => accepted,
            Cell::ExpiredToken => failed(FailureCode::NetworkUnavailable),
            Cell::Twice => Duplicate,
            _ => AMBIGUOUS,
        }
    }

    /// What a status read with this fault is, of an order that is paid.
    fn expected_status(&self, cell: Cell) -> Outcome {
        match cell {
            Cell::WrongAmount | Cell::WrongReference => Is(Observation::Mismatched),
            Cell::Twice => PAID,
            Cell::ExpiredToken if self.is(Emulated::MTN_MOMO) => PAID,
            _ => Unanswered,
        }
    }
}

fn connect(rig: &Rig, emulated: Emulated, callback_url: &str) -> Arc<dyn Operator> {
    match emulated {
        Emulated::MTN_MOMO => {
            Arc::new(mtn_momo::connect_with(rig, mtn_momo::settings("mtnghana"), callback_url))
        }
        Emulated::PAYSTACK => paystack::connect(rig),
        Emulated::PAWAPAY => {
            Arc::new(pawapay::connect_with(rig, pawapay::settings(), callback_url))
        }
        Emulated::HUBTEL => hubtel::connect_with(rig, hubtel::settings(), callback_url),
        other => panic!("there is no connector of {other}"),
    }
}

#[tokio::test]
async fn sends_and_payouts() {
    for connected in Connected::all().await {
        for (kind, call) in [(Kind::Charge, Call::Send), (Kind::Payout, Call::Payout)] {
            for cell in CELLS {
                let place = format!("{} {call:?} {cell:?}", connected.emulated);
                let order = connected.order(kind, "0241234567");
                connected.set(call, cell);
                let mut outcome = connected.send(&order, cell).await;
                if cell == Cell::Twice {
                    outcome = connected.send(&order, cell).await;
                }
                assert_eq!(outcome, connected.expected_send(kind, cell), "{place}");
                connected.clear();
                connected.rig.advance(SOON);
                let is_refused = cell == Cell::ExpiredToken && !connected.is(Emulated::MTN_MOMO);
                let found = if cell.has_effect() && !is_refused { PAID } else { NeverReceived };
                assert_eq!(
                    connected.ask(&order, Cell::Twice).await,
                    found,
                    "{place}, asked afterwards"
                );
            }
        }
    }
}

#[tokio::test]
async fn status_reads() {
    for connected in Connected::all().await {
        for kind in [Kind::Charge, Kind::Payout] {
            let order = connected.order(kind, "0241234567");
            connected.send(&order, Cell::Twice).await;
            connected.rig.advance(SOON);
            for cell in CELLS {
                let place = format!("{} {kind:?} {cell:?}", connected.emulated);
                connected.set(Call::Status, cell);
                assert_eq!(
                    connected.ask(&order, cell).await,
                    connected.expected_status(cell),
                    "{place}"
                );
                connected.clear();
                assert_eq!(
                    connected.ask(&order, Cell::Twice).await,
                    PAID,
                    "{place}, asked afterwards"
                );
            }
        }
    }
}

#[tokio::test]
async fn codes() {
    let code = Code::parse("123456").unwrap();
    for connected in Connected::all().await {
        let has_codes = connected.operator.capabilities().has_codes;
        assert_eq!(has_codes, connected.is(Emulated::PAYSTACK));
        for cell in CELLS.into_iter().filter(|_| has_codes) {
            let place = format!("{} {cell:?}", connected.emulated);
            let order = connected.order(Kind::Charge, "0201234567");
            connected.send(&order, Cell::Twice).await;
            connected.set(Call::Code, cell);
            let mut answer = connected.operator(cell).submit_code(&sent(&order), &code).await;
            if cell == Cell::Twice {
                answer = connected.operator.submit_code(&sent(&order), &code).await;
            }
            match (cell, answer) {
                // No amount is compared before a success.
                (Cell::Twice | Cell::WrongAmount, CodeResponse::Accepted(report)) => {
                    assert_eq!(report.observation, Observation::Awaits(Step::Wait), "{place}");
                }
                (Cell::Twice | Cell::WrongAmount, answer) => panic!("{place}: {answer:?}"),
                (_, answer) => assert_eq!(answer, CodeResponse::Unanswered, "{place}"),
            }
            connected.clear();
            connected.rig.advance(SOON);
            let is_paid = connected.ask(&order, Cell::Twice).await == PAID;
            assert_eq!(
                is_paid,
                cell.has_effect() && cell != Cell::ExpiredToken,
                "{place}, asked afterwards"
            );
        }
    }
}
