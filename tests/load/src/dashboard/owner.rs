//! The owner of the account, who reads pages.

use super::seed::Seeded;
use crate::client::{Client, Response};
use anyhow::{Result, ensure};

/// Reads a page as the owner, who is signed in.
pub async fn get(client: &mut Client, seeded: &Seeded, path: &str) -> Result<Response> {
    let headers = [
        ("cookie", seeded.cookie.as_str()),
        ("accept-encoding", "br, gzip"),
        ("sec-fetch-site", "same-origin"),
    ];
    let response = client.get(path, &headers).await?;
    ensure!(response.status.is_success(), "{path} was answered {}", response.status);
    Ok(response)
}
