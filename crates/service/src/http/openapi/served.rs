//! `GET /openapi.json`: the document as it is served.

use super::document;
use crate::{
    http::{coding::Coding, problem::ApiError, refusals::internal},
    limits::Limiter,
    net::Client,
};
use axum::{
    Extension,
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use std::{
    io,
    sync::{Arc, OnceLock},
};
use tokio::task::spawn_blocking;

/// The document, written when the service starts. Each compressed form is made once, at the first request for it.
#[derive(Debug)]
pub(in crate::http) struct ServedDocument {
    plain: Bytes,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

impl ServedDocument {
    /// The document of a service with this public URL.
    #[expect(clippy::expect_used, reason = "strings, numbers and lists always have a JSON form")]
    pub(in crate::http) fn new(public_url: &str) -> Self {
        let plain = Bytes::from(document(public_url).to_json().expect("plain data"));
        Self { plain, brotli: OnceLock::new(), gzip: OnceLock::new() }
    }

    /// The bytes of one form. The first call for a compressed form takes up to a second.
    #[expect(clippy::expect_used, reason = "compression into memory has nothing that could fail")]
    fn bytes(&self, coding: Coding) -> Bytes {
        let once = |cell: &OnceLock<Bytes>, compress: fn(&[u8]) -> io::Result<Vec<u8>>| {
            cell.get_or_init(|| compress(&self.plain).expect("memory").into()).clone()
        };
        match coding {
            Coding::Brotli => once(&self.brotli, tua_packing::brotli),
            Coding::Gzip => once(&self.gzip, tua_packing::gzip),
            Coding::Identity => self.plain.clone(),
        }
    }
}

/// Responds with the document in the form that the client prefers. Requests count against the limit of their address,
/// as all do that have no valid credential.
pub(in crate::http) async fn read_document(
    State(limiter): State<Arc<Limiter>>,
    Extension(served): Extension<Arc<ServedDocument>>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    limiter.count_bad_credential(client.address)?;
    let coding = Coding::accepted(&headers).into_iter().next().unwrap_or(Coding::Identity);
    let bytes = spawn_blocking(move || served.bytes(coding)).await.map_err(|_| internal())?;
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(coding) = coding.header() {
        headers.insert(header::CONTENT_ENCODING, coding);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_compressed_once() {
        let served =
            ServedDocument { plain: Bytes::from(vec![b' '; 10_000]), brotli: OnceLock::new(), gzip: OnceLock::new() };
        for coding in [Coding::Brotli, Coding::Gzip] {
            let (first, second) = (served.bytes(coding), served.bytes(coding));
            assert!(first.len() < 1_000);
            assert_eq!(first.as_ptr(), second.as_ptr(), "{coding:?} was compressed again");
        }
        assert_eq!(served.bytes(Coding::Identity), served.plain);
    }
}
