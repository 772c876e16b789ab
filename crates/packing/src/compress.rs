//! Bytes as small as they get, and what vouches for them.

use base64::{Engine, engine::general_purpose::STANDARD};
use brotli::enc::BrotliEncoderParams;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha384};
use std::io::{self, Write};

/// Brotli at its best: a second of work once, for every visit.
///
/// # Errors
/// None that memory does not cause.
pub fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let params = BrotliEncoderParams { quality: 11, size_hint: bytes.len(), ..BrotliEncoderParams::default() };
    let mut small = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut small, &params)?;
    Ok(small)
}

/// For browsers without brotli.
///
/// # Errors
/// None that memory does not cause.
pub fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// What a page pins these bytes by (Subresource Integrity).
#[must_use]
pub fn integrity(bytes: &[u8]) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(bytes)))
}
