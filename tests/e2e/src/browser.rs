//! One Chromium with a driver of its own for each journey.

use crate::find::{self, until};
use crate::witness::Witness;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use std::env;
use std::future::Future;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use thirtyfour::{Capabilities, WebDriver, WebElement};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::Mutex;

const ARGUMENTS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--lang=en-GB",
    "--window-size=1000,1400",
];

/// A browser window, and the questions a payer would ask of it.
#[derive(Debug, Clone)]
pub struct Browser {
    driver: WebDriver,
    witness: Arc<Mutex<Witness>>,
}

/// What a journey's browser can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Powers {
    /// All that browsers of today can.
    All,
    /// Everything but WebAssembly.
    NoWasm,
    /// Pages and forms only.
    NoScript,
}

/// As [`journey_with`], in a browser of today.
pub async fn journey<F, Fut, T>(name: &str, walk: F)
where
    F: FnOnce(Browser) -> Fut,
    Fut: Future<Output = Result<T>> + Send + 'static,
    T: Send + 'static,
{
    journey_with(Powers::All, name, walk).await;
}

/// Runs a journey in a browser of its own, then fails it if the browser saw what must not be.
/// When it fails, the last screen is left in `target/e2e/<name>.png`.
///
/// What the walk returns lives until the browser has been asked: a server that ended before its
/// page would be an error on the console.
pub async fn journey_with<F, Fut, T>(powers: Powers, name: &str, walk: F)
where
    F: FnOnce(Browser) -> Fut,
    Fut: Future<Output = Result<T>> + Send + 'static,
    T: Send + 'static,
{
    let (mut process, port) = start_driver().await.expect("chromedriver starts");
    let driver = connect(port, powers).await.expect("Chromium starts");
    let browser = Browser { driver: driver.clone(), witness: Arc::default() };

    // As a task: a panic in it still lets the browser be closed.
    let walked = tokio::spawn(walk(browser.clone())).await;
    let looked = browser.witness.lock().await.look(&driver).await;
    let faults = browser.witness.lock().await.faults().to_vec();
    let outcome = match &walked {
        Err(panic) => Err(format!("{panic}")),
        Ok(Err(error)) => Err(format!("{error:#}")),
        Ok(Ok(_)) => match looked {
            Err(error) => Err(format!("the browser's logs: {error:#}")),
            Ok(()) if faults.is_empty() => Ok(()),
            Ok(()) => Err(format!("the browser saw\n{}", faults.join("\n"))),
        },
    };
    let mut seen = String::new();
    if outcome.is_err() {
        let shot = shots().join(format!("{}.png", name.replace(' ', "-")));
        let _ = std::fs::create_dir_all(shots());
        let _ = driver.screenshot(&shot).await;
        let words = find::text(&driver, None).await.unwrap_or_default();
        seen = format!("\nscreenshot: {}\non the page: {words}", shot.display());
    }
    let _ = driver.quit().await;
    let _ = process.kill().await;
    drop(walked);
    if let Err(error) = outcome {
        panic!("{name}: {error}{seen}");
    }
}

impl Browser {
    /// Requests may go to this origin; to any other they fail the journey.
    pub async fn allow_origin(&self, origin: &str) {
        self.witness.lock().await.allow_origin(origin);
    }

    /// An error on the console that this journey provokes on purpose.
    pub async fn expect_on_console(&self, part: &str) {
        self.witness.lock().await.expect_on_console(part);
    }

    /// Lets every answer take this long from now on.
    pub async fn slow_down(&self, latency: Duration) -> Result<()> {
        let conditions = json!({
            "offline": false,
            "latency": latency.as_millis(),
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        });
        self.driver.cdp().send_raw("Network.emulateNetworkConditions", conditions).await?;
        Ok(())
    }

    /// Goes to an address and waits until the page has loaded.
    pub async fn open(&self, url: &str) -> Result<()> {
        self.driver.goto(url).await.with_context(|| format!("opening {url}"))
    }

    /// As the payer's reload button does.
    pub async fn reload(&self) -> Result<()> {
        Ok(self.driver.refresh().await?)
    }

    /// Where the window is now.
    pub async fn address(&self) -> Result<String> {
        Ok(self.driver.current_url().await?.to_string())
    }

