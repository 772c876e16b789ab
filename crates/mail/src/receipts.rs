//! Receipts of charges and refunds for payers.

use super::{
    messages::{Content, cedis},
    texts::text,
};
use jiff::Timestamp;
use tua_contract::Amount;
use tua_domain::{Account, Kind, Mode, Transaction};

/// The receipt of a charge or refund that succeeded at this time. Ghana's time is UTC.
pub(super) fn content(
    language: &str,
    account: &Account,
    transaction: &Transaction,
    succeeded_at: Timestamp,
    public_url: &str,
) -> Content {
    let order = &transaction.order;
    let asked = match order.transfer.kind {
        Kind::Charge => order.price.payer_pays,
        Kind::Payout => order.transfer.amount,
    };
    let paid = transaction.settled_amount.unwrap_or(asked);
    let amount = money(language, paid);
    let name = if order.refund.is_some() { "refund" } else { "receipt" };
    let of = |part: &str| {
        text(
            language,
            &format!("{name}-{part}"),
            &[("account", account.name.as_str()), ("amount", amount.as_str())],
        )
    };
    let label = |part: &str| text(language, &format!("label-{part}"), &[]);
    let mut paragraphs = vec![of("what")];
    if order.scope.mode == Mode::Test {
        paragraphs.insert(0, label("test"));
    }
    let price = order.transfer.amount;
    // A review may have found that another sum was moved, which has no fee in it.
    let has_fee = order.payers_fee_in(paid.pesewas()) > 0;
    let mut rows = if has_fee {
        vec![(label("price"), money(language, price)), (label("paid"), amount.clone())]
    } else {
        vec![(label("amount"), amount.clone())]
    };
    rows.push((label("network"), order.transfer.network.as_str().to_owned()));
    rows.push((label("reference"), order.reference.clone()));
    rows.extend(
        transaction.details.transaction_id.iter().map(|id| (label("operator-id"), id.clone())),
    );
    rows.push((label("date"), succeeded_at.strftime("%Y-%m-%d, %H:%M").to_string()));
    Content {
        sender: Some(account.name.clone()),
        accent: account.branding.accent.map(|accent| accent.to_string()),
        logo: account
            .branding
            .logo
            .as_ref()
            .map(|logo| format!("{public_url}/branding/{}.png", logo.as_str())),
        paragraphs,
        rows,
        footer: Some(text(language, "receipt-footer", &[("account", &account.name)])),
        ..Content::new(language, of("subject"))
    }
}

/// An amount as the language writes it.
fn money(language: &str, amount: Amount) -> String {
    match language {
        "fr" => format!("{} GHS", cedis(amount).replace('.', ",")),
        _ => format!("GHS {}", cedis(amount)),
    }
}
