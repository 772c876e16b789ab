//! The pages of payment links as HTML.

use super::{
    amount::AmountFault,
    fields::{AnswerFault, RefusedLinkForm},
};
use crate::{
    hosted::{
        language::{Language, NAMES},
        page::{find_link, merchant_values},
        texts::{text, with, written_in},
    },
    http::{PAGE, render},
};
use axum::{http::StatusCode, response::Response};
use minijinja::context;
use tua_checkout::locale::{Format, Text};
use tua_contract::Amount;
use tua_domain::{
    Mode,
    link::{ANSWER_MAX_CHARS, Link, LinkAmount, LinkStatus, PublicLink},
    public_url::PublicUrl,
};
use url::form_urlencoded;

/// The picture of previews, at a URL that never changes.
const PICTURE: &str = "/assets/link.png";

/// The language of a page, and the one that its address asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageLanguage {
    pub(super) requested: Option<Language>,
    pub(super) language: Language,
}

impl PageLanguage {
    fn language(self) -> Language {
        written_in(self.language)
    }

    /// The query of a page's own address.
    pub(super) fn query(self) -> String {
        self.requested.map_or_else(String::new, |language| format!("?lang={}", language.code()))
    }
}

/// Why a link takes no payment now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnpayableReason {
    /// The link is used up, has expired, or was closed.
    Ended(LinkStatus),
    /// The merchant's account is suspended.
    Suspended,
    /// A charge of a link for one payment is pending.
    Pending,
    /// No operator serves the merchant.
    Unavailable,
}

impl UnpayableReason {
    fn id(self) -> &'static str {
        match self {
            Self::Ended(LinkStatus::Used) => "used",
            Self::Ended(LinkStatus::Expired) => "expired",
            Self::Ended(LinkStatus::Closed | LinkStatus::Open) => "closed",
            Self::Suspended => "suspended",
            Self::Pending => "pending",
            Self::Unavailable => "unavailable",
        }
    }
}

/// A link's page with its button. `refused` is what was typed, where a field is at fault.
pub(super) fn open(
    page_language: PageLanguage,
    public: &PublicLink,
    public_url: &PublicUrl,
    refused: Option<&RefusedLinkForm>,
) -> Response {
    let language = page_language.language();
    let link = &public.link;
    let texts = language.texts();
    let status = if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let url = link.address(public_url);
    let text_of_preview =
        link.terms.description.clone().unwrap_or_else(|| summary(language, &link.terms.amount));
    let values = context! {
        title => &link.terms.title,
        heading => &link.terms.title,
        badge => badge(language, link),
        money => link.terms.amount.fixed().map(|amount| money(language, amount)),
        text => &link.terms.description,
        preview => context! {
            text => text_of_preview,
            url => &url,
            image => format!("{public_url}{PICTURE}"),
        },
        form => "pay",
        action => format!("/l/{}{}", link.code, page_language.query()),
        amount => matches!(link.terms.amount, LinkAmount::Open { .. }).then(|| context! {
            label => text(language, "amount.label"),
            value => refused.map(|refused| &refused.amount),
            hint => hint(language, &link.terms.amount),
            fault => refused
                .and_then(|refused| refused.amount_fault)
                .map(|fault| fault_text(language, fault)),
        }),
        answer => link.terms.question.as_ref().map(|question| context! {
            label => question,
            value => refused.map(|refused| &refused.answer),
            hint => with(language, "answer.hint", "{shop}", &public.merchant),
            most => ANSWER_MAX_CHARS,
            fault => refused
                .and_then(|refused| refused.answer_fault)
                .map(|fault| answer_fault_text(language, fault)),
        }),
        email => public.sends_receipts.then(|| context! {
            label => text(language, "email.label"),
            value => refused.map(|refused| &refused.email),
            hint => text(language, "email.hint"),
            fault => refused
                .filter(|refused| refused.is_email_wrong)
                .map(|_| text(language, "fault.email")),
        }),
        button => text(language, "button"),
        pin => texts.get(Text::FormPin),
        share => context! { href => share(public, &url), text => text(language, "share") },
        search => search(page_language, public),
        ..frame(page_language, Some(public))
    };
    render(status, "link.html", values)
}

/// A link's page without a button: why it takes no payment now.
pub(super) fn unpayable(
    page_language: PageLanguage,
    public: &PublicLink,
    reason: UnpayableReason,
    status: StatusCode,
) -> Response {
    let language = page_language.language();
    let link = &public.link;
    let of = |part: &str| text(language, &format!("{}.{part}", reason.id()));
    let values = context! {
        title => &link.terms.title,
        heading => of("title"),
        badge => badge(language, link),
        text => of("text"),
        form => "",
        action => format!("/l/{}{}", link.code, page_language.query()),
        way_on => Some(of("on")).filter(|text| !text.is_empty()),
        search => search(page_language, public),
        ..frame(page_language, Some(public))
    };
    render(status, "link.html", values)
}

