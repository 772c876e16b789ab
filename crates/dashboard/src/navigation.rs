//! The navigation of an account: groups of places, of which a person gets those that the role
//! permits. The side bar and the menu of a phone have all of them, the bottom bar of a phone has
//! the first place of each of the first groups.

use minijinja::{Value, context};
use tua_domain::people::{Permission as P, Role};
use tua_use_cases::ApprovalCounts;

/// How many groups have a link in the bottom bar, beside the one that opens the menu.
const BAR_GROUPS: usize = 4;

/// What waits for a person at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Counter {
    None,
    /// The payments that a review must decide.
    Reviews,
    /// The payouts, refunds and batches that wait for an approval of this person.
    Approvals,
}

/// The numbers beside the places at which something waits for a person.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct WaitingCounts {
    /// The payments that a review must decide.
    pub(super) reviews: u64,
    /// The payouts, refunds and batches that wait for an approval.
    pub(super) approvals: ApprovalCounts,
}

impl WaitingCounts {
    /// The decisions that the person can take.
    pub(super) const fn total(self) -> u64 {
        self.reviews + self.approvals.for_reader
    }
}

/// Pages that belong together.
struct Group {
    /// The key of its text.
    key: &'static str,
    /// The name of its picture in `icons.svg`.
    icon: &'static str,
    places: &'static [Place],
}

/// A page of the navigation.
struct Place {
    path: &'static str,
    /// The key of its text.
    key: &'static str,
    /// What its page needs.
    permission: P,
    counter: Counter,
    /// The path of other pages that belong to it, though they are not below its own path.
    other_path: Option<&'static str>,
}

const fn place(path: &'static str, key: &'static str, permission: P) -> Place {
    Place { path, key, permission, counter: Counter::None, other_path: None }
}

const fn counted(path: &'static str, key: &'static str, permission: P, counter: Counter) -> Place {
    Place { counter, ..place(path, key, permission) }
}

const GROUPS: &[Group] = &[
    Group { key: "nav-home", icon: "home", places: &[place("/home", "nav-home", P::ReadPayments)] },
    Group {
        key: "nav-payments",
        icon: "payments",
        places: &[
            place("/payments", "nav-payments", P::ReadPayments),
            place("/refunds", "nav-refunds", P::ReadPayments),
            counted("/review", "nav-review", P::SettlePayments, Counter::Reviews),
        ],
    },
    Group {
        key: "nav-get-paid",
        icon: "in",
        places: &[
            place("/ask", "nav-ask", P::AskPayments),
            place("/till", "nav-till", P::AskPayments),
            place("/links", "nav-links", P::ReadPayments),
            place("/checkouts", "nav-checkouts", P::ReadPayments),
        ],
    },
    Group {
        key: "nav-pay-out",
        icon: "out",
        places: &[
            place("/payouts/new", "nav-pay", P::DecidePayouts),
            place("/payees", "nav-payees", P::ReadPayouts),
            place("/payouts/single", "nav-single-payouts", P::ReadPayouts),
            Place {
                other_path: Some("/payouts/upload"),
                ..place("/payouts/batches", "nav-batches", P::ReadPayouts)
            },
            counted("/payouts", "nav-payouts", P::ReadPayouts, Counter::Approvals),
        ],
    },
    Group {
        key: "nav-books",
        icon: "books",
        places: &[
            place("/statements", "nav-statements", P::ManageStatements),
            place("/statements/days", "nav-closed-days", P::ManageStatements),
            place("/reports/month", "nav-monthly-report", P::ManageStatements),
        ],
    },
    Group {
        key: "nav-set-up",
        icon: "set-up",
        places: &[
            place("/operators", "nav-operators", P::ReadOperators),
            place("/keys", "nav-keys", P::ManageKeys),
            place("/webhooks", "nav-webhooks", P::ReadWebhooks),
            place("/people", "nav-people", P::ManagePeople),
            place("/audit", "nav-audit", P::ReadAuditLog),
            place("/alerts", "nav-alerts", P::ManageSettings),
            place("/settings", "nav-settings", P::ManageSettings),
        ],
    },
];