    /// Runs a script in the page, as the merchant's own code would.
    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        Ok(self.driver.execute(script, arguments).await?.json().clone())
    }

    /// The only visible element of this role whose name contains `name`, waited for.
    pub async fn role(&self, role: &str, name: &str) -> Result<WebElement> {
        self.role_in(None, role, name).await
    }

    /// As [`Browser::role`], under an element or in its shadow root.
    pub async fn role_in(&self, within: Option<&WebElement>, role: &str, name: &str) -> Result<WebElement> {
        until(&format!("a {role} named {name:?}"), || async {
            let mut found = find::by_role(&self.driver, within, role, Some(name)).await?;
            if found.len() > 1 {
                bail!("{} {role}s are named {name:?}", found.len());
            }
            Ok(found.pop())
        })
        .await
    }

    /// How many visible elements there are now of this role and name.
    pub async fn count(&self, role: &str, name: &str) -> Result<usize> {
        Ok(find::by_role(&self.driver, None, role, Some(name)).await?.len())
    }

    /// The label around or for a field: what a finger really taps.
    pub async fn label_of(&self, field: &WebElement) -> Result<WebElement> {
        Ok(self.driver.execute("return arguments[0].labels[0]", vec![field.to_json()?]).await?.element()?)
    }

    /// Elements by tag name, for custom elements, which have no role.
    pub async fn tags(&self, tag: &str) -> Result<Vec<WebElement>> {
        Ok(self.driver.find_all(thirtyfour::By::Tag(tag)).await?)
    }

    /// Clicks a button once there is one of that name.
    pub async fn press(&self, name: &str) -> Result<()> {
        self.press_in(None, name).await
    }

    /// As [`Browser::press`], under an element or in its shadow root.
    pub async fn press_in(&self, within: Option<&WebElement>, name: &str) -> Result<()> {
        // Found and clicked anew each time: a redraw may take the element away in between.
        until(&format!("a button {name:?} that can be pressed"), || async {
            let Some(button) = find::by_role(&self.driver, within, "button", Some(name)).await?.pop() else {
                return Ok(None);
            };
            button.scroll_into_view().await?;
            button.click().await?;
            Ok(Some(()))
        })
        .await
    }

    /// Waits until the page, shadow roots included, says this.
    pub async fn says(&self, words: &str) -> Result<()> {
        self.says_in(None, words).await
    }

    /// As [`Browser::says`], under an element or in its shadow root.
    pub async fn says_in(&self, within: Option<&WebElement>, words: &str) -> Result<()> {
        let wanted = words.to_lowercase();
        until(&format!("the words {words:?}"), || async {
            let text = find::text(&self.driver, within).await?;
            Ok(text.to_lowercase().contains(&wanted).then_some(()))
        })
        .await
    }

    /// All that the page, or what is under an element, says now.
    pub async fn text(&self, within: Option<&WebElement>) -> Result<String> {
        find::text(&self.driver, within).await
    }

    /// Does something inside a frame of the page and comes back.
    pub async fn in_frame<T, F, Fut>(&self, frame: WebElement, inside: F) -> Result<T>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T>>,
    {
        frame.enter_frame().await?;
        let answer = inside().await;
        self.driver.enter_default_frame().await?;
        answer
    }
}

/// Where the screens of failed journeys are left.
fn shots() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target"), PathBuf::from);
    target.join("e2e")
}

async fn start_driver() -> Result<(Child, u16)> {
    const READY: &str = "was started successfully on port ";
    let program = env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
    let mut process = Command::new(&program)
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("{}: cannot be started", program.display()))?;
    let stdout = process.stdout.take().context("chromedriver has no standard output")?;
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some((_, rest)) = line.split_once(READY) {
            let port = rest.trim_end_matches('.').parse()?;
            // Kept open and read, or the driver would be stopped by its own chatter.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok((process, port));
        }
    }
    bail!("chromedriver ended before it was ready")
}

async fn connect(port: u16, powers: Powers) -> Result<WebDriver> {
    let mut arguments = ARGUMENTS.to_vec();
    let mut preferences = json!({});
    match powers {
        Powers::All => {}
        Powers::NoWasm => arguments.push("--js-flags=--jitless"),
        Powers::NoScript => preferences = json!({ "profile.managed_default_content_settings.javascript": 2 }),
    }
    let mut options = json!({ "args": arguments, "prefs": preferences, "perfLoggingPrefs": { "enableNetwork": true } });
    if let Some(binary) = env::var("CHROMIUM").ok().or_else(default_chromium) {
        options["binary"] = json!(binary);
    }
    let capabilities: Map<String, Value> = [
        ("browserName".to_owned(), json!("chrome")),
        ("goog:chromeOptions".to_owned(), options),
        ("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL", "performance": "ALL" })),
    ]
    .into_iter()
    .collect();
    Ok(WebDriver::new(format!("http://127.0.0.1:{port}"), Capabilities::from(capabilities)).await?)
}

fn default_chromium() -> Option<String> {
    let debian = "/usr/bin/chromium";
    std::path::Path::new(debian).exists().then(|| debian.to_owned())
}
