//! A payer on the hosted page without script.

use tua_test_support::{
    Response, TestApp, eventually,
    hosted_page::{assert_page, send_form},
};

/// A payer on the page of a session of GHS 10.50.
pub struct AtPage<'a> {
    pub app: &'a TestApp,
    pub token: String,
    pub path: String,
}

impl<'a> AtPage<'a> {
    pub async fn of(app: &'a TestApp) -> Self {
        let token = app.payer(&app.shop().await).await.credential;
        Self { app, path: format!("/pay?key={token}"), token }
    }

    pub async fn load(&self) -> Response {
        self.app.actor("").get(&self.path).await
    }

    pub async fn post(&self, fields: &str) -> Response {
        let form = [("content-type", "application/x-www-form-urlencoded")];
        send_form(&self.app.actor(""), &self.path, fields, &form).await
    }

    /// Sends a form that is accepted: the browser is redirected to the page.
    pub async fn post_accepted(&self, fields: &str) {
        let answer = self.post(fields).await.is(303);
        assert_eq!(answer.header("location"), self.path);
        assert_eq!(answer.header("cache-control"), "no-store");
    }

    /// Sends a form that is shown again.
    pub async fn post_rejected(&self, fields: &str, status: u16) -> String {
        let page = assert_page(self.post(fields).await, status).text;
        assert!(!page.contains("<script"), "the component would lose the errors: {page}");
        page
    }

    pub async fn wait_for_text(&self, words: &str) -> String {
        // The delay of the sandbox.
        self.app.advance(2);
        eventually(words, async || self.load().await.text.contains(words)).await;
        self.load().await.text
    }

    pub async fn charges(&self) -> u64 {
        let session = self.app.actor(&self.token).get("/v1/checkout").await.json();
        5 - session["attemptsLeft"].as_u64().unwrap()
    }
}

/// Asserts that all of these texts are on the page.
#[track_caller]
pub fn assert_shows(page: &str, all: &[&str]) {
    for words in all {
        assert!(page.contains(words), "{words:?} is not in {page}");
    }
}

/// Asserts that none of these texts is on the page.
#[track_caller]
pub fn assert_hides(page: &str, all: &[&str]) {
    for words in all {
        assert!(!page.contains(words), "{words:?} is in {page}");
    }
}

/// The page looks again by itself.
pub const REFRESHES: &str = "<noscript><meta http-equiv=\"refresh\"";
