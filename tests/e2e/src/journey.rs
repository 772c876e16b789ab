//! Runs a journey in a new browser, and fails it on unexpected violations.

use crate::browser::Browser;
use crate::engine::{Engine, Powers};
use crate::find;
use crate::proxy::{FLUSH_PAGE, Proxy};
use crate::session::Session;
use crate::violations::{Violation, ViolationLog};
use anyhow::{Context, Result};
use std::env;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use thirtyfour::WebDriver;

/// As [`journey_with`], with all features of a current browser.
pub async fn journey<F, Fut, T>(name: &str, walk: F)
where
    F: FnOnce(Browser) -> Fut,
    Fut: Future<Output = Result<T>> + Send + 'static,
    T: Send + 'static,
{
    journey_with(Powers::All, name, walk).await;
}

/// Runs a journey in a new browser, and fails it on an unexpected violation. A failed journey
/// leaves its last screen in `target/e2e/<engine>/<name>.png`.
///
/// The result of the journey is dropped after the browser has closed: if a server stopped before
/// its page, requests would get no response.
pub async fn journey_with<F, Fut, T>(powers: Powers, name: &str, walk: F)
where
    F: FnOnce(Browser) -> Fut,
    Fut: Future<Output = Result<T>> + Send + 'static,
    T: Send + 'static,
{
    let engine = Engine::of_this_run().expect("an engine");
    let violations = Arc::new(ViolationLog::ignoring(engine.makers_domains()));
    let proxy = Arc::new(Proxy::start(Arc::clone(&violations)).await.expect("the proxy starts"));
    let session =
        Session::start(engine, powers, proxy.address()).await.expect("the browser starts");
    let browser = Browser {
        driver: session.driver.clone(),
        proxy: Arc::clone(&proxy),
        violations: Arc::clone(&violations),
    };

    // In a task, so that the browser is closed after a panic too.
    let walked = tokio::spawn(walk(browser)).await;
    let screen = Screen::of(&session.driver).await;
    let closed = close(session, &violations).await;
    let outcome = match &walked {
        Err(panic) => Err(format!("{panic}")),
        Ok(Err(error)) => Err(format!("{error:#}")),
        Ok(Ok(_)) => closed.map_err(|error| format!("{error:#}")).and_then(|()| {
            match violations.unexpected() {
                unexpected if unexpected.is_empty() => Ok(()),
                unexpected => Err(format!("violations:\n{}", unexpected.join("\n"))),
            }
        }),
    };
    drop(walked);
    if let Err(error) = outcome {
        panic!("{name} in {engine:?}: {error}\n{}", screen.keep(engine, name));
    }
}

/// Closes the browser after it has sent all its reports.
async fn close(session: Session, violations: &ViolationLog) -> Result<()> {
    let left = session.driver.goto(FLUSH_PAGE).await.context("leaving the page");
    for line in session.close().await.context("closing the browser")? {
        violations.record(Violation::Console { line });
    }
    left
}

/// The last picture and text of the browser.
struct Screen {
    picture: Vec<u8>,
    words: String,
}

impl Screen {
    async fn of(driver: &WebDriver) -> Self {
        let picture = driver.screenshot_as_png().await.unwrap_or_default();
        Self { picture, words: find::text(driver, None).await.unwrap_or_default() }
    }

    /// Saves it for the investigation of a failure, and returns its path with the text of the page.
    fn keep(&self, engine: Engine, name: &str) -> String {
        let target = env::var_os("CARGO_TARGET_DIR").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target"),
            PathBuf::from,
        );
        let dir = target.join("e2e").join(format!("{engine:?}").to_lowercase());
        let file = dir.join(format!("{}.png", name.replace(' ', "-")));
        let _ = std::fs::create_dir_all(&dir);
        let _ = std::fs::write(&file, &self.picture);
        format!("screenshot: {}\non the page: {}", file.display(), self.words)
    }
}
