//! The dashboard as a person uses it.

use crate::{Browser, PASSWORD, TestService};
use anyhow::{Context, Result};

/// The dashboard in a browser.
#[derive(Debug)]
pub struct Dashboard<'a> {
    browser: &'a Browser,
}

impl<'a> Dashboard<'a> {
    /// Opens the dashboard, and waits for its sign-in page.
    pub async fn open(browser: &'a Browser, service: &TestService) -> Result<Self> {
        let origin = service.dashboard();
        browser.allow_origin(origin);
        browser.open(&format!("{origin}/dashboard")).await?;
        let dashboard = Self { browser };
        dashboard.shows("Sign in").await?;
        Ok(dashboard)
    }

    /// Signs in with password and code, and waits for the first page of the account.
    pub async fn sign_in(&self, email: &str, code: &str) -> Result<()> {
        self.browser.fill("E-mail address", email).await?;
        self.enter_credentials(code).await?;
        self.browser.press("Sign in").await?;
        self.shows("Money in today").await
    }

    /// Enrols with a link: types a name, the password and a code, and keeps the recovery codes.
    pub async fn enrol(&self, invitation: &str, name: &str, code: &str) -> Result<()> {
        self.browser.open(invitation).await?;
        self.browser.fill("Your name", name).await?;
        self.browser.fill("New password", PASSWORD).await?;
        self.browser.fill("The six digits", code).await?;
        self.browser.press("Finish").await?;
        self.shows("Recovery codes").await?;
        self.follow("I have written them down").await?;
        self.shows("Money in today").await
    }

    /// Confirms a form with password and code, and sends what was entered with this button, which
    /// says what it does.
    pub async fn prove_and_send(&self, code: &str, button: &str) -> Result<()> {
        self.shows("Confirm that it is you").await?;
        self.enter_credentials(code).await?;
        self.browser.press("Confirm").await?;
        self.shows("Your entries were kept").await?;
        self.browser.press(button).await
    }

    /// Goes to a page of the account, which has this heading.
    pub async fn go_to(&self, page: &str, heading: &str) -> Result<()> {
        // A narrow window has the pages behind a link.
        if self.browser.count("navigation", "Pages").await? == 0 {
            self.follow("More").await?;
        }
        let pages = self.browser.role("navigation", "Pages").await?;
        self.browser.role_in(Some(&pages), "link", page).await?.click().await?;
        self.shows(heading).await
    }

    /// Searches the payments for a reference, and opens the only one that matches.
    pub async fn find_payment(&self, reference: &str) -> Result<()> {
        self.go_to("Payments", "Payments").await?;
        self.browser.fill("Search", reference).await?;
        self.browser.press("Search").await?;
        self.says(&format!("Search: {reference}")).await?;
        self.says("1 payment").await?;
        // A payment's link is the number of the phone.
        self.follow("024 123 4567").await?;
        self.shows(reference).await
    }

    /// Creates a key that pays out, and returns it.
    pub async fn create_payout_key(&self, name: &str) -> Result<String> {
        self.go_to("Secret keys", "Secret keys").await?;
        // The form is in a part that opens.
        self.browser.press("Create a key").await?;
        self.browser.fill("Name: which program uses it", name).await?;
        let payouts = self.browser.role("checkbox", "payout:").await?;
        self.browser.label_of(&payouts).await?.click().await?;
        self.browser.press("Create a key").await?;
        let created = self.browser.role("status", "The key was created").await?;
        let text = self.browser.text(Some(&created)).await?;
        let key = text.split_whitespace().find(|word| word.starts_with("tua_"));
        key.map(str::to_owned).context("no key on the page")
    }

    /// Signs out, and waits for the sign-in page.
    pub async fn sign_out(&self) -> Result<()> {
        self.browser.press("Sign out").await?;
        self.shows("Sign in").await
    }

    /// Clicks the link with this name.
    pub async fn follow(&self, name: &str) -> Result<()> {
        self.browser.click(&self.browser.role("link", name).await?).await
    }

    /// Waits for a page by its heading. It must fit into the window.
    pub async fn shows(&self, heading: &str) -> Result<()> {
        self.browser.role("heading", heading).await?;
        self.browser.fits().await
    }

    /// Waits for a text.
    pub async fn says(&self, words: &str) -> Result<()> {
        self.browser.says(words).await
    }

    async fn enter_credentials(&self, code: &str) -> Result<()> {
        self.browser.fill("Password", PASSWORD).await?;
        self.browser.fill("Code", code).await
    }
}
