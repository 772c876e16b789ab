//! Payment links as responses show them.

use super::format::{metadata, optional_json_number, optional_rfc3339, pesewas_as_cedis, rfc3339};
use crate::values;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use tua_contract::Amount;
use tua_domain::link::{Link, LinkStatus, LinkTotals};
use utoipa::ToSchema;

/// A payment link: its terms, its address, and what has been paid with it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Link)]
pub struct LinkView<'a> {
    #[schema(examples("lnk_019aa5f0c2007d3e8a1b4c5d6e7f8096"))]
    link_id: &'a str,
    /// The page on which payers pay.
    #[schema(format = "uri", examples("https://pay.example.com/l/K7QM3XTA"))]
    url: String,
    /// What payers can type at /l instead: 8 characters without 0, O, 1, I and L. Case, spaces and
    /// dashes do not matter.
    #[schema(examples("K7QM3XTA"))]
    code: &'a str,
    /// A picture of the URL as a QR code, in SVG.
    #[schema(format = "uri", examples("https://pay.example.com/l/K7QM3XTA.svg"))]
    qr: String,
    #[schema(value_type = values::LinkStatus)]
    status: &'static str,
    /// What payers read first.
    #[schema(examples("Adom choir: robe"))]
    title: &'a str,
    /// More for payers to read.
    #[schema(required, examples("One robe, sewn to measure."))]
    description: Option<&'a str>,
    /// What each payer pays. Null where the payer chooses.
    #[serde(serialize_with = "optional_json_number")]
    #[schema(required, value_type = Option<values::Amount>)]
    amount: Option<Amount>,
    /// The smallest amount that a payer may choose.
    #[serde(serialize_with = "optional_json_number")]
    #[schema(required, value_type = Option<values::Amount>)]
    min_amount: Option<Amount>,
    /// The largest amount that a payer may choose.
    #[serde(serialize_with = "optional_json_number")]
    #[schema(required, value_type = Option<values::Amount>)]
    max_amount: Option<Amount>,
    #[schema(value_type = values::Currency)]
    currency: &'static str,
    #[schema(value_type = values::LinkUses)]
    uses: &'static str,
    /// When the link ends. Null for never.
    #[serde(serialize_with = "optional_rfc3339")]
    #[schema(required, value_type = Option<values::Time>)]
    expires_at: Option<Timestamp>,
    /// The merchant's reference. The link's sessions and charges have it too.
    #[schema(examples("choir-2026"))]
    reference: &'a str,
    #[schema(required, value_type = Option<values::Metadata>)]
    metadata: Option<&'a RawValue>,
    /// What payers must answer before they pay. Absent where nothing is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples("Name of the pupil"))]
    question: Option<&'a str>,
    #[schema(value_type = values::LiveOrTest)]
    mode: &'static str,
    /// How many charges of the link are SUCCESSFUL.
    #[schema(examples(12))]
    payments: u64,
    /// The sum of these charges, in GHS; 0 before the first one.
    #[serde(serialize_with = "pesewas_as_cedis")]
    #[schema(value_type = values::Sum)]
    paid_amount: i64,
    #[serde(serialize_with = "rfc3339")]
    #[schema(value_type = values::Time)]
    created_at: Timestamp,
}

impl<'a> LinkView<'a> {
    /// The view of a link with this status and these payments, at the service with this public URL.
    pub fn new(link: &'a Link, totals: LinkTotals, status: LinkStatus, public_url: &str) -> Self {
        let (min_amount, max_amount) = link.terms.amount.limits();
        let url = link.address(public_url);
        Self {
            link_id: link.id.as_str(),
            qr: format!("{url}.svg"),
            url,
            code: link.code.as_str(),
            status: status.as_str(),
            title: &link.terms.title,
            description: link.terms.description.as_deref(),
            amount: link.terms.amount.fixed(),
            min_amount,
            max_amount,
            currency: "GHS",
            uses: link.terms.uses.as_str(),
            expires_at: link.terms.expires_at,
            reference: &link.reference,
            metadata: metadata(link.terms.metadata.as_deref()),
            question: link.terms.question.as_deref(),
            mode: link.scope.mode.as_str(),
            payments: totals.payments,
            paid_amount: totals.paid_pesewas,
            created_at: link.created_at,
        }
    }
}
