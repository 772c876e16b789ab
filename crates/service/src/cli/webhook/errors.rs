//! The errors of webhook commands, one line each.

use tua_domain::{EndpointId, ports::StoreError};

pub(super) fn no_endpoint(id: &EndpointId) -> String {
    format!("endpoint: there is no endpoint {id}")
}

pub(super) fn to_line(error: StoreError) -> String {
    error.to_string()
}
