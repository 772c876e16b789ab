//! Charges per second, each durable before its 202, in turns with a handler that keeps nothing.

use crate::fault::{Fault, Result, fault};
use crate::step::{Background, Step};
use crate::{interrupt, paths, tools};
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: usize = 3;
const SECONDS: &str = "8s";
const CONNECTIONS: &str = "64";
const STARTS_WITHIN: Duration = Duration::from_secs(20);

pub(super) fn run() -> Result<()> {
    tools::apt_program("wrk", "wrk")?;
    Step::new("compiling the service and the ruler, optimised", "cargo")
        .args([
            "build",
            "--release",
            "--package",
            "tua-service",
            "--package",
            "tua-harness",
            "--bin",
            "tua",
            "--bin",
            "bare",
        ])
        .about(300)
        .run()?;
    let dir = paths::target().join("bench");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;

    let tua = paths::target().join("release/tua");
    let database = format!("sqlite://{}", dir.join("bench.db").display());
    let account = Step::new("making an account", &tua)
        .args(["account", "create", "--name", "Bench", "--json", "--database", &database])
        .run()?;
    let key = account
        .log
        .split('"')
        .find(|word| word.starts_with("sk_test_"))
        .ok_or_else(|| fault!("tua account create: no test key in its answer"))?
        .to_owned();
    let script = write_script(&dir, &key)?;

    let (service_at, bare_at) = (free_address()?, free_address()?);
    let service = Step::new("the service", &tua)
        .args(["serve", "--listen", &service_at.to_string(), "--database", &database, "--limits", "off"])
        .args(["--public-url", &format!("http://{service_at}")])
        .start()?;
    let bare =
        Step::new("the bare handler", paths::target().join("release/bare")).args([bare_at.to_string()]).start()?;
    wait_until_listening(service_at, &service)?;
    wait_until_listening(bare_at, &bare)?;

    let (mut charges, mut baselines) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        baselines.push(load(&format!("bare handler, round {round}"), bare_at, &script)?);
        charges.push(load(&format!("POST /v1/charge, round {round}"), service_at, &script)?);
    }
    let (charge, baseline) = (median(charges), median(baselines));
    println!("POST /v1/charge   {charge:>8} per second, each durable before its 202");
    println!("bare axum JSON    {baseline:>8} per second");
    println!(
        "ratio             {:>7}% (medians of {ROUNDS} rounds of {SECONDS}, {CONNECTIONS} connections, wrk on the same machine)",
        charge * 100 / baseline.max(1)
    );
    Ok(())
}

fn write_script(dir: &Path, key: &str) -> Result<PathBuf> {
    let script = dir.join("charge.lua");
    let lua = format!(
        r#"wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.headers["x-api-key"] = "{key}"
wrk.body = '{{"amount": 10.5, "phoneNumber": "0241234567", "network": "MTN"}}'
done = function(summary)
  local broken = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  print(string.format("RESULT %d %d %d", summary.requests * 1000000 / summary.duration, summary.errors.status, broken))
end
"#
    );
    fs::write(&script, lua).map_err(|e| fault!("{}: {e}", paths::shown(&script)))?;
    Ok(script)
}

/// Requests per second; an answer that is not a success spoils the measurement.
fn load(title: &str, at: SocketAddr, script: &Path) -> Result<u64> {
    let run = Step::new(title, "wrk")
        .args(["--threads", "1", "--connections", CONNECTIONS, "--duration", SECONDS, "--script"])
        .args([script])
        .args([format!("http://{at}/v1/charge")])
        .about(8)
        .run()?;
    let line = run.log.lines().find_map(|line| line.strip_prefix("RESULT ")).unwrap_or_default().to_owned();
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [rate, 0, 0] => Ok(rate),
        [_, refused, broken] => Err(fault!("{title}: {refused} answers were errors and {broken} connections broke")),
        _ => Err(fault!("{title}: wrk printed no result")),
    }
}

fn median(mut rates: Vec<u64>) -> u64 {
    rates.sort_unstable();
    rates.get(rates.len() / 2).copied().unwrap_or(0)
}

fn free_address() -> Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).map_err(|e| fault!("no free port: {e}"))
}

fn wait_until_listening(at: SocketAddr, who: &Background) -> Result<()> {
    let since = Instant::now();
    while TcpStream::connect(at).is_err() {
        if interrupt::is_interrupted() {
            return Err(Fault::Interrupted);
        }
        if since.elapsed() > STARTS_WITHIN {
            return Err(fault!("{}: does not listen on {at}; its log is in {}", who.title(), who.log()));
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}
