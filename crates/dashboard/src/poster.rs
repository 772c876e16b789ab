//! The poster of a payment link: a page to print, for the counter of a shop.

use super::{
    error::DashboardError, links, payment::PathValues, settings, state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::{Value, context};
use serde::Deserialize;
use tua_domain::{Mode, branding::Theme};

/// The query of `GET /links/{id}/poster`.
#[derive(Debug, Deserialize)]
pub(super) struct PosterQuery {
    /// The size of the paper.
    #[serde(default)]
    size: PaperSize,
}

/// A size of paper (ISO 216).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PaperSize {
    /// 148 mm by 210 mm.
    A5,
    /// 210 mm by 297 mm. Also that of any other text.
    #[default]
    #[serde(other)]
    A4,
}

impl PaperSize {
    const ALL: [Self; 2] = [Self::A4, Self::A5];

    /// The value of `size`, and the class of the poster.
    const fn as_str(self) -> &'static str {
        match self {
            Self::A5 => "a5",
            Self::A4 => "a4",
        }
    }
}

/// `GET /links/{id}/poster`: the poster of a link that several payers can pay. No other link has
/// one.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    Query(PosterQuery { size }): Query<PosterQuery>,
) -> Result<Response, DashboardError> {
    let found = links::find(&state, &visitor, &path).await?;
    if !links::is_open_to_many(&state, &found) {
        return Err(DashboardError::NotFound);
    }
    let accent = visitor.account.branding.accent.map(|accent| accent.shade(Theme::Light));
    let values = context! {
        link => links::row(&state, &found),
        networks => networks(&state, &visitor),
        accent => accent.map(|shade| shade.to_string()),
        logo => settings::logo_address(&visitor),
        is_test => visitor.scope.mode == Mode::Test,
        size => size.as_str(),
        sizes => PaperSize::ALL.map(PaperSize::as_str),
    };
    Ok(visitor.page("poster.html", values))
}

/// The networks on which payers can pay.
fn networks(state: &DashboardState, visitor: &Visitor) -> Vec<Value> {
    let services = state.networks.services(&visitor.scope, true);
    let served = services.iter().filter(|(_, charges, _)| charges.permitted_range.is_some());
    served.map(|(network, _, _)| Value::from(network.as_str())).collect()
}
