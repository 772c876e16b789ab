//! The demo shop as a payer uses it.

use super::{Checkout, Phone};
use crate::{Browser, demo::Demo};
use anyhow::Result;

/// The demo shop's page.
#[derive(Debug)]
pub struct Shop<'a> {
    browser: &'a Browser,
}

impl<'a> Shop<'a> {
    /// Opens the page, whose cart is not empty.
    pub async fn open(browser: &'a Browser, demo: &Demo) -> Result<Self> {
        browser.allow_origin(demo.shop());
        browser.allow_origin(demo.service());
        browser.open(demo.shop()).await?;
        Ok(Self { browser })
    }

    /// Adds a product to the cart.
    pub async fn add(&self, name: &str) -> Result<()> {
        self.browser.press(&format!("Add {name} to the cart")).await
    }

    /// Starts the checkout and waits for it.
    pub async fn go_to_pay(&self) -> Result<Checkout<'a>> {
        self.browser.press("Pay with mobile money").await?;
        let checkout = Checkout::on(self.browser);
        checkout.asks_for_a_number().await?;
        Ok(checkout)
    }

    /// Waits until the shop's page, outside the checkout, contains this text.
    pub async fn says(&self, words: &str) -> Result<()> {
        self.browser.role("status", words).await.map(drop)
    }

    /// The URL of the hosted page for the same order.
    pub async fn hosted_page(&self) -> Result<String> {
        let link = self.browser.role("link", "Open this order on the hosted page").await?;
        Ok(link.prop("href").await?.unwrap_or_default())
    }

    /// The simulated phone on the page.
    pub fn phone(&self) -> Phone<'a> {
        Phone::on(self.browser)
    }
}
