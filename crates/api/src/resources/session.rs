//! Checkout sessions as responses and webhooks show them.

use super::{
    PayersTransactionView, TransactionView,
    branding::BrandingView,
    format::{json_number, masked_email, metadata, rfc3339},
    network::PayersNetworkView,
};
use crate::values;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use tua_contract::Amount;
use tua_domain::{
    Checkout, CheckoutSummary, LinkId, checkout::CheckoutStatus, quote::NetworkForPayers,
};
use utoipa::ToSchema;

/// A checkout session, as returned to the bearer of its token.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PayersCheckout)]
pub struct PayersCheckoutView<'a> {
    #[schema(examples("chk_019aa5f0c2007d3e8a1b4c5d6e7f8092"))]
    checkout_id: &'a str,
    /// The merchant's own name for the session. Generated where the request had none.
    #[schema(examples("order-17"))]
    reference: &'a str,
    #[serde(serialize_with = "json_number")]
    #[schema(value_type = values::Amount)]
    amount: Amount,
    #[schema(value_type = values::Currency)]
    currency: &'static str,
    /// The first letter and the domain of the payer's e-mail address; null where the payer of a
    /// payment link gave none.
    #[schema(required, examples("a***@example.com"))]
    email: Option<String>,
    /// The merchant's name, as payers read it.
    #[schema(examples("Adom Stores"))]
    merchant: &'a str,
    branding: BrandingView,
    #[schema(value_type = values::LiveOrTest)]
    mode: &'static str,
    /// When the token expires: 30 minutes after the session was created. In test mode on the
    /// account's sandbox clock, as `Date` is.
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    expires_at: Timestamp,
    /// The address that the hosted page offers to go back to. Null without one.
    #[schema(required, examples("https://shop.example/thanks"))]
    return_url: Option<&'a str>,
    #[schema(value_type = values::PayersCheckoutStatus)]
    status: &'static str,
    /// 5 minus the charges so far. Charges are accepted only while the session is open.
    #[schema(examples(4), maximum = 5)]
    attempts_left: u32,
    /// MTN, TELECEL and AIRTELTIGO, in this order.
    networks: Vec<PayersNetworkView>,
    /// The pending charge; where there is none, the latest. Null before the first one.
    #[schema(required)]
    transaction: Option<PayersTransactionView<'a>>,
}

/// A checkout session, as secret keys and webhooks see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Checkout)]
pub struct CheckoutView<'a> {
    checkout_id: &'a str,
    /// The merchant's own name for the session. Generated where the request had none.
    reference: &'a str,
    #[serde(serialize_with = "json_number")]
    #[schema(value_type = values::Amount)]
    amount: Amount,
    #[schema(value_type = values::Currency)]
    currency: &'static str,
    /// The payer's e-mail address; null where the payer of a payment link gave none.
    #[schema(required)]
    email: Option<&'a str>,
    /// The payment link that opened the session.
    #[schema(required)]
    link_id: Option<&'a str>,
    #[schema(required, value_type = Option<values::Metadata>)]
    metadata: Option<&'a RawValue>,
    /// What the payer answered to the question of the payment link. Absent where nothing was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("Kofi Mensah, class 3B"))]
    answer: Option<&'a str>,
    #[schema(value_type = values::LiveOrTest)]
    mode: &'static str,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    created_at: Timestamp,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    expires_at: Timestamp,
    /// The address that the hosted page offers to go back to. Null without one.
    #[schema(required, examples("https://shop.example/thanks"))]
    return_url: Option<&'a str>,
    #[schema(value_type = values::CheckoutStatus)]
    status: &'static str,
    /// 5 minus the charges so far. Charges are accepted only while the session is open.
    attempts_left: u32,
    /// The charge that brought the money: only this one can be refunded. It is `SUCCESSFUL`, or it
    /// is `FAILED` and its operator reported later that it was paid. Null while nothing is paid,
    /// and where a review found that no money arrived.
    #[schema(required)]
    paid_transaction: Option<TransactionView<'a>>,
    /// The pending charge; where there is none, the latest, which may be another one than the one
    /// that paid. Null before the first one.
    #[schema(required)]
    transaction: Option<TransactionView<'a>>,
}

impl<'a> PayersCheckoutView<'a> {
    /// The session as returned to the bearer of its token.
    pub fn new(
        checkout: &'a Checkout,
        summary: &'a CheckoutSummary,
        networks: [NetworkForPayers; 3],
        public_url: &str,
    ) -> Self {
        Self {
            checkout_id: checkout.id.as_str(),
            reference: &checkout.reference,
            amount: checkout.terms.amount,
            currency: "GHS",
            email: checkout.terms.email.as_deref().map(masked_email),
            merchant: &checkout.merchant,
            branding: BrandingView::new(&checkout.branding, public_url),
            mode: checkout.scope.mode.as_str(),
            expires_at: checkout.expires_at,
            return_url: checkout.terms.return_url.as_deref(),
            status: if summary.paid { "PAID" } else { "OPEN" },
            attempts_left: summary.attempts_left(),
            networks: networks
                .map(|served| PayersNetworkView::new(served, checkout.terms.amount))
                .into(),
            transaction: summary.latest.as_ref().map(PayersTransactionView::new),
        }
    }
}

impl<'a> CheckoutView<'a> {
    /// The session as returned to a secret key and sent in webhooks.
    pub fn new(
        checkout: &'a Checkout,
        summary: &'a CheckoutSummary,
        status: CheckoutStatus,
    ) -> Self {
        Self {
            checkout_id: checkout.id.as_str(),
            reference: &checkout.reference,
            amount: checkout.terms.amount,
            currency: "GHS",
            email: checkout.terms.email.as_deref(),
            link_id: checkout.link.as_ref().map(LinkId::as_str),
            metadata: metadata(checkout.terms.metadata.as_deref()),
            answer: checkout.terms.answer.as_deref(),
            mode: checkout.scope.mode.as_str(),
            created_at: checkout.created_at,
            expires_at: checkout.expires_at,
            return_url: checkout.terms.return_url.as_deref(),
            status: status.as_str(),
            attempts_left: summary.attempts_left(),
            paid_transaction: summary.paid_charge.as_ref().map(TransactionView::new),
            transaction: summary.latest.as_ref().map(TransactionView::new),
        }
    }
}