/// The page with a field for a code. `typed` is the code that was refused.
pub(super) fn enter(
    page_language: PageLanguage,
    status: StatusCode,
    typed: Option<&str>,
) -> Response {
    let language = page_language.language();
    let is_unknown = status == StatusCode::NOT_FOUND;
    let page = if is_unknown { "unknown" } else { "enter" };
    let fault = match typed {
        Some(typed) if !is_unknown && typed.trim().is_empty() => {
            Some(text(language, "fault.code_empty"))
        }
        Some(_) if !is_unknown => Some(text(language, "fault.code")),
        _ => None,
    };
    let values = context! {
        title => text(language, &format!("{page}.title")),
        heading => text(language, &format!("{page}.title")),
        text => text(language, &format!("{page}.text")),
        form => "code",
        code => context! {
            label => text(language, "code.label"),
            value => typed,
            hint => text(language, "code.hint"),
        },
        fault,
        button => text(language, "code.button"),
        ..frame(page_language, None)
    };
    render(status, "link.html", values)
}

/// The way to the page that finds a payment by its transaction ID.
fn search(page_language: PageLanguage, public: &PublicLink) -> minijinja::Value {
    find_link(
        page_language.language,
        format!("/l/{}/find{}", public.link.code, page_language.query()),
    )
}

/// What every page has.
fn frame(page_language: PageLanguage, public: Option<&PublicLink>) -> minijinja::Value {
    let language = page_language.language();
    let texts = language.texts();
    context! {
        lang => texts.get(Text::Language),
        dir => texts.get(Text::Direction),
        language => language.code(),
        asked => page_language.requested.map(Language::code),
        languages => NAMES,
        assets => PAGE,
        ..merchant_values(public.map(Into::into).as_ref())
    }
}

fn badge(language: Language, link: &Link) -> Option<String> {
    (link.scope.mode == Mode::Test).then(|| language.texts().get(Text::ModeTest).to_owned())
}

fn money(language: Language, amount: Amount) -> String {
    language.money(&amount.to_string(), "GHS")
}

/// What a preview says where the merchant has not written a description.
fn summary(language: Language, amount: &LinkAmount) -> String {
    match amount {
        LinkAmount::Fixed(amount) => {
            with(language, "amount.fixed", "{amount}", &money(language, *amount))
        }
        LinkAmount::Open { .. } => text(language, "amount.open").to_owned(),
    }
}

fn hint(language: Language, amount: &LinkAmount) -> String {
    let [min, max] =
        <[_; 2]>::from(amount.limits()).map(|limit| limit.map(|amount| money(language, amount)));
    match (min, max) {
        (None, None) => text(language, "amount.any").to_owned(),
        (Some(min), None) => with(language, "amount.from", "{min}", &min),
        (None, Some(max)) => with(language, "amount.to", "{max}", &max),
        (Some(min), Some(max)) => {
            with(language, "amount.between", "{min}", &min).replace("{max}", &max)
        }
    }
}

fn fault_text(language: Language, fault: AmountFault) -> String {
    match fault {
        AmountFault::Empty => text(language, "fault.amount_empty").to_owned(),
        AmountFault::NotANumber => text(language, "fault.amount_number").to_owned(),
        AmountFault::TooPrecise => text(language, "fault.amount_precise").to_owned(),
        AmountFault::TooSmall(min) => {
            with(language, "fault.amount_small", "{min}", &money(language, min))
        }
        AmountFault::TooLarge(max) => {
            with(language, "fault.amount_large", "{max}", &money(language, max))
        }
    }
}

fn answer_fault_text(language: Language, fault: AnswerFault) -> &'static str {
    match fault {
        AnswerFault::Empty => text(language, "fault.answer_empty"),
        AnswerFault::TooLong => text(language, "fault.answer_long"),
    }
}

/// Opens WhatsApp with a message that pastes well: what it is for, and the address, from which the
/// preview is made.
fn share(public: &PublicLink, url: &str) -> String {
    let message = format!("{} · {}\n{url}", public.link.terms.title, public.merchant);
    let query: String =
        form_urlencoded::Serializer::new(String::new()).append_pair("text", &message).finish();
    format!("https://wa.me/?{query}")
}
