//! Fetches a statement from an operator whose API has statements, and imports it.

use super::{
    error::DashboardError,
    fields::{Fields, typed_day},
    state::DashboardState,
    statements::{ImportFault, ReceivedFile, entitled_operators, import_bytes, page},
    visitor::Visitor,
};
use axum::{extract::State, response::Response};
use std::time::Duration;
use tua_domain::statement::period::{PeriodFault, StatementPeriod};
use tua_tables::statement_file::FileDays;
use tua_use_cases::statement_fetch::{FetchError, fetch_statement};

/// How long the operator may take to make the statement. Proxies close a request that waits for a
/// minute.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// `POST /statements/fetch`: fetches the statement of some days and imports it, or shows why not.
pub(super) async fn fetch(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let operators = entitled_operators(&state, &visitor).await?;
    let refuse = async |fault, fetching| {
        page(&state, &visitor, "", ImportFault { fault, fetching, ..ImportFault::default() }).await
    };
    let Some(operator) =
        operators.into_iter().find(|entry| entry.pin.name.as_str() == fields.get("operator"))
    else {
        return refuse("statements-choose-operator", String::new()).await;
    };
    let day = |name| typed_day(fields.get(name));
    let Some((from, to)) = day("from").zip(day("to")) else {
        return refuse("statements-choose-days", String::new()).await;
    };
    let period = match StatementPeriod::new(from, to, state.clock.now()) {
        Ok(period) => period,
        Err(faults) => {
            let fault = match faults.first() {
                Some(PeriodFault::TooLong) => "statements-days-too-long",
                Some(PeriodFault::NotBegun) => "statements-days-not-begun",
                Some(PeriodFault::Reversed) | None => "statements-days-reversed",
            };
            return refuse(fault, String::new()).await;
        }
    };
    match fetch_statement(&operator, &period, TIME_LIMIT).await {
        Ok(bytes) => {
            let days = FileDays { covers: Some((from, to)), ..FileDays::default() };
            import_bytes(&state, &visitor, &operator, ReceivedFile { bytes, sheet: None, days })
                .await
        }
        Err(FetchError::NotOffered) => refuse("statements-not-offered", String::new()).await,
        Err(FetchError::Read(error)) => refuse("statements-not-fetched", error.to_string()).await,
    }
}
