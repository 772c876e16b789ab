//! The pages of the search as HTML.

use super::search_scope::{FIELD, SearchScope};
use crate::{
    hosted::{
        language::{Language, NAMES},
        page::merchant_values,
        texts::{text, written_in},
    },
    http::{PAGE, render},
};
use axum::{http::StatusCode, response::Response};
use minijinja::{Value, context};
use tua_checkout::locale::Text;
use tua_contract::State;
use tua_domain::{Mode, Transaction};
use tua_use_cases::FoundPayment;

/// The page with the field. `refused` is what was typed, where it cannot be an ID.
pub(super) fn form(language: Language, search: &SearchScope, refused: Option<&str>) -> Response {
    let language = written_in(language);
    let status = if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let values = context! {
        title => text(language, "find.title"),
        heading => text(language, "find.title"),
        text => text(language, "find.text"),
        form => "find",
        find => context! {
            name => FIELD,
            label => text(language, "find.label"),
            hint => text(language, "find.hint"),
            value => refused,
            fault => refused.map(|_| text(language, "find.fault")),
        },
        button => text(language, "find.button"),
        way_on => text(language, "find.back"),
        action => &search.address,
        back => &search.back,
        ..frame(language, search)
    };
    render(status, "link.html", values)
}

/// What was found. `own` is the session's own charge: while it is pending, no page says that
/// nothing was found.
pub(super) fn result(
    language: Language,
    search: &SearchScope,
    found: &FoundPayment,
    own: Option<&Transaction>,
) -> Response {
    let language = written_in(language);
    let is_own_pending = own.is_some_and(|charge| !charge.state.is_final());
    let state = match found {
        // Also where the operator contradicts a failure: the money has arrived.
        FoundPayment::Charge(charge) if charge.is_paid() => "paid",
        FoundPayment::Charge(charge) => match charge.state {
            State::Successful => "paid",
            State::Pending(_) => "pending",
            State::Failed(_) => "failed",
        },
        FoundPayment::None(_) if is_own_pending => "pending",
        FoundPayment::None(_) => "unknown",
    };
    let title = text(language, &format!("find.{state}.title"));
    let values = context! {
        title,
        heading => title,
        text => text(language, &format!("find.{state}.text")),
        form => "",
        action => &search.back,
        way_on => text(language, "find.back"),
        again => context! { href => &search.address, text => text(language, "find.again") },
        ..frame(language, search)
    };
    render(StatusCode::OK, "link.html", values)
}

fn frame(language: Language, search: &SearchScope) -> Value {
    let texts = language.texts();
    context! {
        lang => texts.get(Text::Language),
        dir => texts.get(Text::Direction),
        language => language.code(),
        languages => NAMES,
        key => &search.key,
        assets => PAGE,
        badge => (search.scope.mode == Mode::Test).then(|| texts.get(Text::ModeTest)),
        ..merchant_values(Some(&search.merchant))
    }
}
