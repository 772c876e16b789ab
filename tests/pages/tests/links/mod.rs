//! Payment links (docs/reference/links.md).

mod closing;
mod codes;
mod pages;
mod questions;
mod routes;
mod single_use;

use reqwest::Method;
use serde_json::Value;
use tua_test_support::{
    ApiClient, Response, TestApp,
    hosted_page::{FORM_CONTENT_TYPE, send_form},
};

/// A link of this merchant, as it was created.
async fn create(shop: &ApiClient, body: &Value) -> Value {
    shop.post("/v1/links", body).await.is(201).json()
}

/// The path of a link's page.
fn path(link: &Value) -> String {
    format!("/l/{}", link["code"].as_str().unwrap())
}

async fn change(shop: &ApiClient, link: &Value, change: &str) -> Response {
    shop.send(
        Method::POST,
        &format!("/v1/links/{}/{change}", link["linkId"].as_str().unwrap()),
        &[],
        None,
    )
    .await
}

async fn read(shop: &ApiClient, link: &Value) -> Value {
    shop.get(&format!("/v1/links/{}", link["linkId"].as_str().unwrap())).await.is(200).json()
}

/// Presses the button of a link's page, with these fields.
async fn press(app: &TestApp, link: &Value, fields: &str) -> Response {
    send_form(&app.actor(""), &path(link), fields, &[FORM_CONTENT_TYPE]).await
}

/// Opens a session at a link's page; returns a client with its token.
async fn open(app: &TestApp, link: &Value, fields: &str) -> ApiClient {
    let answer = press(app, link, fields).await.is(303);
    app.actor(answer.header("location").strip_prefix("/pay?key=").unwrap())
}
