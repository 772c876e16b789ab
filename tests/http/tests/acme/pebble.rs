//! Pebble, the ACME server that Let's Encrypt provides for tests, with a name server that maps
//! every name to this machine.

use rcgen::generate_simple_self_signed;
use reqwest::{Certificate, Client};
use serde_json::{Value, json};
use std::{
    fs,
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU16, Ordering},
    time::Duration,
};
use tempfile::TempDir;
use tua_test_support::eventually;

/// Ports below the range from which the system takes ports for connections, so that no connection
/// of another test has the port.
static NEXT_PORT: AtomicU16 = AtomicU16::new(0);

/// A port of this machine that nothing listens on.
pub fn free_port() -> u16 {
    loop {
        let offset = u32::from(NEXT_PORT.fetch_add(1, Ordering::Relaxed)) + std::process::id() * 97;
        let port = u16::try_from(12_000 + offset % 20_000).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// The ports that Pebble validates on, and those that it listens on.
#[derive(Clone, Copy, Debug)]
pub struct Ports {
    pub tls: u16,
    pub http: u16,
    directory: u16,
    management: u16,
    dns: u16,
}

impl Ports {
    pub fn choose() -> Self {
        let [tls, http, directory, management, dns] = [(); 5].map(|()| free_port());
        Self { tls, http, directory, management, dns }
    }

    pub fn directory(self) -> String {
        format!("https://127.0.0.1:{}/dir", self.directory)
    }
}

/// A running Pebble. It issues certificates for 90 days. Its accounts and roots end with it.
pub struct Pebble {
    pub ports: Ports,
    processes: [Child; 2],
    /// The certificate of its HTTPS server, as `--acme-root` takes it.
    pub root: PathBuf,
    client: Client,
    _folder: TempDir,
}

impl Pebble {
    pub async fn start(ports: Ports) -> Self {
        Self::start_with(ports, json!({})).await
    }

    /// Starts it with these members in its configuration.
    pub async fn start_with(ports: Ports, settings: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let made = generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let root = folder.path().join("root.pem");
        let key = folder.path().join("root.key");
        fs::write(&root, made.cert.pem()).unwrap();
        fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        let mut config = json!({
            "listenAddress": format!("127.0.0.1:{}", ports.directory),
            "managementListenAddress": format!("127.0.0.1:{}", ports.management),
            "certificate": root,
            "privateKey": key,
            "httpPort": ports.http,
            "tlsPort": ports.tls,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
            "certificateValidityPeriod": 90 * 86_400,
        });
        config.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let path = folder.path().join("pebble.json");
        fs::write(&path, json!({ "pebble": config }).to_string()).unwrap();
        let dns = format!("127.0.0.1:{}", ports.dns);
        let names = spawn(
            Command::new("pebble-challtestsrv")
                .args([
                    "-dns01",
                    &dns,
                    "-defaultIPv4",
                    "127.0.0.1",
                    "-defaultIPv6",
                    "",
                    "-management",
                    "",
                ])
                .args(["-http01", "", "-https01", "", "-tlsalpn01", ""]),
        );
        let server = spawn(
            Command::new("pebble")
                .arg("-config")
                .arg(&path)
                .args(["-dnsserver", &dns])
                // It waits up to 15 s before it validates, without this.
                .env("PEBBLE_VA_NOSLEEP", "1")
                // Every order is validated again.
                .env("PEBBLE_AUTHZREUSE", "0"),
        );
        let trusted = Certificate::from_pem(made.cert.pem().as_bytes()).unwrap();
        let client = Client::builder()
            .tls_certs_only([trusted])
            .timeout(Duration::from_secs(5))
            .build()
            .unwrap();
        let pebble = Self { ports, processes: [names, server], root, client, _folder: folder };
        eventually("Pebble listens", async || {
            pebble.client.get(ports.directory()).send().await.is_ok()
        })
        .await;
        pebble
    }

    /// The root of the certificates that it issues.
    pub async fn issuer(&self) -> Certificate {
        let url = format!("https://127.0.0.1:{}/roots/0", self.ports.management);
        Certificate::from_pem(&self.client.get(url).send().await.unwrap().bytes().await.unwrap())
            .unwrap()
    }
}

impl Drop for Pebble {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

fn spawn(command: &mut Command) -> Child {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("Debian's package `pebble`; cargo xtask test installs it")
}
