//! `tua webhook resend`: sends deliveries again that failed or are held.

use super::errors::no_endpoint;
use crate::cli::{context::Common, fault::Fault, output, use_cases::UseCases};
use jiff::civil::Date;
use serde::Serialize;
use tua_domain::{EndpointId, ports::DeliveryFilter};

#[derive(Serialize)]
struct Resent {
    /// How many deliveries are sent again.
    resent: usize,
}

pub(super) async fn resend(
    use_cases: &UseCases,
    common: &Common,
    id: EndpointId,
    from: Option<Date>,
    to: Option<Date>,
) -> Result<(), Fault> {
    let endpoint = use_cases.webhook_endpoints.find(None, &id).await?;
    let endpoint = endpoint.ok_or_else(|| no_endpoint(&id))?;
    let by = use_cases.audit_context(common).await?;
    let filter = DeliveryFilter { from, to, ..DeliveryFilter::default() };
    let resent = use_cases.deliveries.resend_all_unsent_to(&endpoint, filter, &by).await;
    let resent = resent?;
    let text = match (resent, endpoint.disabled_at) {
        (0, _) => "No delivery failed or is held.".to_owned(),
        (_, None) => format!("Deliveries that are sent again: {resent}."),
        (_, Some(_)) => {
            format!("Deliveries that are sent once the endpoint is enabled: {resent}.")
        }
    };
    output::print(common, &Resent { resent }, &text)
}
