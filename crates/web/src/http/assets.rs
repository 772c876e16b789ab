//! Static files that are built into the binary: the component, and the files of the hosted page.
//!
//! Each file has two URLs. The folder in the first is named by a hash of the set's contents, so
//! that browsers cache the file for ever. The second URL, above the folder, never changes, so that
//! browsers validate the file each time. The component's entry modules load everything else from
//! the folder.

use super::{coding::Coding, policy, poll::matches, problem::ApiError, segment::Segment};
use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;
use tua_contract::ErrorCode;
use tua_domain::public_url::PublicUrl;
use tua_packing::WASM;

/// The folder of the component that browsers cache for ever.
pub const SDK: &str = concat!("/sdk/", env!("TUA_SDK"));
/// The folder of the hosted page's files that browsers cache for ever.
pub const PAGE: &str = concat!("/assets/", env!("TUA_PAGE"));

/// The npm package's modules. The wasm and its glue are there only if the component was built
/// before.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/sdk"]
struct Sdk;

/// The entry modules for the URLs that never change.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/entries"]
struct Entries;

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/page"]
struct Page;

#[derive(RustEmbed)]
#[folder = "../../www/phone"]
struct Phone;

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// How long a browser caches a file.
#[derive(Clone, Copy, Debug)]
enum Kept {
    /// The URL has a hash of the contents.
    ForEver,
    /// The browser validates the file each time.
    UntilItChanges,
}

impl Kept {
    const fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::ForEver => "public, max-age=31536000, immutable",
            Self::UntilItChanges => "no-cache",
        })
    }
}

/// A path in one of the two sets.
#[derive(Clone, Copy, Debug)]
enum Place<'a> {
    /// In the folder of this build.
    Here(&'a str),
    /// In the folder of another build: before or after an upgrade.
    Elsewhere(&'a str),
    /// At a URL that never changes.
    Above(&'a str),
}

impl<'a> Place<'a> {
    fn of(path: &'a str, own: &str) -> Self {
        let is_named = |folder: &str| {
            folder.len() == own.len() && folder.bytes().all(|digit| digit.is_ascii_hexdigit())
        };
        match path.split_once('/') {
            Some((folder, file)) if folder == own => Self::Here(file),
            Some((folder, file)) if is_named(folder) => Self::Elsewhere(file),
            _ => Self::Above(path),
        }
    }
}

/// Whether this binary contains the component.
#[must_use]
pub fn is_component_built() -> bool {
    Sdk::get(WASM).is_some()
}

/// `GET /sdk/…`: the component, for any page (docs/reference/endpoints.md).
pub(super) async fn sdk_file(path: Result<Segment, ApiError>, headers: HeaderMap) -> Response {
    let path = path.map(|Segment(path)| path).unwrap_or_default();
    let found = match Place::of(&path, env!("TUA_SDK")) {
        _ if !is_component_built() => Err(ApiError::new(
            ErrorCode::NotFound,
            "This service was built without the checkout component. Run `cargo xtask dist`, then \
             build the service again.",
        )),
        Place::Here(file) => serve::<Sdk>(file, &headers, Kept::ForEver),
        // The wasm works only with its own loader. Without the wasm, that loader offers the hosted
        // page.
        Place::Elsewhere(WASM) => Err(missing()),
        Place::Elsewhere(file) => look_above::<Sdk>("/sdk", file),
        Place::Above(file) => serve::<Entries>(file, &headers, Kept::UntilItChanges)
            .or_else(|_| serve::<Sdk>(file, &headers, Kept::UntilItChanges)),
    };
    let mut response = found.into_response();
    response.headers_mut().insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    response
}

/// The styles and the script of the hosted page.
pub(super) async fn page_file(
    Segment(path): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    match Place::of(&path, env!("TUA_PAGE")) {
        Place::Here(file) => serve::<Page>(file, &headers, Kept::ForEver),
        Place::Elsewhere(file) => look_above::<Page>("/assets", file),
        Place::Above(file) => serve::<Page>(file, &headers, Kept::UntilItChanges),
    }
}

/// The simulated phone's page.
pub(super) async fn phone_page(
    State(public_url): State<PublicUrl>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let mut response = serve::<Phone>("phone.html", &headers, Kept::UntilItChanges)?;
    policy::simulated_phone(response.headers_mut(), &public_url);
    Ok(response)
}

/// The other files of the simulated phone.
pub(super) async fn phone_asset(
    Segment(file): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if file.ends_with(".html") {
        return Err(missing());
    }
    serve::<Phone>(&file, &headers, Kept::UntilItChanges)
}

fn missing() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "This file does not exist.")
}

/// A page that was open during an upgrade is redirected to the current file, which it must not
/// cache under the old URL.
fn look_above<E: RustEmbed>(above: &str, file: &str) -> Result<Response, ApiError> {
    let found = E::get(file)
        .and_then(|_| HeaderValue::try_from(format!("{above}/{file}")).ok())
        .ok_or_else(missing)?;
    let headers =
        [(header::LOCATION, found), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((StatusCode::TEMPORARY_REDIRECT, headers).into_response())
}

/// Responds with a file in the content coding that the client prefers.
fn serve<E: RustEmbed>(file: &str, headers: &HeaderMap, kept: Kept) -> Result<Response, ApiError> {
    let content_type = content_type(file).ok_or_else(missing)?;
    let packed = |coding: Coding| Some((coding, E::get(&[file, coding.suffix()].concat())?));
    let (coding, found) =
        Coding::accepted(headers).into_iter().find_map(packed).ok_or_else(missing)?;
    let hash = found.metadata.sha256_hash();
    // The hash of the compressed bytes, so that each content coding has its own ETag.
    let tag = format!("\"{}\"", uuid::Uuid::from_slice(&hash[..16]).unwrap_or_default().simple());
    let mut response = if matches(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(found.data).into_response()
    };
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer.insert(header::CACHE_CONTROL, kept.header());
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(coding) = coding.header() {
        answer.insert(header::CONTENT_ENCODING, coding);
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.insert(header::ETAG, tag);
    }
    Ok(response)
}

/// The media type of a static file, by its name; `None` for a file that browsers do not load.
#[must_use]
pub fn content_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit('.').next()? {
        "js" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}
