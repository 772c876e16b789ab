//! One browser with its driver, which uses the proxy.

use crate::engine::{Display, Engine, Powers};
use crate::find::{DEADLINE, GAP};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Read, Seek};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::Stdio;
use std::time::Instant;
use thirtyfour::{Capabilities, WebDriver};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::sleep;

/// The size of the window in pixels: the demo shop and the simulated phone fit next to each other.
const WINDOW: (u32, u32) = (1000, 1400);

/// A started browser. [`Session::close`] closes it. Dropping this stops only the driver.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) driver: WebDriver,
    engine: Engine,
    process: Child,
    /// The output of the driver and the browser.
    output: File,
    display: Option<Display>,
}

impl Session {
    /// Starts a browser that can reach only the proxy.
    pub(crate) async fn start(engine: Engine, powers: Powers, proxy: SocketAddr) -> Result<Self> {
        let recipe = engine.recipe(powers).await?;
        let output = tempfile::tempfile()?;
        let (process, driver) = launch(recipe.driver, recipe.capabilities, proxy, &output)
            .await
            .with_context(|| {
                format!("the driver and {engine:?} printed:\n{}", read(&output).unwrap_or_default())
            })?;
        let (width, height) = WINDOW;
        driver.set_window_rect(0, 0, width, height).await?;
        Ok(Self { driver, engine, process, output, display: recipe.display })
    }

    /// Closes the browser. Returns the errors on its console.
    pub(crate) async fn close(mut self) -> Result<Vec<String>> {
        let told = self.engine.told_console(&self.driver).await;
        let quit = self.driver.quit().await;
        let _ = self.process.kill().await;
        if let Some(display) = self.display {
            display.end().await;
        }
        quit?;
        let mut console = told?;
        console.extend(self.engine.printed_console(&read(&self.output)?));
        Ok(console)
    }
}

/// Starts the driver, and a browser with it.
async fn launch(
    driver: Command,
    capabilities: Value,
    proxy: SocketAddr,
    output: &File,
) -> Result<(Child, WebDriver)> {
    let (process, port) = listen(driver, output).await?;
    let Value::Object(mut wanted) = capabilities else { bail!("the capabilities are no object") };
    wanted.insert("proxy".to_owned(), proxy_settings(proxy));
    let driver =
        WebDriver::new(format!("http://127.0.0.1:{port}"), Capabilities::from(wanted)).await?;
    Ok((process, driver))
}

/// Reads what processes have written to this file. They must not write to it any more, because they
/// share its position.
fn read(mut file: &File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn proxy_settings(address: SocketAddr) -> Value {
    json!({
        "proxyType": "manual",
        "httpProxy": address.to_string(),
        "sslProxy": address.to_string(),
    })
}

/// Starts a driver on a free port and waits until it listens. WebKit's driver does not print a port
/// that it has chosen itself.
async fn listen(mut driver: Command, output: &File) -> Result<(Child, u16)> {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    let program = driver.as_std().get_program().display().to_string();
    let mut process = driver
        .arg(format!("--port={port}"))
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output.try_clone()?)
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("{program}: cannot be started"))?;
    let started = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
        if process.try_wait()?.is_some() {
            bail!("{program} ended before it was ready");
        }
        if started.elapsed() > DEADLINE {
            bail!("{program} does not listen");
        }
        sleep(GAP).await;
    }
    Ok((process, port))
}
