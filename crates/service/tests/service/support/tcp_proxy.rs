//! The way to a database server, which a test cuts.

use crate::support::test_database;
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
use tua_service::database::Database;

/// Where a connection breaks while a transaction is ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// The server never hears that it is to be committed.
    BeforeTheCommit,
    /// The server has committed, and nobody hears of it.
    AfterTheCommit,
}

/// A cut that is to come, and whether everybody else's connections break with it.
type Plan = Arc<Mutex<Option<(Cut, bool)>>>;

/// A cable; dropped, it carries nobody new.
pub struct TcpProxy {
    address: SocketAddr,
    /// Whether it carries anything at all.
    whole: Arc<watch::Sender<bool>>,
    planned: Plan,
    carrying: JoinHandle<()>,
}

impl TcpProxy {
    /// To the server of this folder's database.
    pub async fn of(folder: &Path) -> Self {
        let server: url::Url = test_database::url_with(folder, |url| url).parse().unwrap();
        let server = server.socket_addrs(|| Some(5432)).unwrap()[0];
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (whole, planned) = (Arc::new(watch::Sender::new(true)), Plan::default());
        let carrying = tokio::spawn({
            let (whole, planned) = (whole.clone(), planned.clone());
            async move {
                loop {
                    let (mut near, _) = listener.accept().await.unwrap();
                    let (whole, planned, mut state) = (whole.clone(), planned.clone(), whole.subscribe());
                    tokio::spawn(async move {
                        if *state.borrow_and_update() {
                            let mut far = TcpStream::connect(server).await.unwrap();
                            tokio::select! {
                                biased;
                                // Even where it was mended since: nobody's connection outlives a cut.
                                _ = state.changed() => {}
                                // Nobody hears of it before all are cut.
                                cut = carry(&mut near, &mut far, &planned) => if let Ok(Some((_, true))) = cut {
                                    whole.send_replace(false);
                                },
                            }
                        }
                    });
                }
            }
        });
        Self { address, whole, planned, carrying }
    }

    /// This folder's database, at the other end; `searched` is where it looks for names after its own.
    pub fn database(&self, folder: &Path, searched: &str) -> Database {
        let through = test_database::url_with(folder, |mut url| {
            url.set_ip_host(self.address.ip()).unwrap();
            url.set_port(Some(self.address.port())).unwrap();
            url
        });
        (through + searched).parse().unwrap()
    }

    /// Breaks every connection, and takes no new one.
    pub fn sever(&self) {
        self.whole.send_replace(false);
    }

    /// Waits until it is severed.
    pub async fn severed(&self) {
        self.whole.subscribe().wait_for(|whole| !whole).await.unwrap();
    }

    /// Takes connections again.
    pub fn mend(&self) {
        self.whole.send_replace(true);
    }

    /// Breaks the connection of the next transaction that ends and is waited for on disk.
    pub fn cut_once(&self, cut: Cut) {
        *self.planned.lock().unwrap() = Some((cut, false));
    }

    /// Breaks every connection then, and takes no new one: as if the server had crashed.
    pub fn crash_once(&self, cut: Cut) {
        *self.planned.lock().unwrap() = Some((cut, true));
    }

    /// Whether no cut is planned any more.
    pub fn was_cut(&self) -> bool {
        self.planned.lock().unwrap().is_none()
    }
}

impl Drop for TcpProxy {
    fn drop(&mut self) {
        self.carrying.abort();
    }
}

/// Carries one connection until either end, or until a cut, and says which.
async fn carry(near: &mut TcpStream, far: &mut TcpStream, planned: &Plan) -> io::Result<Option<(Cut, bool)>> {
    let (mut asked, mut answered) = ([0; 8192], [0; 8192]);
    let (mut cut, mut is_relaxed) = (None, false);
    loop {
        tokio::select! {
            read = near.read(&mut asked) => {
                let asked = &asked[..read?];
                is_relaxed |= has(asked, b"SET LOCAL synchronous_commit = 'off'");
                if has(asked, b"COMMIT\0") && !std::mem::take(&mut is_relaxed) {
                    cut = planned.lock().unwrap().take();
                }
                if asked.is_empty() || cut.is_some_and(|(cut, _)| cut == Cut::BeforeTheCommit) {
                    return Ok(cut);
                }
                far.write_all(asked).await?;
            }
            read = far.read(&mut answered) => {
                let answered = &answered[..read?];
                if answered.is_empty() || cut.is_some() {
                    return Ok(cut);
                }
                near.write_all(answered).await?;
            }
        }
    }
}

fn has(asked: &[u8], text: &[u8]) -> bool {
    asked.windows(text.len()).any(|part| part == text)
}
