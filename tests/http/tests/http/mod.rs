//! HTTP itself: credentials, errors, headers, connections, TLS, static files.

mod ambiguous_requests;
mod connection_limits;
mod credentials;
mod documentation;
mod encodings;
mod errors;
mod headers;
mod key_scopes;
mod newcomer_mistakes;
mod openapi;
mod paths;
mod proxies;
mod public_url;
mod static_files;
mod suspension;
mod tls;
mod unread_bodies;
