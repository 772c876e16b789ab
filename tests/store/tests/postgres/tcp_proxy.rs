//! A TCP proxy in front of a database server, which breaks connections.

use std::{
    io,
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};
use tua_store::database::Database;
use tua_test_support::test_database;

/// When a connection breaks during a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BreakPoint {
    /// The server never receives the COMMIT.
    BeforeCommit,
    /// The server has committed, and its response is lost.
    AfterCommit,
}

/// The next break, and whether all other connections break with it.
type Plan = Arc<Mutex<Option<(BreakPoint, bool)>>>;

/// A proxy. After it is dropped it accepts no connections.
pub struct TcpProxy {
    address: SocketAddr,
    /// Whether it accepts and keeps connections.
    is_connected: Arc<watch::Sender<bool>>,
    planned: Plan,
    accepting: JoinHandle<()>,
}

impl TcpProxy {
    /// Starts a proxy for the server of this folder's database.
    pub async fn start(folder: &Path) -> Self {
        let server: url::Url = test_database::url_with(folder, |url| url).parse().unwrap();
        let server = server.socket_addrs(|| Some(5432)).unwrap()[0];
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let is_connected = Arc::new(watch::Sender::new(true));
        let planned = Plan::default();
        let accepting = tokio::spawn({
            let is_connected = is_connected.clone();
            let planned = planned.clone();
            async move {
                loop {
                    let (mut client, _) = listener.accept().await.unwrap();
                    let is_connected = is_connected.clone();
                    let planned = planned.clone();
                    let mut state = is_connected.subscribe();
                    tokio::spawn(async move {
                        if *state.borrow_and_update() {
                            let mut upstream = TcpStream::connect(server).await.unwrap();
                            tokio::select! {
                                biased;
                                // Also if it was restored since: no connection survives a break.
                                _ = state.changed() => {}
                                // All break before any client notices.
                                broken = forward(&mut client, &mut upstream, &planned) => {
                                    if let Ok(Some((_, true))) = broken {
                                        is_connected.send_replace(false);
                                    }
                                }
                            }
                        }
                    });
                }
            }
        });
        Self { address, is_connected, planned, accepting }
    }

    /// The address that it listens on.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of this folder's database through the proxy, with `searched` appended to its search
    /// path.
    pub fn database(&self, folder: &Path, searched: &str) -> Database {
        let through = test_database::url_with(folder, |mut url| {
            url.set_ip_host(self.address.ip()).unwrap();
            url.set_port(Some(self.address.port())).unwrap();
            url
        });
        (through + searched).parse().unwrap()
    }

    /// Breaks every connection and accepts no new one.
    pub fn break_connections(&self) {
        self.is_connected.send_replace(false);
    }

    /// Waits until all connections are broken.
    pub async fn wait_until_broken(&self) {
        self.is_connected.subscribe().wait_for(|is_connected| !is_connected).await.unwrap();
    }

    /// Accepts connections again; the broken ones stay broken.
    pub fn restore(&self) {
        self.is_connected.send_replace(true);
    }

    /// Breaks the connection of the next transaction that commits synchronously.
    pub fn break_next_commit(&self, cut: BreakPoint) {
        *self.planned.lock().unwrap() = Some((cut, false));
    }

    /// Breaks every connection at that commit and accepts no new one, as if the server had crashed.
    pub fn crash_at_next_commit(&self, cut: BreakPoint) {
        *self.planned.lock().unwrap() = Some((cut, true));
    }

    /// Whether the planned break has happened.
    pub fn has_broken(&self) -> bool {
        self.planned.lock().unwrap().is_none()
    }
}

impl Drop for TcpProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Forwards one connection until it ends or breaks; returns the break.
async fn forward(
    client: &mut TcpStream,
    upstream: &mut TcpStream,
    planned: &Plan,
) -> io::Result<Option<(BreakPoint, bool)>> {
    let mut request = [0; 8192];
    let mut response = [0; 8192];
    let mut planned_break = None;
    let mut is_asynchronous = false;
    loop {
        tokio::select! {
            read = client.read(&mut request) => {
                let request = &request[..read?];
                is_asynchronous |= contains(request, b"SET LOCAL synchronous_commit = 'off'");
                if contains(request, b"COMMIT\0") && !std::mem::take(&mut is_asynchronous) {
                    planned_break = planned.lock().unwrap().take();
                }
                if request.is_empty()
                    || planned_break.is_some_and(|(point, _)| point == BreakPoint::BeforeCommit)
                {
                    return Ok(planned_break);
                }
                upstream.write_all(request).await?;
            }
            read = upstream.read(&mut response) => {
                let response = &response[..read?];
                if response.is_empty() || planned_break.is_some() {
                    return Ok(planned_break);
                }
                client.write_all(response).await?;
            }
        }
    }
}

fn contains(request: &[u8], text: &[u8]) -> bool {
    request.windows(text.len()).any(|part| part == text)
}
