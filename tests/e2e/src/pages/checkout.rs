//! The checkout: in the demo shop, on the hosted page or in a tag.

use crate::Browser;
use crate::find::until;
use anyhow::Result;
use thirtyfour::WebElement;

/// A checkout on the page that the browser shows.
#[derive(Debug)]
pub struct Checkout<'a> {
    browser: &'a Browser,
    /// The tag, if the page has several.
    tag: Option<WebElement>,
}

impl<'a> Checkout<'a> {
    /// The only checkout on the page.
    pub fn on(browser: &'a Browser) -> Self {
        Self { browser, tag: None }
    }

    /// The checkout in this tag.
    pub fn at(browser: &'a Browser, tag: WebElement) -> Self {
        Self { browser, tag: Some(tag) }
    }

    /// Replaces the number in the form.
    pub async fn type_number(&self, number: &str) -> Result<()> {
        self.fill("Mobile money number", number).await
    }

    /// Chooses a network by the text of its card.
    pub async fn choose_network(&self, name: &str) -> Result<()> {
        until(&format!("a network {name:?} that can be chosen"), || async {
            let radio = self.browser.role_in(self.tag.as_ref(), "radio", name).await?;
            self.browser.label_of(&radio).await?.click().await?;
            Ok(Some(()))
        })
        .await
    }

    /// Whether this network is chosen.
    pub async fn has_chosen(&self, name: &str) -> Result<bool> {
        let radio = self.browser.role_in(self.tag.as_ref(), "radio", name).await?;
        Ok(radio.is_selected().await?)
    }

    /// Presses the button that sends the form.
    pub async fn pay(&self) -> Result<()> {
        self.press("Pay GH").await
    }

    /// Types a code or voucher and sends it.
    pub async fn enter_voucher(&self, code: &str) -> Result<()> {
        self.fill("Voucher code", code).await?;
        self.press("Confirm payment").await
    }

    /// Types a passcode and sends it.
    pub async fn enter_passcode(&self, code: &str) -> Result<()> {
        self.fill("Code", code).await?;
        self.press("Confirm payment").await
    }

    /// Presses a button of the checkout.
    pub async fn press(&self, name: &str) -> Result<()> {
        self.browser.press_in(self.tag.as_ref(), name).await
    }

    /// Waits for the form and the session's amount.
    pub async fn asks_for_a_number(&self) -> Result<()> {
        self.browser.role_in(self.tag.as_ref(), "button", "Pay GH").await?;
        self.browser.role_in(self.tag.as_ref(), "textbox", "Mobile money number").await.map(drop)
    }

    /// The number in the form.
    pub async fn number(&self) -> Result<Option<String>> {
        let field =
            self.browser.role_in(self.tag.as_ref(), "textbox", "Mobile money number").await?;
        Ok(field.value().await?)
    }

    /// Waits until the payer is asked to approve on the phone.
    pub async fn waits_for_approval(&self) -> Result<()> {
        self.shows("Approve on your phone").await
    }

    /// Waits until a voucher is asked for.
    pub async fn asks_for_a_voucher(&self) -> Result<()> {
        self.shows("Enter your voucher code").await
    }

    /// Waits until it is paid.
    pub async fn is_paid(&self) -> Result<()> {
        self.shows("Payment successful").await
    }

    /// Waits until it has failed, for this reason.
    pub async fn has_failed(&self, reason: &str) -> Result<()> {
        self.shows("Payment not completed").await?;
        self.says(reason).await
    }

    /// Waits for a screen by its heading.
    pub async fn shows(&self, heading: &str) -> Result<()> {
        self.browser.role_in(self.tag.as_ref(), "heading", heading).await.map(drop)
    }

    /// Waits for a text.
    pub async fn says(&self, words: &str) -> Result<()> {
        self.browser.says_in(self.tag.as_ref(), words).await
    }

    /// Waits until the component has replaced the server's markup of the hosted page.
    pub async fn has_taken_over(&self) -> Result<()> {
        const IS_OURS: &str = "return document.querySelector('main > .tua') === null";
        until("the component on the hosted page", || async {
            Ok((self.browser.run(IS_OURS, vec![]).await? == true).then_some(()))
        })
        .await
    }

    async fn fill(&self, label: &str, text: &str) -> Result<()> {
        self.browser.fill_in(self.tag.as_ref(), label, text).await
    }
}
