//! How much a connection may take.

use std::time::Duration;

/// The most bytes of a request's head: its line and its headers. Their number is bounded by hyper, to 100.
pub(super) const HEAD_SIZE: usize = 16 << 10;

/// Files that are kept free for everything but connections, where the system allows so many.
const OTHER_FILES: u64 = 512;

/// How long things may take on a connection, and how many there may be.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Connections at the same time; fewer where the system does not allow so many open files.
    pub connections: usize,
    /// A TLS handshake, from the connection on.
    pub handshake: Duration,
    /// A request's head: from the connection on, and later from the head's first byte on.
    pub head: Duration,
    /// A request's body, from when it is read.
    pub body: Duration,
    /// Between two requests.
    pub idle: Duration,
    /// An answer's bytes of which the client takes none.
    pub stalled: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 20_000,
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_secs(75),
            stalled: Duration::from_secs(30),
        }
    }
}

impl Bounds {
    /// How many connections there may be, after as many files were asked of the system as it gives.
    pub(super) fn places(&self) -> usize {
        // Where the system does not say, its refusal to open another one is waited out as it comes.
        let Ok(files) = rlimit::increase_nofile_limit(u64::MAX) else { return self.connections };
        let free = files.saturating_sub(OTHER_FILES.min(files / 2));
        let places = self.connections.min(usize::try_from(free).unwrap_or(usize::MAX));
        if places < self.connections {
            tracing::warn!(places, files, "fewer connections than usual: the system allows so many open files");
        }
        places
    }
}
