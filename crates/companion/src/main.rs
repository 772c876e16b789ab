//! The companion's command line.

use std::{
    io::{IsTerminal, Write},
    net::SocketAddr,
    num::NonZeroU32,
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

use axum_client_ip::ClientIpSource;
use clap::{CommandFactory, FromArgMatches, Parser};
use secrecy::{SecretString, zeroize::Zeroizing};
use tokio::{net::TcpListener, sync::Notify};
use tua_companion::{
    Config,
    catalogue::Catalogue,
    empty_variables::ignore_empty_variables,
    return_url::ReturnUrl,
    server::{self, ConnectionLimits},
    standalone_router,
};

/// Opens checkout sessions for a shop's page.
///
/// The secret key comes from TUA_SECRET_KEY or --secret-key-file. There is no flag for the key
/// itself, because every user of the machine can read the arguments of a process.
#[derive(Parser)]
#[command(version)]
struct Flags {
    /// Where to listen
    #[arg(long, env = "TUA_LISTEN", default_value = "127.0.0.1:8090")]
    listen: SocketAddr,
    /// The payment service's API
    #[arg(long, env = "TUA_BASE_URL", default_value = "http://127.0.0.1:8080/v1")]
    base_url: String,
    /// What is for sale
    #[arg(long, env = "TUA_CATALOGUE", default_value = "shop.toml")]
    catalogue: PathBuf,
    /// An origin whose pages may call; repeat it for more (in the environment: separate by commas)
    #[arg(long, env = "TUA_ALLOW_ORIGIN", value_delimiter = ',')]
    allow_origin: Vec<String>,
    /// Where payers return to, such as https://shop.example/orders/{reference}
    #[arg(long, env = "TUA_RETURN_URL")]
    return_url: Option<String>,
    /// A file that holds the secret key
    #[arg(long, env = "TUA_SECRET_KEY_FILE")]
    secret_key_file: Option<PathBuf>,
    /// Where the client's address is found: ConnectInfo, or the header of your proxy, such as
    /// RightmostXForwardedFor
    #[arg(long, env = "TUA_CLIENT_IP", default_value = "ConnectInfo")]
    client_ip: ClientIpSource,
    /// How many open sessions one address may have
    #[arg(long, env = "TUA_MAX_OPEN_SESSIONS", default_value_t = Config::MAX_OPEN_SESSIONS)]
    max_open_sessions: NonZeroU32,
}

fn main() -> ExitCode {
    let colours = std::io::stderr().is_terminal();
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(colours)
        .with_max_level(tracing::Level::INFO)
        .init();
    let parsed = ignore_empty_variables(Flags::command()).try_get_matches();
    let flags = match parsed.and_then(|matches| Flags::from_arg_matches(&matches)) {
        Ok(flags) => flags,
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => return fail(&one_line(&error)),
    };
    let config = match configure(&flags) {
        Ok(config) => config,
        Err(faults) => return fail(&faults.join("; ")),
    };
    match serve(&flags, config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

/// Prints an error as one line, and returns exit code 2.
fn fail(message: &str) -> ExitCode {
    eprintln!("tua-companion: {message}");
    ExitCode::from(2)
}

/// The message of the command line parser, without its usage text.
fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    format!("{}; --help shows every flag", line.trim_start_matches("error: "))
}

/// Reads the catalogue and the secret key, and checks all flags. The error lists every fault.
fn configure(flags: &Flags) -> Result<Config, Vec<String>> {
    let mut faults = Vec::new();
    let catalogue =
        std::fs::read_to_string(&flags.catalogue).map_err(|error| vec![error.to_string()]);
    let catalogue = catalogue.and_then(|text| Catalogue::parse(&text)).unwrap_or_else(|errors| {
        let path = flags.catalogue.display();
        faults.extend(errors.iter().map(|fault| format!("--catalogue {path}: {fault}")));
        Catalogue::default()
    });
    let return_url = flags.return_url.as_deref().map(ReturnUrl::parse).transpose();
    let return_url = return_url.map_err(|fault| faults.push(fault)).unwrap_or_default();
    let key = secret_key(flags).map_err(|fault| vec![fault]);
    let config = key.and_then(|key| {
        Config::new(&flags.base_url, key, catalogue, &flags.allow_origin, Config::TIMEOUT)
    });
    match config {
        Ok(config) if faults.is_empty() => Ok(config
            .with_return_url(return_url)
            .with_limits(flags.client_ip.clone(), flags.max_open_sessions)),
        config => Err(faults.into_iter().chain(config.err().unwrap_or_default()).collect()),
    }
}

fn secret_key(flags: &Flags) -> Result<SecretString, String> {
    let text = match &flags.secret_key_file {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| format!("--secret-key-file {}: {error}", path.display())),
        None => {
            std::env::var("TUA_SECRET_KEY").ok().filter(|key| !key.is_empty()).ok_or_else(|| {
                "no secret key: set TUA_SECRET_KEY, or name its file with --secret-key-file"
                    .to_owned()
            })
        }
    };
    text.map(Zeroizing::new).map(|text| text.trim().into())
}

#[tokio::main]
async fn serve(flags: &Flags, config: Config) -> Result<(), String> {
    let stop =
        stop_signal().map_err(|error| format!("cannot install the signal handlers: {error}"))?;
    let (listener, address) = bind(flags.listen)
        .await
        .map_err(|error| format!("--listen {}: {error}; choose another address", flags.listen))?;
    // The parent process may wait for this line; with port 0 it also needs the address.
    let mut stdout = std::io::stdout();
    let line = writeln!(stdout, "tua-companion listens on http://{address}");
    // The server also runs when stdout is closed.
    let _ = line.and_then(|()| stdout.flush());
    let mut limits = ConnectionLimits::default();
    if flags.client_ip != ClientIpSource::ConnectInfo {
        // All connections come from the proxy.
        limits.per_address = limits.total;
    }
    server::serve(listener, standalone_router(config), limits, stop).await;
    Ok(())
}

/// Binds the listener. Returns it with its address, whose port is chosen by the system if `listen`
/// has port 0.
async fn bind(listen: SocketAddr) -> std::io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(listen).await?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Installs the signal handlers. The future resolves at the first signal: Ctrl-C, SIGTERM or
/// SIGHUP.
fn stop_signal() -> Result<impl Future<Output = ()>, ctrlc::Error> {
    let stop = Arc::new(Notify::new());
    let notify = stop.clone();
    ctrlc::set_handler(move || notify.notify_one())?;
    Ok(async move { stop.notified().await })
}
