//! What a payer fills in on a link's page: the amount, and an e-mail address where the merchant
//! sends receipts.

use super::amount::{self, AmountFault};
use tua_api::values::Email;
use tua_contract::{Amount, plain_text::visible};
use tua_domain::link::{LinkAmount, PublicLink};
use url::form_urlencoded;

/// The accepted values of a link's form, with which a session is opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LinkFormValues {
    pub(super) amount: Amount,
    /// Where the receipt is sent.
    pub(super) email: Option<String>,
}

/// A refused form: each field as it was typed, and its fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RefusedLinkForm {
    pub(super) amount: String,
    pub(super) amount_fault: Option<AmountFault>,
    pub(super) email: String,
    pub(super) is_email_wrong: bool,
}

/// Whether the page of this link has a field.
pub(super) fn has_any(public: &PublicLink) -> bool {
    public.sends_receipts || matches!(public.link.terms.amount, LinkAmount::Open { .. })
}

/// Reads the fields that the page of this link has.
pub(super) fn parse(body: &[u8], public: &PublicLink) -> Result<LinkFormValues, RefusedLinkForm> {
    let field = |name: &str| {
        let mut fields = form_urlencoded::parse(body);
        fields.find(|field| field.0 == name).map(|field| field.1.into_owned()).unwrap_or_default()
    };
    let typed = field("amount");
    let typed_email = visible(&field("email"));
    let amount = match public.link.terms.amount {
        LinkAmount::Fixed(amount) => Ok(amount),
        LinkAmount::Open { .. } => amount::parse(&typed, &public.link.terms.amount),
    };
    let email = match &*typed_email {
        address if public.sends_receipts && !address.is_empty() => {
            Email::try_from(address.to_owned()).map(Some)
        }
        _ => Ok(None),
    };
    match (amount, email) {
        (Ok(amount), Ok(email)) => {
            Ok(LinkFormValues { amount, email: email.map(Email::into_string) })
        }
        (amount, email) => Err(RefusedLinkForm {
            amount: typed,
            amount_fault: amount.err(),
            email: typed_email,
            is_email_wrong: email.is_err(),
        }),
    }
}
