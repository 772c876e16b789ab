//! The names of recipients as pages show them before money is sent.

use super::{state::DashboardState, visitor::Visitor};
use minijinja::{Value, context};
use tua_domain::{Transfer, recipient_name::RecipientName};

/// The class of a name that the person should look at before paying.
const DOUBTFUL: &str = "badge bad";

/// The name of the recipient of each payout, with the name that the person expects, which may be
/// empty. `None` where no operator of the account reports names.
pub(super) async fn name_values(
    state: &DashboardState,
    visitor: &Visitor,
    payouts: &[(&Transfer, &str)],
) -> Vec<Option<Value>> {
    let transfers: Vec<&Transfer> = payouts.iter().map(|(transfer, _)| *transfer).collect();
    let names = state.networks.recipient_names(&visitor.scope, &transfers).await;
    names.iter().zip(payouts).map(|(name, (_, expected))| text(name, expected)).collect()
}

/// How many of these names are not the expected ones, or of no wallet.
pub(super) fn count_doubtful(name_values: &[Option<Value>]) -> usize {
    let is_bad =
        |name: &&Value| name.get_attr("is_doubtful").is_ok_and(|is_doubtful| is_doubtful.is_true());
    name_values.iter().flatten().filter(is_bad).count()
}

/// The key of the text with the name in it, and the class of its element.
fn text(name: &RecipientName, expected: &str) -> Option<Value> {
    let (key, class) = match name {
        RecipientName::Registered(_) if expected.is_empty() => ("recipient-registered", "badge"),
        RecipientName::Registered(name) if name.agrees_with(expected) => {
            ("recipient-agrees", "badge good")
        }
        RecipientName::Registered(_) => ("recipient-differs", DOUBTFUL),
        RecipientName::NoWallet => ("recipient-no-wallet", DOUBTFUL),
        RecipientName::Unknown => ("recipient-unknown", "badge warn"),
        RecipientName::NotAsked => ("recipient-not-asked", "soft"),
        RecipientName::NotOffered => return None,
    };
    let name = match name {
        RecipientName::Registered(name) => name.masked(),
        _ => String::new(),
    };
    let is_doubtful = class == DOUBTFUL;
    Some(context! { key, class, name, is_doubtful })
}
