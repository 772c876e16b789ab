//! The errors of webhook commands.

use crate::cli::fault::Fault;
use tua_domain::EndpointId;

pub(super) fn no_endpoint(id: &EndpointId) -> Fault {
    Fault::not_found(format!("endpoint: there is no endpoint {id}"))
}
