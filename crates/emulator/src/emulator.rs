//! Starts an emulator.

use crate::{
    callback::CallbackSender, protocol::Shared, protocols, routes, running::Running, scheduler,
    server, settings::Settings, state::State,
};
use tokio::{net::TcpListener, sync::watch};

/// Emulates the wire protocols of all operators on one listener.
#[derive(Clone, Copy, Debug)]
pub struct Emulator;

/// Why an emulator cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The listener has no local address.
    #[error("the listener has no address: {0}")]
    Listener(#[from] std::io::Error),
    /// The HTTP client of callbacks cannot be built.
    #[error("the HTTP client cannot be built: {0}")]
    Client(#[from] reqwest::Error),
}

impl Emulator {
    /// Starts to serve in the background. Call it inside a Tokio runtime.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn start(listener: TcpListener, settings: Settings) -> Result<Running, StartError> {
        let address = listener.local_addr()?;
        let state = State::new(settings, CallbackSender::new()?);
        let shared = Shared::new(state, protocols::all());
        let (stop, stopped) = watch::channel(());
        let server =
            tokio::spawn(server::serve(listener, routes::routes(&shared), stopped.clone()));
        tokio::spawn(scheduler::run(shared.clone(), stopped));
        Ok(Running::new(address, shared, stop, server))
    }
}
