//! Which columns the list of payments has: the choice of a person, kept in a cookie of the browser.
//! Files that are exported have all columns.

use super::{
    cookies::{self, CookieNames},
    error::redirect,
    fields::Fields,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{extract::State, http::HeaderMap, response::Response};
use jiff::SignedDuration;
use minijinja::Value;
use std::collections::{BTreeMap, BTreeSet};

const COOKIE: CookieNames = CookieNames { secure: "__Host-tua-columns", loopback: "tua-columns" };

/// For how long a browser keeps the choice.
const COOKIE_MAX_AGE: SignedDuration = SignedDuration::from_hours(24 * 365);

/// The character between two names in the cookie.
const SEPARATOR: &str = ".";

/// The columns that a person may leave out or add, in the order of the list. Who it is and the
/// amount are in every list.
const COLUMNS: [Column; 6] = [
    Column { name: "created", is_default: true },
    Column { name: "changed", is_default: false },
    Column { name: "reference", is_default: true },
    Column { name: "operator-id", is_default: false },
    Column { name: "status", is_default: true },
    Column { name: "fee", is_default: false },
];

#[derive(Clone, Copy)]
struct Column {
    /// Its name in the form, in the cookie, and after `column-` in the keys of the texts.
    name: &'static str,
    /// Whether a list has it without a choice.
    is_default: bool,
}

/// The columns of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PaymentColumns(BTreeSet<&'static str>);

impl Default for PaymentColumns {
    fn default() -> Self {
        Self(COLUMNS.iter().filter(|one| one.is_default).map(|one| one.name).collect())
    }
}

impl PaymentColumns {
    /// The columns that this browser has chosen.
    pub(super) fn of_request(state: &DashboardState, headers: &HeaderMap) -> Self {
        let kept = cookies::find(headers, COOKIE, state.is_https());
        kept.map_or_else(Self::default, |kept| Self::of_names(kept.split(SEPARATOR)))
    }

    /// The columns with these names. Unknown names are left out.
    fn of_names<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let names: BTreeSet<&str> = names.collect();
        Self(COLUMNS.iter().map(|one| one.name).filter(|name| names.contains(name)).collect())
    }

    /// As the cookie has them.
    fn to_cookie(&self) -> String {
        self.0.iter().copied().collect::<Vec<_>>().join(SEPARATOR)
    }

    /// Whether the list has each column, by its name.
    pub(super) fn shown(&self) -> Value {
        Value::from(
            COLUMNS
                .iter()
                .map(|one| (one.name, self.0.contains(one.name)))
                .collect::<BTreeMap<_, _>>(),
        )
    }

    /// The check boxes of the form, in the order of the list.
    pub(super) fn choice() -> [&'static str; COLUMNS.len()] {
        COLUMNS.map(|one| one.name)
    }

    /// Whether a list has columns that it would not have without a choice. It may be wider than the
    /// page then.
    pub(super) fn has_more(&self) -> bool {
        COLUMNS.iter().any(|one| !one.is_default && self.0.contains(one.name))
    }
}

/// `POST /payments/columns`: keeps the choice, and leads back to the list.
pub(super) async fn choose(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Response {
    let list = visitor.href("/payments");
    let back = Some(fields.return_path()).filter(|path| path.starts_with(&list));
    let mut response = redirect(back.unwrap_or(&list));
    let columns = PaymentColumns::of_names(fields.all("column"));
    cookies::keep(
        response.headers_mut(),
        COOKIE,
        columns.to_cookie(),
        COOKIE_MAX_AGE,
        state.is_https(),
    );
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_back_and_unknown_columns_are_left_out() {
        for names in [&["created", "fee"][..], &[], &["status", "operator-id", "changed"]] {
            let chosen = PaymentColumns::of_names(names.iter().copied());
            assert_eq!(chosen.0.len(), names.len());
            assert_eq!(
                PaymentColumns::of_names(chosen.to_cookie().split(SEPARATOR)),
                chosen,
                "{names:?}"
            );
        }
        let read = PaymentColumns::of_names("fee.pin.;".split(SEPARATOR));
        assert_eq!(read.to_cookie(), "fee");
        assert!(read.has_more());
        assert_eq!(PaymentColumns::default().to_cookie(), "created.reference.status");
        assert!(!PaymentColumns::default().has_more());
    }
}
