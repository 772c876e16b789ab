//! The demo shop.

use super::{Checkout, Phone};
use crate::{Browser, demo::Demo};
use anyhow::Result;

/// The demo shop's page.
#[derive(Debug)]
pub struct Shop<'a> {
    browser: &'a Browser,
}

impl<'a> Shop<'a> {
    /// Opens it; its cart holds something already.
    pub async fn open(browser: &'a Browser, demo: &Demo) -> Result<Self> {
        browser.allow_origin(demo.shop());
        browser.allow_origin(demo.service());
        browser.open(demo.shop()).await?;
        Ok(Self { browser })
    }

    /// Puts one more thing into the cart.
    pub async fn add(&self, name: &str) -> Result<()> {
        self.browser.press(&format!("Add {name} to the cart")).await
    }

    /// Goes to pay, and waits for the checkout.
    pub async fn go_to_pay(&self) -> Result<Checkout<'a>> {
        self.browser.press("Pay with mobile money").await?;
        let checkout = Checkout::on(self.browser);
        checkout.asks_for_a_number().await?;
        Ok(checkout)
    }

    /// Waits until the shop itself, outside the checkout, says this.
    pub async fn says(&self, words: &str) -> Result<()> {
        self.browser.role("status", words).await.map(drop)
    }

    /// Where the same order can be paid without the shop's page.
    pub async fn hosted_page(&self) -> Result<String> {
        let link = self.browser.role("link", "Open this order on the hosted page").await?;
        Ok(link.prop("href").await?.unwrap_or_default())
    }

    /// The simulated phone beside the goods.
    pub fn phone(&self) -> Phone<'a> {
        Phone::on(self.browser)
    }
}
