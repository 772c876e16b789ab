//! A browser window, with a person's actions in it.

use crate::find::{self, until};
use crate::proxy::{Held, Proxy};
use crate::violations::ViolationLog;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::future::Future;
use std::sync::Arc;
use thirtyfour::{Key, TypingData, WebDriver, WebElement};

/// More than the elements of any page that can get the focus.
const MAX_TABS: usize = 80;

/// A window of a journey's browser.
#[derive(Debug, Clone)]
pub struct Browser {
    pub(crate) driver: WebDriver,
    pub(crate) proxy: Arc<Proxy>,
    pub(crate) violations: Arc<ViolationLog>,
}

impl Browser {
    /// Allows requests to this origin. A request to any other origin fails the journey.
    pub fn allow_origin(&self, origin: &str) {
        self.violations.allow_origin(origin);
    }

    /// Expects a violation whose text contains this part.
    pub fn expect(&self, part: &str) {
        self.violations.expect(part);
    }

    /// Delays the responses to requests whose path begins with this, until [`Browser::release`].
    pub fn hold(&self, paths: &'static str) {
        self.proxy.hold(Held::Paths(paths));
    }

    /// As [`Browser::hold`], for the requests with which a page refreshes itself.
    pub fn hold_refreshes(&self) {
        self.proxy.hold(Held::Refreshes);
    }

    /// Waits until a request is held since [`Browser::hold`] or [`Browser::hold_refreshes`].
    pub async fn holds_a_request(&self) -> Result<()> {
        until("a request that is held", || async { Ok(self.proxy.has_held().then_some(())) }).await
    }

    /// Ends [`Browser::hold`] and [`Browser::hold_refreshes`], and delivers the responses that were delayed.
    pub fn release(&self) {
        self.proxy.release();
    }

    /// Continues in a new window of this width in CSS pixels. It is a pop-up, because Firefox makes
    /// any other window at least 500 px wide.
    pub async fn open_narrow_window(&self, width: u32) -> Result<()> {
        let first = self.driver.window().await?;
        let script =
            "window.open('about:blank', '_blank', `popup,width=${arguments[0]},height=640`)";
        self.run(script, vec![json!(width)]).await?;
        let second = until("a second window", || async {
            Ok(self.driver.windows().await?.into_iter().find(|window| *window != first))
        });
        self.driver.switch_to_window(second.await?).await?;
        until(&format!("a window of {width} pixels"), || async {
            Ok((self.run("return innerWidth", vec![]).await? == json!(width)).then_some(()))
        })
        .await
    }

    /// Waits until the page is not wider than its window.
    pub async fn fits(&self) -> Result<()> {
        let script =
            "const page = document.documentElement; return page.scrollWidth <= page.clientWidth";
        until("a page that does not scroll sideways", || async {
            Ok((self.run(script, vec![]).await? == json!(true)).then_some(()))
        })
        .await
    }

    /// Opens an address and waits until the page has loaded.
    pub async fn open(&self, url: &str) -> Result<()> {
        self.driver.goto(url).await.with_context(|| format!("opening {url}"))
    }

    /// Loads the page again, as the browser's button does.
    pub async fn reload(&self) -> Result<()> {
        Ok(self.driver.refresh().await?)
    }

    /// The URL of the page that is open now.
    pub async fn address(&self) -> Result<String> {
        Ok(self.driver.current_url().await?.to_string())
    }

