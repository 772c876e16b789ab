//! What the tests of connectors need: an emulator with a clock of its own, a connection to it, and
//! its callbacks.

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, http::Method, http::Uri};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    net::TcpListener,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};
use tua_contract::{Amount, Network, Phone};
use tua_domain::{
    Kind, TransactionId, Transfer,
    exchange::Exchange,
    ports::{CallbackRequest, Clock, ExchangeRecorder, Order, SendPermit, SentOrder},
};
use tua_emulator::{ClockMode, Emulator, Running, Settings};
use tua_operators::connection::{CALL_TIMEOUT, Connection, ConnectionParts, ConnectionSettings};
use tua_system::clock::OffsetClock;

/// An emulator, and the service's side of the connection to it. Both clocks stand still until
/// [`Self::advance`].
pub struct Rig {
    pub emulator: Running,
    pub clock: OffsetClock,
    pub exchanges: Arc<Exchanges>,
    /// How long the connectors that are connected from now on wait for a response.
    pub call_timeout: Duration,
}

/// The requests to operators and their responses, as the connectors have recorded them.
#[derive(Debug, Default)]
pub struct Exchanges(Mutex<Vec<Exchange>>);

impl ExchangeRecorder for Exchanges {
    fn record(&self, exchange: Exchange) {
        self.0.lock().unwrap().push(exchange);
    }
}

impl Exchanges {
    /// Everything that was recorded, as text.
    pub fn text(&self) -> String {
        format!("{:?}", self.0.lock().unwrap())
    }
}

impl Rig {
    pub async fn start() -> Self {
        Self::start_with(Settings::default()).await
    }

    pub async fn start_with(settings: Settings) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let emulator =
            Emulator::start(listener, Settings { clock: ClockMode::Manual, ..settings }).unwrap();
        Self {
            emulator,
            clock: OffsetClock::stopped(),
            exchanges: Arc::default(),
            call_timeout: CALL_TIMEOUT,
        }
    }

    pub fn connection(&self, base_url: &str) -> Connection {
        self.connection_with(base_url, Arc::new(self.clock.clone()))
    }

    pub fn connection_with(&self, base_url: &str, clock: Arc<dyn Clock>) -> Connection {
        let settings = ConnectionSettings {
            operator: "tested".to_owned(),
            base_url: base_url.parse().unwrap(),
            outbound_proxy: None,
            // The clock stands still, and a limit would wait for it.
            reads_per_second: None,
            call_timeout: self.call_timeout,
        };
        let parts = ConnectionParts { clock, recorder: self.exchanges.clone() };
        Connection::new(settings, parts).unwrap()
    }

    /// Moves the clocks of the service and of the emulator.
    pub fn advance(&self, by: Duration) {
        self.clock.advance(by);
        self.emulator.clock().advance(by);
    }

    pub fn permit(&self) -> SendPermit {
        self.permit_for(Duration::from_secs(30))
    }

    pub fn permit_for(&self, valid_for: Duration) -> SendPermit {
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        SendPermit::new(&clock, valid_for)
    }
}

/// An order of GHS 12.50.
pub fn order(kind: Kind, network: Network, phone: &str) -> Order {
    Order {
        reference: TransactionId::mint().operator_reference(),
        transfer: Transfer {
            kind,
            amount: amount(1250),
            network,
            phone: Phone::parse(phone).unwrap(),
        },
        merchant: "Adom's Stores".to_owned(),
        message: None,
        email: None,
    }
}

pub fn sent(order: &Order) -> SentOrder {
    SentOrder {
        reference: order.reference.clone(),
        transfer: order.transfer.clone(),
        operator_transaction_id: None,
        is_ahead_of_schedule: false,
    }
}

pub fn amount(pesewas: i64) -> Amount {
    Amount::from_pesewas(pesewas).unwrap()
}

/// Receives an operator's callbacks, as the service does.
pub struct CallbackReceiver {
    pub url: String,
    received: UnboundedReceiver<CallbackRequest>,
}

impl CallbackReceiver {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/callbacks/tested/secret", listener.local_addr().unwrap());
        let (sender, received) = unbounded_channel();
        let routes = Router::new().fallback(receive).with_state(sender);
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { url, received }
    }

    pub async fn next(&mut self) -> CallbackRequest {
        let next = tokio::time::timeout(Duration::from_secs(10), self.received.recv());
        next.await.expect("no callback within ten seconds").unwrap()
    }
}

async fn receive(
    State(sender): State<UnboundedSender<CallbackRequest>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) {
    let text = |name: &str| {
        headers.get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
    };
    let request = CallbackRequest {
        method: method.to_string(),
        authority: text("host"),
        path: uri.path().to_owned(),
        headers: headers
            .iter()
            .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
            .collect(),
        body: body.to_vec(),
    };
    // Fails only when the test has ended.
    let _ = sender.send(request);
}
