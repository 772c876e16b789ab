//! The accent colour and the logo of an account.

use super::{
    accent::AccentFields,
    error::{DashboardError, redirect},
    file_form::FileForm,
    settings::{self, RefusedForm},
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use tokio::{sync::Semaphore, task::spawn_blocking};
use tua_domain::{
    branding::{BrandingChange, LOGO_MAX_BYTES, Logo, LogoFault, NotAColour},
    change::Change,
};

/// The largest form: a logo, and the other fields.
pub(super) const FORM_MAX_BYTES: usize = LOGO_MAX_BYTES + (16 << 10);

/// `POST /settings/branding`: an empty colour removes it; without a file the logo stays as it is.
pub(super) async fn change(
    State(state): State<DashboardState>,
    visitor: Visitor,
    form: FileForm,
) -> Result<Response, DashboardError> {
    let text = |name| form.text(name).unwrap_or_default();
    let typed =
        AccentFields { accent: text("accent"), picked: text("picked"), shown: text("shown") };
    let accent = typed.read();
    let logo = match form.file("logo").unwrap_or_default() {
        _ if form.text("remove-logo").is_some() => Ok(Change::Clear),
        [] => Ok(Change::Keep),
        file => decode(file.to_vec()).await.map(Change::Set),
    };
    let (accent, logo) = match (accent, logo) {
        (Ok(accent), Ok(logo)) => (accent, logo),
        (accent, logo) => {
            let accent =
                accent.err().map(|NotAColour| ("accent", "fault-accent-colour".to_owned()));
            let logo = logo.err().map(|fault| ("logo", format!("fault-logo-{}", fault.as_str())));
            let faults = accent.into_iter().chain(logo).collect();
            return settings::page(
                &state,
                &visitor,
                "",
                RefusedForm { accent: Some(typed.chosen()), faults, ..RefusedForm::default() },
            )
            .await;
        }
    };
    let change = BrandingChange { accent: accent.into(), logo };
    let by = visitor.audit(&state);
    state.branding.change(&visitor.account.id, change, &by).await?;
    Ok(redirect(&visitor.href(settings::SAVED_PATH)))
}

/// One picture is decoded at a time: it takes up to 40 MiB and a second of processor time.
static DECODING: Semaphore = Semaphore::const_new(1);

async fn decode(file: Vec<u8>) -> Result<Logo, LogoFault> {
    // Nothing closes the semaphore.
    let _permit = DECODING.acquire().await.map_err(|_| LogoFault::Damaged)?;
    spawn_blocking(move || Logo::read(&file)).await.unwrap_or(Err(LogoFault::Damaged))
}

/// `GET /settings/logo.png`: the logo, for the settings page, which loads nothing from another
/// origin.
pub(super) async fn logo(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let name = visitor.account.branding.logo.as_ref().ok_or(DashboardError::NotFound)?;
    let png = state.branding.logo(name).await?.ok_or(DashboardError::NotFound)?;
    Ok(([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "private, no-cache")], png)
        .into_response())
}
