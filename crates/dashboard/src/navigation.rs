//! The navigation of an account: only the pages that the person may open.

use minijinja::{Value, context};
use tua_domain::people::{Permission as P, Role};

/// The path of each entry, the key of its text, and the permission that its page needs.
const ENTRIES: &[(&str, &str, P)] = &[
    ("/home", "nav-home", P::ReadPayments),
    ("/payments", "nav-payments", P::ReadPayments),
    ("/review", "nav-review", P::SettlePayments),
    ("/refunds", "nav-refunds", P::ReadPayments),
    ("/payouts", "nav-payouts", P::DecidePayouts),
    ("/checkouts", "nav-checkouts", P::ReadPayments),
    ("/links", "nav-links", P::ReadPayments),
    ("/statements", "nav-statements", P::ManageStatements),
    ("/webhooks", "nav-webhooks", P::ReadWebhooks),
    ("/operators", "nav-operators", P::ReadOperators),
    ("/people", "nav-people", P::ManagePeople),
    ("/keys", "nav-keys", P::ManageKeys),
    ("/audit", "nav-audit", P::ReadAuditLog),
    ("/settings", "nav-settings", P::ManageSettings),
];

/// The entries for this role, for a request to `path`. `base` is the address of the account and
/// mode. The entry of the current page is marked.
pub(super) fn entries(role: Role, base: &str, path: &str) -> Vec<Value> {
    let permitted = ENTRIES.iter().filter(|(_, _, permission)| role.may(*permission));
    permitted
        .map(|(page, key, _)| {
            let href = format!("{base}{page}");
            let is_current = is_at(&href, path);
            context! { href, key => *key, is_current }
        })
        .collect()
}

/// The path of the current page's entry; empty for a page that has none.
pub(super) fn current(base: &str, path: &str) -> &'static str {
    let found = ENTRIES.iter().find(|(page, _, _)| is_at(&format!("{base}{page}"), path));
    found.map_or("", |(page, _, _)| *page)
}

/// The first page that the role permits.
pub(super) fn first_page(role: Role) -> Option<&'static str> {
    ENTRIES.iter().find(|(_, _, permission)| role.may(*permission)).map(|(page, _, _)| *page)
}

/// Whether a request is for the page at this address, or for one below it.
fn is_at(href: &str, path: &str) -> bool {
    path.strip_prefix(href).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}
