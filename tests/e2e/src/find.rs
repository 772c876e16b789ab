//! Finds elements by role and name, and waits for conditions.

use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::future::Future;
use std::time::{Duration, Instant};
use thirtyfour::{WebDriver, WebElement};

const FIND: &str = include_str!("find.js");
const TEXT: &str = include_str!("text.js");

/// Longer than any expected wait on two busy cores.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);
pub(crate) const GAP: Duration = Duration::from_millis(50);

pub(crate) async fn by_role(
    driver: &WebDriver,
    within: Option<&WebElement>,
    role: &str,
    name: Option<&str>,
) -> Result<Vec<WebElement>> {
    let within = within.map(WebElement::to_json).transpose()?.unwrap_or(Value::Null);
    Ok(driver.execute(FIND, vec![within, json!(role), json!(name)]).await?.elements()?)
}

pub(crate) async fn text(driver: &WebDriver, within: Option<&WebElement>) -> Result<String> {
    let within = within.map(WebElement::to_json).transpose()?.unwrap_or(Value::Null);
    Ok(driver.execute(TEXT, vec![within]).await?.convert()?)
}

/// Repeats a query until its result is `Some`. A query may fail while the page renders, so it is
/// repeated after an error as well.
pub(crate) async fn until<T, F, Fut>(what: &str, mut ask: F) -> Result<T>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<Option<T>>>,
{
    let started = Instant::now();
    let mut last_error;
    loop {
        match ask().await {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) => last_error = None,
            Err(error) => last_error = Some(error),
        }
        if started.elapsed() > DEADLINE {
            match last_error {
                Some(error) => return Err(error.context(format!("waited in vain for {what}"))),
                None => bail!("waited in vain for {what}"),
            }
        }
        tokio::time::sleep(GAP).await;
    }
}
