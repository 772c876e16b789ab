//! The simulated phone, in its frame.

use crate::Browser;
use anyhow::{Context, Result};

/// The simulated phone on the page that the browser shows.
#[derive(Debug)]
pub struct Phone<'a> {
    browser: &'a Browser,
}

impl<'a> Phone<'a> {
    /// The phone in the page's frame.
    pub fn on(browser: &'a Browser) -> Self {
        Self { browser }
    }

    /// Taps Approve on the only prompt.
    pub async fn approve(&self) -> Result<()> {
        self.inside(|| async { self.browser.press("Approve").await }).await
    }

    /// Taps Decline on the only prompt.
    pub async fn decline(&self) -> Result<()> {
        self.inside(|| async { self.browser.press("Decline").await }).await
    }

    /// Reads the only voucher.
    pub async fn voucher(&self) -> Result<String> {
        self.inside(|| async {
            self.browser.says("Voucher to pay").await?;
            let text = self.browser.text(None).await?;
            let code = text.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 6);
            code.map(str::to_owned)
                .with_context(|| format!("no voucher on the phone, which says: {text}"))
        })
        .await
    }

    async fn inside<T, F, Fut>(&self, act: F) -> Result<T>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T>>,
    {
        let frame = self.browser.role("frame", "Simulated phone").await?;
        self.browser.in_frame(frame, act).await
    }
}
