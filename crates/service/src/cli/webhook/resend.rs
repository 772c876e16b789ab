//! `tua webhook resend`: sends failed deliveries again.

use super::errors::{no_endpoint, to_line};
use crate::cli::{
    context::{Common, audit_context},
    output,
};
use jiff::civil::Date;
use serde::Serialize;
use tua_domain::{
    EndpointId,
    ports::{DeliveryFilter, Store},
};
use tua_use_cases::resend_failed;

#[derive(Serialize)]
struct Resent {
    /// How many deliveries are sent again.
    resent: usize,
}

pub(super) async fn resend(
    store: &dyn Store,
    common: &Common,
    id: EndpointId,
    from: Option<Date>,
    to: Option<Date>,
) -> Result<(), String> {
    let endpoint = store
        .endpoint(&id)
        .await
        .map_err(to_line)?
        .filter(|endpoint| endpoint.removed_at.is_none());
    let endpoint = endpoint.ok_or_else(|| no_endpoint(&id))?;
    let by = audit_context(common, store).await?;
    let filter = DeliveryFilter { endpoint: Some(id), from, to, ..DeliveryFilter::default() };
    let mut resent = 0;
    loop {
        match resend_failed(store, filter.clone(), &by).await.map_err(to_line)? {
            0 => break,
            more => resent += more,
        }
    }
    let text = match (resent, endpoint.disabled_at) {
        (0, _) => "No delivery failed.".to_owned(),
        (_, None) => format!("Failed deliveries that are sent again: {resent}."),
        (_, Some(_)) => {
            format!("Failed deliveries that are sent again once the endpoint is enabled: {resent}.")
        }
    };
    output::print(common, &Resent { resent }, &text)
}
