//! A body that never changes while the service runs, compressed once and not for each request.

use super::{coding::Coding, refusals::internal};
use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use std::{
    io,
    sync::{Arc, OnceLock},
};
use tokio::task::spawn_blocking;

/// A body. Each compressed form is made at the first request for it.
#[derive(Debug)]
pub struct CompressedOnce {
    plain: Bytes,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

impl CompressedOnce {
    /// A body that is not compressed yet.
    pub const fn new(plain: Bytes) -> Self {
        Self { plain, brotli: OnceLock::new(), gzip: OnceLock::new() }
    }

    /// Responds with the body in the form that the client prefers.
    pub async fn response(
        self: Arc<Self>,
        headers: &HeaderMap,
        media_type: &'static str,
    ) -> Response {
        let coding = Coding::accepted(headers).into_iter().next().unwrap_or(Coding::Identity);
        let Ok(bytes) = spawn_blocking(move || self.bytes(coding)).await else {
            return internal().into_response();
        };
        let mut response = bytes.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(coding) = coding.header() {
            headers.insert(header::CONTENT_ENCODING, coding);
        }
        response
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_compressed_once() {
        let served = CompressedOnce::new(Bytes::from(vec![b' '; 10_000]));
        for coding in [Coding::Brotli, Coding::Gzip] {
            let first = served.bytes(coding);
            let second = served.bytes(coding);
            assert!(first.len() < 1_000);
            assert_eq!(first.as_ptr(), second.as_ptr(), "{coding:?} was compressed again");
        }
        assert_eq!(served.bytes(Coding::Identity), served.plain);
    }
}
