//! Static files that are built into the binary: the component, and the files of the hosted page.
//!
//! Each file has two URLs. The folder in the first is named by a hash of the set's contents, so
//! that browsers cache the file for ever. The second URL, above the folder, never changes, so that
//! browsers validate the file each time. The component's entry modules load everything else from
//! the folder.

use super::{coding::Coding, poll::matches, problem::ApiError, security_headers, segment::Segment};
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

/// How browsers cache a file: its `Cache-Control`.
#[derive(Clone, Copy, Debug)]
enum CachePolicy {
    /// For ever: the URL has a hash of the contents.
    Immutable,
    /// With a validation at each use (`no-cache`).
    Revalidate,
}

impl CachePolicy {
    const fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Revalidate => "no-cache",
        })
    }
}

/// The path of a file below `/sdk` or `/assets`.
#[derive(Clone, Copy, Debug)]
enum AssetPath<'a> {
    /// In the folder of this build.
    ThisBuild(&'a str),
    /// In the folder of another build: before or after an upgrade.
    OtherBuild(&'a str),
    /// In no folder: the URL that never changes.
    Unversioned(&'a str),
}

impl<'a> AssetPath<'a> {
    fn of(path: &'a str, own: &str) -> Self {
        let is_named = |folder: &str| {
            folder.len() == own.len() && folder.bytes().all(|digit| digit.is_ascii_hexdigit())
        };
        match path.split_once('/') {
            Some((folder, file)) if folder == own => Self::ThisBuild(file),
            Some((folder, file)) if is_named(folder) => Self::OtherBuild(file),
            _ => Self::Unversioned(path),
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
    let response = match AssetPath::of(&path, env!("TUA_SDK")) {
        _ if !is_component_built() => Err(ApiError::new(
            ErrorCode::NotFound,
            "This service was built without the checkout component. Run `cargo xtask dist`, then \
             build the service again.",
        )),
        AssetPath::ThisBuild(file) => serve::<Sdk>(file, &headers, CachePolicy::Immutable),
        // The wasm works only with its own loader. Without the wasm, that loader offers the hosted
        // page.
        AssetPath::OtherBuild(WASM) => Err(missing()),
        AssetPath::OtherBuild(file) => redirect_to_unversioned::<Sdk>("/sdk", file),
        AssetPath::Unversioned(file) => serve::<Entries>(file, &headers, CachePolicy::Revalidate)
            .or_else(|_| serve::<Sdk>(file, &headers, CachePolicy::Revalidate)),
    };
    let mut response = response.into_response();
    response.headers_mut().insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    response
}

/// The styles and the script of the hosted page.
pub(super) async fn page_file(
    Segment(path): Segment,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    match AssetPath::of(&path, env!("TUA_PAGE")) {
        AssetPath::ThisBuild(file) => serve::<Page>(file, &headers, CachePolicy::Immutable),
        AssetPath::OtherBuild(file) => redirect_to_unversioned::<Page>("/assets", file),
        AssetPath::Unversioned(file) => serve::<Page>(file, &headers, CachePolicy::Revalidate),
    }
}

/// The simulated phone's page.
pub(super) async fn phone_page(
    State(public_url): State<PublicUrl>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let mut response = serve::<Phone>("phone.html", &headers, CachePolicy::Revalidate)?;
    security_headers::add_simulated_phone(response.headers_mut(), &public_url);
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
    serve::<Phone>(&file, &headers, CachePolicy::Revalidate)
}

fn missing() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "This file does not exist.")
}

/// A page that was open during an upgrade is redirected to the current file, which it must not
/// cache under the old URL.
fn redirect_to_unversioned<E: RustEmbed>(folder: &str, file: &str) -> Result<Response, ApiError> {
    let location = E::get(file)
        .and_then(|_| HeaderValue::try_from(format!("{folder}/{file}")).ok())
        .ok_or_else(missing)?;
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((StatusCode::TEMPORARY_REDIRECT, headers).into_response())
}

/// Responds with a file in the content coding that the client prefers.
fn serve<E: RustEmbed>(
    file: &str,
    headers: &HeaderMap,
    cache_policy: CachePolicy,
) -> Result<Response, ApiError> {
    let content_type = content_type(file).ok_or_else(missing)?;
    let packed = |coding: Coding| Some((coding, E::get(&[file, coding.suffix()].concat())?));
    let (coding, embedded) =
        Coding::accepted(headers).into_iter().find_map(packed).ok_or_else(missing)?;
    let hash = embedded.metadata.sha256_hash();
    // The hash of the compressed bytes, so that each content coding has its own ETag.
    let tag = format!("\"{}\"", uuid::Uuid::from_slice(&hash[..16]).unwrap_or_default().simple());
    let mut response = if matches(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(embedded.data).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, cache_policy.header());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(coding) = coding.header() {
        headers.insert(header::CONTENT_ENCODING, coding);
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
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
