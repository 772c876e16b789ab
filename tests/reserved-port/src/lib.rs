//! A TCP port that a test keeps while it restarts the service on it.

use std::{io, net::SocketAddr};
use tokio::net::TcpSocket;

/// A port of 127.0.0.1 that stays reserved until this is dropped, also while nothing listens on it.
/// Without the reservation the system may give the port of a stopped service to another program or
/// to an outgoing connection, and the service cannot bind it again.
///
/// The socket is bound and does not listen, so a program that sets `SO_REUSEADDR`, as the service
/// and the emulator do, can bind the same port.
#[derive(Debug)]
pub struct ReservedPort {
    address: SocketAddr,
    _socket: TcpSocket,
}

impl ReservedPort {
    /// Reserves a free port.
    ///
    /// # Errors
    /// The system's error, for example when all ports are in use.
    pub fn new() -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(([127, 0, 0, 1], 0).into())?;
        Ok(Self { address: socket.local_addr()?, _socket: socket })
    }

    /// The address with the port.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

#[cfg(test)]
mod tests {
    use super::ReservedPort;
    use std::net::TcpListener;

    #[test]
    fn one_service_after_another_can_listen_on_a_reserved_port() {
        let port = ReservedPort::new().unwrap();
        for _ in 0..3 {
            drop(TcpListener::bind(port.address()).unwrap());
        }
    }

    #[test]
    fn the_system_gives_a_reserved_port_to_nobody_else() {
        let port = ReservedPort::new().unwrap();
        let others: Vec<_> = (0..200).map(|_| ReservedPort::new().unwrap()).collect();
        assert!(others.iter().all(|other| other.address() != port.address()));
    }
}
