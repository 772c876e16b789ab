//! The configuration of a TLS server.

use rustls::{ServerConfig, crypto::aws_lc_rs, server::ResolvesServerCert};
use std::sync::Arc;

/// A configuration with one application protocol.
pub(super) fn server_config(
    resolver: Arc<dyn ResolvesServerCert>,
    protocol: &[u8],
) -> Result<ServerConfig, rustls::Error> {
    let builder = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
    let mut config = builder
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(resolver);
    config.alpn_protocols = vec![protocol.to_vec()];
    Ok(config)
}
