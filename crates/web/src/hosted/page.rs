//! The hosted page's HTML, from templates that escape whatever is put into them.

use super::{
    language::{Language, NAMES},
    page_address::PageAddress,
    server_flow::ServerFlow,
    texts::{text, written_in},
};
use crate::http::{PAGE, SDK, is_component_built, not_shown, render};
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use minijinja::{Value, context};
use serde_json::json;
use std::{collections::BTreeMap, rc::Rc};
use tokio::{runtime::Handle, task::spawn_blocking};
use tracing::Span;
use tua_api::resources::{BRANDING, logo_path};
use tua_checkout::{
    locale::Text,
    server::markup,
    views::{ViewContext, announcement},
};
use tua_contract::Network;
use tua_domain::{Checkout, branding::Branding, link::PublicLink};

/// The merchant of a page.
#[derive(Clone, Debug)]
pub struct Merchant {
    name: String,
    branding: Branding,
}

impl From<&PublicLink> for Merchant {
    fn from(public: &PublicLink) -> Self {
        Self { name: public.merchant.clone(), branding: public.branding.clone() }
    }
}

impl From<&Checkout> for Merchant {
    fn from(checkout: &Checkout) -> Self {
        Self { name: checkout.merchant.clone(), branding: checkout.branding.clone() }
    }
}

/// The template's values about a merchant: name, style sheet and logo.
pub(super) fn merchant_values(merchant: Option<&Merchant>) -> Value {
    let Some(Merchant { name, branding }) = merchant else { return context! {} };
    context! {
        merchant => name,
        accent_sheet => branding.accent.map(|accent| format!("{BRANDING}/{}.css", accent.digits())),
        logo => branding.logo.as_ref().map(logo_path),
    }
}

/// The hosted page, but for the screen on it.
#[derive(Debug)]
pub struct Page {
    status: StatusCode,
    merchant: Option<Merchant>,
    token: Option<String>,
    language: Language,
    /// Where the form is posted, unless to the page's own address.
    action: Option<String>,
    /// Whether the component is to take it over, where scripts run.
    has_script: bool,
    /// The page that finds a payment by its transaction ID.
    search: Option<String>,
    /// The merchant's page to return to, where the screen has no link to it.
    return_url: Option<String>,
    /// The refunds of the payment, below the screen.
    refunds: Option<Value>,
}

impl Page {
    /// The page at this address, with this status.
    #[must_use]
    pub fn of(address: PageAddress, status: StatusCode, merchant: Option<Merchant>) -> Self {
        Self {
            status,
            action: address.is_bare.then(|| address.to_string()),
            merchant,
            // The component would begin with the session as the API shows it: the faults of a
            // refused form would be lost, and so would a form that was asked for after a failure.
            has_script: status == StatusCode::OK && !address.wants_form && is_component_built(),
            // A dead token has no business on the page.
            token: address
                .token
                .filter(|_| !matches!(status, StatusCode::NOT_FOUND | StatusCode::UNAUTHORIZED)),
            language: address.language,
            search: None,
            return_url: None,
            refunds: None,
        }
    }

    /// The page with a link to this page for a payer who has paid.
    #[must_use]
    pub(super) fn with_search(self, search: Option<String>) -> Self {
        Self { search, ..self }
    }

    /// The page with a link back to the shop, below the screen.
    #[must_use]
    pub(super) fn with_return_url(self, return_url: Option<String>) -> Self {
        Self { return_url, ..self }
    }

    /// The page with what [`super::refunds::template_values`] has returned.
    #[must_use]
    pub(super) fn with_refunds(self, refunds: Option<Value>) -> Self {
        Self { refunds, ..self }
    }

    /// Draws it with the screen that this flow ends at.
    pub async fn draw(self, flow: impl FnOnce() -> ServerFlow + Send + 'static) -> Response {
        let runtime = Handle::current();
        let span = Span::current();
        // What Yew draws must stay on its thread.
        let drawn = spawn_blocking(move || {
            let _entered = span.enter();
            self.write(&flow(), &runtime)
        });
        drawn.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a page could not be drawn");
            not_shown()
        })
    }

    fn write(self, flow: &ServerFlow, runtime: &Handle) -> Response {
        let texts = self.language.texts();
        let view = ViewContext {
            texts: texts.clone(),
            format: Rc::new(self.language),
            id_prefix: "tua-0-".into(),
            action: self.action.map(Into::into),
            field: Default::default(),
        };
        let state = flow.state();
        let merchant = self.merchant.as_ref().map_or("", |merchant| &merchant.name);
        let return_text = texts.fill(Text::PaidReturn, &[("merchant", merchant)]);
        // What changes while the component is on the page is for the component to say.
        let title = match self.token {
            Some(_) => texts.get(Text::CheckoutLabel).to_owned(),
            None => announcement(state, &view),
        };
        let values = context! {
            title,
            heading => texts.get(Text::CheckoutLabel),
            body => runtime.block_on(markup(state.clone(), view)),
            lang => texts.get(Text::Language),
            dir => texts.get(Text::Direction),
            code => self.language.code(),
            languages => NAMES,
            token => self.token,
            sdk => SDK,
            hints => hints(),
            assets => PAGE,
            has_script => self.has_script,
            is_waiting => flow.is_waiting(),
            return_url => self.return_url,
            return_text,
            search => self.search.map(|href| find_link(self.language, href)),
            refunds => self.refunds,
            ..merchant_values(self.merchant.as_ref()),
        };
        render(self.status, "index.html", values)
    }
}

/// The network that each prefix suggests, by the two digits after the 0, as JSON for the page's
/// script.
fn hints() -> String {
    let hint = |prefix: u8| {
        let prefix = format!("{prefix:02}");
        let network = Network::hinted_by_prefix(&format!("0{prefix}"))?;
        Some((prefix, network.as_str()))
    };
    json!((0..100).filter_map(hint).collect::<BTreeMap<_, _>>()).to_string()
}

/// What templates show of a link to a page that finds a payment.
pub(super) fn find_link(language: Language, href: String) -> Value {
    let language = written_in(language);
    let texts = language.texts();
    context! {
        href,
        text => text(language, "find.link"),
        lang => texts.get(Text::Language),
        dir => texts.get(Text::Direction),
    }
}

/// Redirects to the page of the session (RFC 9110, section 15.4.4).
pub fn redirect_to(address: &PageAddress) -> Response {
    (
        StatusCode::SEE_OTHER,
        [(header::LOCATION, address.to_string()), (header::CACHE_CONTROL, "no-store".to_owned())],
    )
        .into_response()
}

/// A page without a session: what happened, and a link to this address (an empty one is the same
/// again).
pub fn message_page(
    language: Language,
    status: StatusCode,
    merchant: Option<&Merchant>,
    [title, text, way_on]: [&str; 3],
    href: &str,
) -> Response {
    let texts = language.texts();
    let values = context! {
        title,
        text,
        way_on,
        href,
        heading => texts.get(Text::CheckoutLabel),
        lang => texts.get(Text::Language),
        dir => texts.get(Text::Direction),
        assets => PAGE,
        ..merchant_values(merchant),
    };
    render(status, "index.html", values)
}
