//! The refunds of a payment, below its screen. The component does not show them: a payment is
//! refunded long after its token has expired, and the component's download is limited.

use super::{
    language::Language,
    texts::{text, with, written_in},
};
use minijinja::{Value, context};
use tua_checkout::locale::{Format, Text};
use tua_domain::refund::RefundForPayer;

/// The template's values about refunds; `None` where there are none. Amounts are shown only while
/// the token is valid: an expired one shows no amounts (docs/reference/credentials.md).
pub(super) fn template_values(
    language: Language,
    refunds: &[RefundForPayer],
    is_token_valid: bool,
) -> Option<Value> {
    let language = written_in(language);
    let texts = language.texts();
    let lines: Vec<_> =
        refunds.iter().map(|refund| line(language, refund, is_token_valid)).collect();
    (!lines.is_empty()).then(|| {
        context! {
            lang => texts.get(Text::Language),
            dir => texts.get(Text::Direction),
            title => text(language, "refund.title"),
            lines,
            text => text(language, "refund.text"),
        }
    })
}

fn line(language: Language, refund: &RefundForPayer, has_amount: bool) -> String {
    let id = match (refund.returned_at, has_amount, refund.is_whole) {
        (Some(_), true, _) => "refund.returned",
        (None, true, _) => "refund.under_way",
        (Some(_), false, true) => "refund.returned_all",
        (Some(_), false, false) => "refund.returned_part",
        (None, false, _) => "refund.under_way_some",
    };
    let date = refund.returned_at.map(|at| language.moment(&at.to_string())).unwrap_or_default();
    with(language, id, "{amount}", &language.money(&refund.amount.to_string(), "GHS"))
        .replace("{date}", &date)
}
