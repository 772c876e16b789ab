//! Which rows name a person, for [`crate::queries::privacy`].
//!
//! The queries find a superset: rows that contain the person's number or address anywhere, also as
//! a part of another one. [`select`] decides. Their only parameter is a pattern for LIKE.
//! [`folded`] replaces `<<` and `>>`.

use jiff::Timestamp;
use std::collections::HashSet;
use tua_domain::{
    Checkout, CheckoutId, Transaction,
    ports::{Order, PersonsData},
    privacy::{EraseRefused, Person, Retention, may_erase, may_erase_checkout},
};

macro_rules! mentioned {
    () => {
        "WITH named AS
             (SELECT id, checkout_id FROM transactions
              WHERE <<phone || ' ' || reference || ' ' || coalesce(email, '') || ' ' || \
         coalesce(metadata, '') || ' ' || coalesce(answer, '') || ' '
                          || coalesce(payer_message, '') || ' ' || coalesce(payee_note, '')>> LIKE \
         $1
              UNION
              SELECT id, checkout_id FROM transactions JOIN transaction_events ON transaction_id = \
         id
              WHERE <<event>> LIKE $1),
         sessions AS
             (SELECT id FROM checkouts
              WHERE <<coalesce(email, '') || ' ' || reference || ' ' || coalesce(metadata, '') || \
         ' ' || coalesce(answer, '') || ' ' || coalesce(return_url, '')>>
                    LIKE $1
              UNION
              SELECT checkout_id FROM named WHERE checkout_id IS NOT NULL) "
    };
}

/// The ids of transactions, with all charges of their sessions.
pub(super) const TRANSACTIONS: &str = concat!(
    mentioned!(),
    "SELECT id FROM named UNION SELECT id FROM transactions WHERE checkout_id IN (SELECT id FROM \
     sessions) ORDER BY id"
);

/// The ids of sessions.
pub(super) const CHECKOUTS: &str = concat!(mentioned!(), "SELECT id FROM sessions ORDER BY id");

/// The ids of payment links.
pub(super) const LINKS: &str = "SELECT id FROM payment_links
     WHERE <<title || ' ' || reference || ' ' || coalesce(description, '') || ' ' || \
    coalesce(metadata, '') || ' ' || coalesce(question, '')>> LIKE $1
     ORDER BY id";

/// The references of the sandbox's orders.
pub(super) const ORDERS: &str = "SELECT reference FROM sandbox_orders
                                 WHERE <<phone || ' ' || merchant || ' ' || coalesce(message, \
    '')>> LIKE $1";

/// The names of counters.
pub(super) const COUNTERS: &str = "SELECT name FROM buckets WHERE <<name>> LIKE $1";

/// The references of batches of payouts.
pub(super) const BATCH_REFERENCES: &str =
    "SELECT reference FROM payout_batches WHERE <<reference>> LIKE $1";

/// A query whose texts are compared in one form: addresses in lower case, and of numbers the digits
/// alone, in ASCII. `digits` is what the engine writes before and after a text for the latter.
pub(super) fn folded(sql: &str, person: &Person, digits: (&str, &str)) -> String {
    let (before, after) = match person {
        Person::Phone(_) => digits,
        Person::Email(_) => ("lower(", ")"),
    };
    sql.replace("<<", before).replace(">>", after)
}

/// The parameter of the queries. Letters other than ASCII match anything, because lower() of SQLite
/// leaves them as they are, and that of PostgreSQL follows the locale of the database.
pub(super) fn pattern(person: &Person) -> String {
    let literal = |letter: char| {
        if letter.is_ascii() && letter != '\\' { letter.to_ascii_lowercase() } else { '%' }
    };
    format!("%{}%", person.needle().chars().map(literal).collect::<String>())
}

/// Selects what names the person from what the queries found. `noted` has the ids of transactions
/// with an event that names the person.
pub(super) fn select(
    person: &Person,
    transactions: Vec<Transaction>,
    noted: &HashSet<String>,
    checkouts: Vec<Checkout>,
    orders: Vec<Order>,
    counters: Vec<String>,
) -> PersonsData {
    let paid: HashSet<&CheckoutId> = transactions
        .iter()
        .filter(|one| person.is_payer(&one.order))
        .filter_map(|one| one.order.checkout.as_ref())
        .collect();
    let own: HashSet<CheckoutId> = checkouts
        .iter()
        .filter(|one| person.is_invited(one) || paid.contains(&one.id))
        .map(|one| one.id.clone())
        .collect();
    let transactions: Vec<_> = transactions
        .into_iter()
        .map(|one| {
            let in_session = one.order.checkout.as_ref().is_some_and(|id| own.contains(id));
            let is_theirs = in_session || person.is_payer(&one.order);
            (one, is_theirs)
        })
        .filter(|(one, is_theirs)| {
            *is_theirs || person.is_in(&one.order) || noted.contains(one.order.id.as_str())
        })
        .collect();
    let checkouts = checkouts
        .into_iter()
        .map(|one| {
            let is_theirs = own.contains(&one.id);
            (one, is_theirs)
        })
        .filter(|(one, is_theirs)| {
            let texts = [
                Some(&one.reference),
                one.terms.metadata.as_ref(),
                one.terms.answer.as_ref(),
                one.terms.return_url.as_ref(),
            ];
            *is_theirs || texts.into_iter().flatten().any(|text| person.is_named_in(text))
        })
        .collect();
    let references: HashSet<String> =
        transactions.iter().map(|(one, _)| one.order.id.operator_reference()).collect();
    let orders = orders
        .into_iter()
        .filter(|order| {
            references.contains(&order.reference)
                || person.is_named_in(order.transfer.phone.as_str())
                || order.message.as_ref().is_some_and(|text| person.is_named_in(text))
        })
        .collect();
    let counters = counters.into_iter().filter(|name| person.is_named_in(name)).collect();
    PersonsData { transactions, checkouts, links: Vec::new(), orders, counters }
}

/// Checks that all of it can be erased. Of several reasons the one that lasts longest is returned.
pub(super) fn check(
    data: &PersonsData,
    live: Retention,
    now: Timestamp,
) -> Result<(), EraseRefused> {
    let transactions =
        data.transactions.iter().filter_map(|(one, _)| may_erase(one, live, now).err());
    let checkouts = data.checkouts.iter().filter_map(|(one, _)| may_erase_checkout(one, now).err());
    let until = |refused: &EraseRefused| match refused {
        EraseRefused::Pending(_) => Timestamp::MAX,
        EraseRefused::Retained { until, .. } => *until,
    };
    transactions.chain(checkouts).max_by_key(until).map_or(Ok(()), Err)
}