    /// Runs a script in the page.
    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        Ok(self.driver.execute(script, arguments).await?.json().clone())
    }

    /// Waits for the only visible element with this role and name. If none has exactly this name,
    /// for the only one whose name contains it.
    pub async fn role(&self, role: &str, name: &str) -> Result<WebElement> {
        self.role_in(None, role, name).await
    }

    /// As [`Browser::role`], inside an element or its shadow root.
    pub async fn role_in(
        &self,
        within: Option<&WebElement>,
        role: &str,
        name: &str,
    ) -> Result<WebElement> {
        until(&format!("a {role} named {name:?}"), || async {
            let mut found = find::by_role(&self.driver, within, role, Some(name)).await?;
            if found.len() > 1 {
                bail!("{} {role}s are named {name:?}", found.len());
            }
            Ok(found.pop())
        })
        .await
    }

    /// Clicks an element in the middle of the window, where no bar is above it.
    pub async fn click(&self, element: &WebElement) -> Result<()> {
        let script = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
        self.run(script, vec![element.to_json()?]).await?;
        Ok(element.click().await?)
    }

    /// The number of visible elements with this role and name.
    pub async fn count(&self, role: &str, name: &str) -> Result<usize> {
        Ok(find::by_role(&self.driver, None, role, Some(name)).await?.len())
    }

    /// The label of a field, which a payer taps.
    pub async fn label_of(&self, field: &WebElement) -> Result<WebElement> {
        Ok(self
            .driver
            .execute("return arguments[0].labels[0]", vec![field.to_json()?])
            .await?
            .element()?)
    }

    /// Elements by tag name, because custom elements have no role.
    pub async fn tags(&self, tag: &str) -> Result<Vec<WebElement>> {
        Ok(self.driver.find_all(thirtyfour::By::Tag(tag)).await?)
    }

    /// Waits for a button with this name and clicks it.
    pub async fn press(&self, name: &str) -> Result<()> {
        self.press_in(None, name).await
    }

    /// As [`Browser::press`], inside an element or its shadow root.
    pub async fn press_in(&self, within: Option<&WebElement>, name: &str) -> Result<()> {
        // Each try finds the element again, because a rendering may remove it in between.
        until(&format!("a button {name:?} that can be pressed"), || async {
            let Some(button) =
                find::by_role(&self.driver, within, "button", Some(name)).await?.pop()
            else {
                return Ok(None);
            };
            button.scroll_into_view().await?;
            button.click().await?;
            Ok(Some(()))
        })
        .await
    }

    /// Replaces the text of a field.
    pub async fn fill(&self, label: &str, text: &str) -> Result<()> {
        self.fill_in(None, label, text).await
    }

    /// As [`Browser::fill`], inside an element or its shadow root.
    pub async fn fill_in(
        &self,
        within: Option<&WebElement>,
        label: &str,
        text: &str,
    ) -> Result<()> {
        // Typed again if a rendering has replaced the field in between.
        until(&format!("a field {label:?} that can be typed into"), || async {
            let field = self.role_in(within, "textbox", label).await?;
            field.clear().await?;
            field.send_keys(text).await?;
            Ok(Some(()))
        })
        .await
    }

    /// Presses Tab until the element with this role and name has the focus, which must be visible.
    pub async fn tab_to(&self, role: &str, name: &str) -> Result<()> {
        for _ in 0..MAX_TABS {
            self.keys(TypingData::from(Key::Tab)).await?;
            let focused = self.driver.active_element().await?;
            let found = find::by_role(&self.driver, None, role, Some(name)).await?;
            if found.iter().any(|one| one.element_id() == focused.element_id()) {
                ensure!(
                    focused.css_value("outline-style").await? != "none",
                    "no visible focus on {role} {name:?}"
                );
                return Ok(());
            }
        }
        bail!("{MAX_TABS} Tab keys do not reach a {role} named {name:?}")
    }

    /// Presses keys on the focused element.
    pub async fn keys(&self, keys: TypingData) -> Result<()> {
        Ok(self.driver.action_chain().send_keys(keys).perform().await?)
    }

    /// Waits until the text of the page and its shadow roots contains this.
    pub async fn says(&self, words: &str) -> Result<()> {
        self.says_in(None, words).await
    }

    /// As [`Browser::says`], inside an element or its shadow root.
    pub async fn says_in(&self, within: Option<&WebElement>, words: &str) -> Result<()> {
        let wanted = words.to_lowercase();
        until(&format!("the words {words:?}"), || async {
            let text = find::text(&self.driver, within).await?;
            Ok(text.to_lowercase().contains(&wanted).then_some(()))
        })
        .await
    }

    /// The visible text of the page or of an element.
    pub async fn text(&self, within: Option<&WebElement>) -> Result<String> {
        find::text(&self.driver, within).await
    }

    /// Runs an action inside a frame of the page.
    pub async fn in_frame<T, F, Fut>(&self, frame: WebElement, inside: F) -> Result<T>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T>>,
    {
        // Not every driver scrolls a frame into view before a click.
        frame.scroll_into_view().await?;
        frame.enter_frame().await?;
        let answer = inside().await;
        self.driver.enter_default_frame().await?;
        answer
    }
}
