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
    let begun = &transaction.begun;
    let asked = match begun.transfer.kind {
        Kind::Charge => begun.price.payer_pays,
        Kind::Payout => begun.transfer.amount,
    };
    let paid = transaction.settled_amount.unwrap_or(asked);
    let amount = money(language, paid);
    let name = if begun.refund.is_some() { "refund" } else { "receipt" };
    let of = |part: &str| {
        text(
            language,
            &format!("{name}-{part}"),
            &[("account", account.name.as_str()), ("amount", amount.as_str())],
        )
    };
    let label = |part: &str| text(language, &format!("label-{part}"), &[]);
    let mut paragraphs = vec![of("what")];
    if begun.scope.mode == Mode::Test {
        paragraphs.insert(0, label("test"));
    }
    let price = begun.transfer.amount;
    // A review may have found that another sum was moved, which has no fee in it.
    let has_fee = begun.payers_fee_in(paid.pesewas()) > 0;
    let mut rows = if has_fee {
        vec![(label("price"), money(language, price)), (label("paid"), amount.clone())]
    } else {
        vec![(label("amount"), amount.clone())]
    };
    rows.push((label("network"), begun.transfer.network.as_str().to_owned()));
    rows.push((label("reference"), begun.reference.clone()));
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
