//! The QR code of a link, as SVG.

use super::refusals::internal;
use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use qrcode::{QrCode, render::svg};

/// A text as a QR code, in SVG.
pub fn qr_code(text: &str) -> Response {
    let Ok(code) = QrCode::new(text) else { return internal().into_response() };
    let image = code.render::<svg::Color<'_>>().min_dimensions(240, 240).build();
    ([(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"))], image).into_response()
}
