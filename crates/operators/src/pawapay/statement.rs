//! Statements: pawaPay makes the file in the background, and names an address where it can be
//! downloaded for a while.

use super::{
    connector::PawaPay,
    convert::CURRENCY,
    response_error::unexpected,
    wire::{MadeStatement, RequestedStatement, StatementBody, StatementRequest, Wallet},
};
use crate::{
    connection::{Call, Response},
    settings::is_loopback,
};
use jiff::{SignedDuration, Timestamp};
use reqwest::StatusCode;
use secrecy::ExposeSecret;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tua_domain::{ports::ReadError, statement::period::StatementPeriod};
use url::Url;

/// The largest file: about 200,000 lines.
const MAX_FILE_BYTES: usize = 32 << 20;

/// The time limit of the download.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(60);

/// The waits between questions whether the file is made: each twice the one before, up to a limit.
const FIRST_WAIT: SignedDuration = SignedDuration::from_millis(500);
const LONGEST_WAIT: SignedDuration = SignedDuration::from_secs(8);

impl PawaPay {
    pub(super) async fn read_statement(
        &self,
        period: &StatementPeriod,
        time_limit: Duration,
    ) -> Result<Vec<u8>, ReadError> {
        let clock = self.connection.clock();
        let deadline = clock.now().saturating_add(time_limit).unwrap_or(Timestamp::MAX);
        let request = StatementRequest {
            wallet: Wallet { country: "GHA", currency: CURRENCY },
            callback_url: self.callback_url.expose_secret(),
            start_date: period.start().to_string(),
            end_date: period.end().to_string(),
            compressed: false,
        };
        let unwritable = |_| ReadError::Unanswered("the request cannot be written".to_owned());
        let call =
            Call::post("/v2/statements").json(serde_json::to_vec(&request).map_err(unwritable)?);
        let requested: RequestedStatement = document(&self.response(self.authorize(call)).await?)?;
        // It becomes a part of a path.
        let id = uuid::Uuid::try_parse(&requested.statement_id).map_err(|_| {
            ReadError::Unanswered(format!(
                "pawaPay did not take the request: its status is {:?}",
                requested.status
            ))
        })?;
        let path = format!("/v2/statements/{id}");
        let mut wait = FIRST_WAIT;
        loop {
            let at = clock.now().saturating_add(wait).unwrap_or(Timestamp::MAX);
            if at > deadline {
                let seconds = time_limit.as_secs();
                let late = format!(
                    "pawaPay did not make the statement within {seconds} seconds; try again later"
                );
                return Err(ReadError::Unanswered(late));
            }
            clock.sleep_until(at).await;
            wait = (wait * 2).min(LONGEST_WAIT);
            let body: StatementBody = document(&self.get(&path).await?)?;
            // Right after the request it may not be found yet.
            let Some(made) = body.data else { continue };
            match made.status.as_str() {
                "ACCEPTED" | "ENQUEUED" | "PROCESSING" => {}
                "COMPLETED" => return self.download(&made).await,
                other => {
                    return Err(ReadError::Unanswered(format!(
                        "the statement has the status {other:?}"
                    )));
                }
            }
        }
    }

    /// Downloads the file without credentials: its address is at another host.
    async fn download(&self, made: &MadeStatement) -> Result<Vec<u8>, ReadError> {
        let url = made.download_url.as_deref().and_then(|url| Url::parse(url).ok());
        let is_local = |url: &Url| is_loopback(self.connection.base_url()) && is_loopback(url);
        let url = url.filter(|url| url.scheme() == "https" || is_local(url));
        let url = url.ok_or_else(|| {
            ReadError::Unanswered("the statement has no https:// address".to_owned())
        })?;
        let response =
            self.response(Call::get_file(url, MAX_FILE_BYTES).timeout(DOWNLOAD_TIMEOUT)).await?;
        match response.status {
            StatusCode::OK => Ok(response.body),
            status => Err(ReadError::Unanswered(format!(
                "the file cannot be downloaded: HTTP {}",
                status.as_u16()
            ))),
        }
    }
}

/// The JSON of a successful response.
fn document<T: DeserializeOwned>(response: &Response) -> Result<T, ReadError> {
    response
        .json()
        .filter(|_| response.status == StatusCode::OK)
        .ok_or_else(|| unexpected(response))
}
