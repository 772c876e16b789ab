//! `GET /branding/{file}`: the logos of accounts, and style sheets with their accent colours. The
//! name of a file follows from its contents, so browsers cache it for ever.

use super::{assets::content_type, problem::ApiError, segment::Segment};
use axum::{
    extract::State,
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};
use std::sync::Arc;
use tua_contract::ErrorCode;
use tua_domain::branding::{Accent, LogoName, Theme};
use tua_use_cases::Checkouts;

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Responds with a logo or with the style sheet of a colour.
pub(super) async fn read_branding(
    State(checkouts): State<Arc<Checkouts>>,
    Segment(file): Segment,
) -> Result<Response, ApiError> {
    let (name, extension) = file.split_once('.').unwrap_or_default();
    let contents = match extension {
        "css" => format!("#{name}")
            .parse()
            .ok()
            .filter(|accent: &Accent| accent.digits() == name)
            .map(style_sheet),
        "png" => match LogoName::parse(name) {
            Some(name) => checkouts.logo(&name).await?,
            None => None,
        },
        _ => None,
    };
    let Some(contents) = contents else {
        return Err(ApiError::new(ErrorCode::NotFound, "This file does not exist."));
    };
    let headers = [
        (header::CONTENT_TYPE, content_type(&file).unwrap_or("image/png")),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (RESOURCE_POLICY, "cross-origin"),
    ];
    Ok((headers, contents).into_response())
}

/// The colours for the hosted page and the component in it, which takes no other accent then.
fn style_sheet(accent: Accent) -> Vec<u8> {
    let rule = |theme| {
        let shade = accent.shade(theme);
        format!(":root{{--tua-color-accent:{shade};--tua-color-on-accent:{}}}", shade.text())
    };
    let light = rule(Theme::Light);
    let dark = rule(Theme::Dark);
    format!(
        "{light}\n@media(prefers-color-scheme:dark){{{dark}}}\n\
         body::before{{background:{accent}!important}}\n"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dark_colour_is_lighter_on_a_dark_page() {
        let sheet = String::from_utf8(style_sheet("#0a1f44".parse().unwrap())).unwrap();
        assert_eq!(
            sheet,
            ":root{--tua-color-accent:#0a1f44;--tua-color-on-accent:#ffffff}\n\
             @media(prefers-color-scheme:dark){\
             :root{--tua-color-accent:#5f6d85;--tua-color-on-accent:#ffffff}}\n\
             body::before{background:#0a1f44!important}\n"
        );
    }
}
