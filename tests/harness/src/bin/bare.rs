//! The reference for `cargo xtask bench api`: axum handlers that read the same JSON as the service,
//! send responses of the same size, and do nothing else. It also accepts the service's webhooks.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Charge {
    amount: serde_json::Number,
    phone_number: String,
    network: String,
    reference: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Transaction {
    message: &'static str,
    transaction_id: String,
    r#type: &'static str,
    status: &'static str,
    next_action: &'static str,
    failure: Option<&'static str>,
    amount: serde_json::Number,
    currency: &'static str,
    network: String,
    phone_number: String,
    reference: String,
    mode: &'static str,
    checkout_id: Option<&'static str>,
    email: Option<&'static str>,
    metadata: Option<&'static str>,
    payer_message: Option<&'static str>,
    payee_note: Option<&'static str>,
    created_at: &'static str,
    updated_at: &'static str,
}

#[derive(Deserialize)]
struct NewCheckout {
    amount: serde_json::Number,
    email: String,
    reference: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Checkout {
    checkout_token: &'static str,
    url: String,
    expires_at: &'static str,
    checkout_id: &'static str,
    reference: String,
}

const ID: &str = "txn_019aa5f0c2007d3e8a1b4c5d6e7f8092";
const TOKEN: &str = "tua_checkout_Xo3kP0d7m1y1nC5vWc9lq2rB8sT4uE6hJfKzLxVbNaM";
const MOMENT: &str = "2026-01-01T12:00:00.123Z";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let app = Router::new()
        .route("/v1/charge", post(charge))
        .route("/v1/checkout", post(checkout))
        .route("/v1/status/{id}", get(status))
        .route("/hooks", post(async || StatusCode::OK));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("bare listens on {}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

async fn charge(Json(charge): Json<Charge>) -> (StatusCode, Json<Transaction>) {
    (StatusCode::ACCEPTED, Json(transaction(ID.to_owned(), charge)))
}

async fn status(Path(id): Path<String>) -> Json<Transaction> {
    let charge = Charge {
        amount: 10.into(),
        phone_number: "0241234567".to_owned(),
        network: "MTN".to_owned(),
        reference: "order-17".to_owned(),
    };
    Json(transaction(id, charge))
}

fn transaction(transaction_id: String, charge: Charge) -> Transaction {
    Transaction {
        message: "Started. The payer approves it on the phone.",
        transaction_id,
        r#type: "CHARGE",
        status: "PENDING",
        next_action: "APPROVE_ON_PHONE",
        failure: None,
        amount: charge.amount,
        currency: "GHS",
        network: charge.network,
        phone_number: charge.phone_number,
        reference: charge.reference,
        mode: "test",
        checkout_id: None,
        email: None,
        metadata: None,
        payer_message: None,
        payee_note: None,
        created_at: MOMENT,
        updated_at: MOMENT,
    }
}

async fn checkout(Json(new): Json<NewCheckout>) -> (StatusCode, Json<Checkout>) {
    let url = format!("http://127.0.0.1:8080/pay?key={TOKEN}&for={}&of={}", new.email, new.amount);
    let checkout = Checkout {
        checkout_token: TOKEN,
        url,
        expires_at: MOMENT,
        checkout_id: "chk_019aa5f0c2007d3e8a1b4c5d6e7f8092",
        reference: new.reference,
    };
    (StatusCode::CREATED, Json(checkout))
}
