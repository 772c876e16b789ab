//! HTTP itself: credentials, errors, headers, connections, TLS, static files.

mod connection_limits;
mod credentials;
mod errors;
mod headers;
mod key_scopes;
mod openapi;
mod proxies;
mod static_files;
mod suspension;
mod tls;
