//! The ruler for `cargo xtask bench api`: an axum handler that parses a charge and answers one,
//! and does nothing else.

use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Charge {
    amount: serde_json::Number,
    phone_number: String,
    network: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Accepted {
    message: String,
    transaction_id: String,
    status: &'static str,
    amount: serde_json::Number,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let listen: SocketAddr =
        std::env::args().nth(1).ok_or_else(|| anyhow::anyhow!("bare: wants an address to listen on"))?.parse()?;
    let app = Router::new().route("/v1/charge", post(charge));
    axum::serve(tokio::net::TcpListener::bind(listen).await?, app).await?;
    Ok(())
}

async fn charge(Json(charge): Json<Charge>) -> (StatusCode, Json<Accepted>) {
    let message = format!("A request to pay was sent to {} on {}", charge.phone_number, charge.network);
    let transaction_id = "0198a5b0-5a5b-7c11-9d3e-2f6b6f1c2d3e".to_owned();
    (StatusCode::ACCEPTED, Json(Accepted { message, transaction_id, status: "PENDING", amount: charge.amount }))
}
