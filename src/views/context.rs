//! What all screens share.

use crate::flow::{Session, Transaction};
use crate::locale::{Format, Text, Texts};
use std::rc::Rc;
use yew::prelude::*;

/// What every screen needs besides its own data: the language, the formats and the element ids.
#[derive(Clone)]
#[expect(missing_debug_implementations, reason = "holds a trait object")]
pub struct ViewContext {
    /// The texts of one language.
    pub texts: Texts,
    /// How that language writes money and times.
    pub format: Rc<dyn Format>,
    /// The prefix of all element ids, so that several checkouts fit on one page.
    pub id_prefix: AttrValue,
    /// Where the form is posted without script; by default to the page's own address.
    pub action: Option<AttrValue>,
    /// The field in which the payer types, while one is drawn. Extensions insert others beside it.
    pub field: NodeRef,
}

impl PartialEq for ViewContext {
    fn eq(&self, other: &Self) -> bool {
        self.texts == other.texts
            && Rc::ptr_eq(&self.format, &other.format)
            && self.id_prefix == other.id_prefix
            && self.action == other.action
    }
}

impl ViewContext {
    #[inline(never)]
    pub(super) fn id(&self, name: &str) -> AttrValue {
        [&self.id_prefix, name].concat().into()
    }

    #[inline(never)]
    pub(super) fn text(&self, text: Text) -> AttrValue {
        Rc::<str>::from(self.texts.get(text)).into()
    }

    #[inline(never)]
    pub(super) fn fill(&self, text: Text, values: &[(&str, &str)]) -> AttrValue {
        self.texts.fill(text, values).into()
    }

    #[inline(never)]
    pub(super) fn money(&self, session: &Session, amount: &str) -> String {
        self.format.money(amount, &session.currency)
    }

    /// What the payer pays: the amount, and the fee if the payer bears it.
    pub(super) fn charged(&self, session: &Session, transaction: Option<&Transaction>) -> String {
        let payer_pays = transaction.and_then(|transaction| transaction.payer_pays.as_ref());
        self.money(session, payer_pays.unwrap_or(&session.amount))
    }
}