fn all() -> impl Iterator<Item = &'static Place> {
    GROUPS.iter().flat_map(|group| group.places)
}

/// The groups for this role, for a request to `path`. `base` is the address of the account and
/// mode. The place of the current page is marked.
pub(super) fn groups(role: Role, base: &str, path: &str, waiting: WaitingCounts) -> Vec<Value> {
    let here = current(base, path);
    let shown = GROUPS.iter().filter_map(|group| {
        let permitted = || group.places.iter().filter(|one| role.may(one.permission));
        let first = permitted().next()?;
        let places = permitted().map(|one| {
            let count = match one.counter {
                Counter::None => 0,
                Counter::Reviews => waiting.reviews,
                Counter::Approvals => waiting.approvals.for_reader,
            };
            let is_current = one.path == here;
            context! { href => format!("{base}{}", one.path), key => one.key, count, is_current }
        });
        Some(context! {
            key => group.key,
            icon => group.icon,
            href => format!("{base}{}", first.path),
            is_current => permitted().any(|one| one.path == here),
            places => places.collect::<Vec<_>>(),
        })
    });
    shown
        .enumerate()
        .map(|(index, group)| context! { is_in_bar => index < BAR_GROUPS, ..group })
        .collect()
}

/// The path of the menu entry of the current page. Each entry has a path, and some have another
/// one. The entry with the longest path that the request's path begins with is the current one.
/// Empty if there is none.
pub(super) fn current(base: &str, path: &str) -> &'static str {
    let beginnings = all().flat_map(|place| {
        let paths = [Some(place.path), place.other_path];
        paths.into_iter().flatten().map(|beginning| (beginning, place.path))
    });
    beginnings
        .filter(|(beginning, _)| is_at(&format!("{base}{beginning}"), path))
        .max_by_key(|(beginning, _)| beginning.len())
        .map_or("", |(_, place)| place)
}

/// The first page that the role permits. A phone at a counter begins with the till.
pub(super) fn first_page(role: Role) -> Option<&'static str> {
    if role == Role::Till {
        return Some("/till");
    }
    all().find(|place| role.may(place.permission)).map(|place| place.path)
}

/// Whether a request is for the page at this address, or for one below it.
fn is_at(href: &str, path: &str) -> bool {
    path.strip_prefix(href).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_page_is_the_longest_that_it_is_below() {
        for (path, place) in [
            ("/b/payouts?done=approved", "/payouts"),
            ("/b/payouts/batches/pob_1", "/payouts/batches"),
            ("/b/payouts/upload", "/payouts/batches"),
            ("/b/payouts/upload/confirm", "/payouts/batches"),
            ("/b/statements/days/mtn/2026-01-01", "/statements/days"),
            ("/b/paymentsx", ""),
        ] {
            assert_eq!(current("/b", path), place, "{path}");
        }
    }

    #[test]
    fn a_role_gets_the_places_that_it_may_open_and_the_first_of_each_group_in_the_bar() {
        for role in Role::ALL {
            let approvals = ApprovalCounts { for_reader: 2, for_others: 1 };
            let waiting = WaitingCounts { reviews: 3, approvals };
            let groups = groups(*role, "/b", "/b/review", waiting);
            let text = |value: &Value, name: &str| value.get_attr(name).unwrap().to_string();
            for group in &groups {
                for place in group.get_attr("places").unwrap().try_iter().unwrap() {
                    let href = text(&place, "href");
                    let path = href.strip_prefix("/b").unwrap();
                    let permission = all().find(|one| one.path == path).unwrap().permission;
                    assert!(role.may(permission), "{} {path}", role.as_str());
                    let count = match path {
                        "/review" => "3",
                        "/payouts" => "2",
                        _ => "0",
                    };
                    assert_eq!(text(&place, "count"), count, "{path}");
                    let is_current = place.get_attr("is_current").unwrap().is_true();
                    assert_eq!(is_current, path == "/review");
                }
            }
            let is_in_bar = |group: &&Value| group.get_attr("is_in_bar").unwrap().is_true();
            let in_bar = groups.iter().filter(is_in_bar).count();
            assert_eq!(in_bar, groups.len().min(BAR_GROUPS), "{}", role.as_str());
        }
    }
}
