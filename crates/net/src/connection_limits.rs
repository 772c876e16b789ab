//! Limits on connections: how many, and how long each step may take.

use std::time::Duration;

/// The largest accepted request head (request line and headers), in bytes. hyper limits the number
/// of headers to 100.
pub(super) const MAX_HEAD_BYTES: usize = 16 << 10;

/// File descriptors reserved for everything except connections, where the process may open enough
/// files.
const RESERVED_FILES: u64 = 512;

/// How many connections the service accepts, and how long each step of one may take.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Concurrent connections. The effective number is lower where the process may open fewer
    /// files.
    pub max_connections: usize,
    /// From the connection's first byte, which must arrive within the same time, to the end of the
    /// TLS handshake.
    pub handshake_timeout: Duration,
    /// Receiving a request head: from its first byte. The first byte of a connection must arrive
    /// within the same time.
    pub head_timeout: Duration,
    /// Receiving a request body, from the moment when the handler starts to read it.
    pub body_timeout: Duration,
    /// Idle time between two requests.
    pub idle_timeout: Duration,
    /// Time without progress while a response is written.
    pub write_timeout: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            max_connections: 20_000,
            handshake_timeout: Duration::from_secs(10),
            head_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(75),
            write_timeout: Duration::from_secs(30),
        }
    }
}

impl ConnectionLimits {
    /// The number of connections to accept, after raising the process's limit of open files
    /// (`RLIMIT_NOFILE`) as far as the system permits.
    pub(super) fn effective_connections(&self) -> usize {
        // If the limit cannot be read, accepting may fail with EMFILE; the listener then waits and
        // tries again.
        let Ok(files) = rlimit::increase_nofile_limit(u64::MAX) else {
            return self.max_connections;
        };
        let free = files.saturating_sub(RESERVED_FILES.min(files / 2));
        let effective = self.max_connections.min(usize::try_from(free).unwrap_or(usize::MAX));
        if effective < self.max_connections {
            tracing::warn!(
                connections = effective,
                files,
                wanted = self.max_connections,
                "the process may not open enough files for all connections at once; a busy service \
                 needs a higher `ulimit -n`, or LimitNOFILE= of systemd"
            );
        }
        effective
    }
}
