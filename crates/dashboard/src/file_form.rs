//! A posted form with a file (`multipart/form-data`, RFC 7578).

use super::{error::DashboardError, state::DashboardState};
use axum::{
    body::Bytes,
    extract::{FromRequest, Multipart, Request},
    http::StatusCode,
};
use tua_http_json::body::check_content_encoding;

/// The parts of the form in the order in which the browser sent them. The guard has limited their
/// size.
#[derive(Debug, Default)]
pub(super) struct FileForm(Vec<(String, Bytes)>);

impl FileForm {
    /// Reads a whole form.
    pub(super) async fn read(request: Request) -> Result<Self, DashboardError> {
        let unreadable = |status| DashboardError::UnreadableForm(status);
        check_content_encoding(request.headers()).map_err(|error| unreadable(error.status()))?;
        let form = Multipart::from_request(request, &()).await;
        let mut form = form.map_err(|_| unreadable(StatusCode::UNSUPPORTED_MEDIA_TYPE))?;
        let mut parts = Vec::new();
        while let Some(field) =
            form.next_field().await.map_err(|error| unreadable(error.status()))?
        {
            let name = field.name().unwrap_or_default().to_owned();
            parts.push((name, field.bytes().await.map_err(|error| unreadable(error.status()))?));
        }
        Ok(Self(parts))
    }

    /// The first part with this name as text; `None` if there is none, or it is not UTF-8.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        std::str::from_utf8(self.file(name)?).ok().map(str::to_owned)
    }

    /// The bytes of the first part with this name. A field for a file sends none if no file was
    /// chosen.
    pub(super) fn file(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|(one, _)| one == name).map(|(_, bytes)| &bytes[..])
    }
}

impl FromRequest<DashboardState> for FileForm {
    type Rejection = DashboardError;

    async fn from_request(request: Request, _: &DashboardState) -> Result<Self, DashboardError> {
        Self::read(request).await
    }
}
