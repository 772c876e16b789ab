//! The connector to a Hubtel account: its state, and the calls of orders and their status.

use super::{
    convert,
    hosts::Hosts,
    settings::Settings,
    wire::{ReceiveRequest, SendRequest, channel, client_reference, description},
};
use crate::connection::{Call, Connection, Reply};
use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::header::AUTHORIZATION;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use tracing::error;
use tua_domain::international::international;
use tua_domain::{
    Kind,
    ports::{Order, SendPermit, SendResponse},
};

/// The connector to one Hubtel account.
#[derive(Debug)]
pub struct Hubtel {
    pub(super) settings: Settings,
    pub(super) hosts: Hosts,
    /// A secret: it is all that a callback needs to be accepted.
    pub(super) callback_url: SecretString,
}

impl Hubtel {
    /// A connector. `callback_url` is sent with every order.
    pub(super) fn new(settings: Settings, hosts: Hosts, callback_url: String) -> Self {
        Self { settings, hosts, callback_url: callback_url.into() }
    }

    pub(super) async fn call(&self, host: &Connection, call: Call<'_>) -> Reply {
        let credentials =
            format!("{}:{}", self.settings.api_id, self.settings.api_key.expose_secret());
        let authorization = format!("Basic {}", STANDARD.encode(credentials));
        let reply = host.call(call.secret_header(AUTHORIZATION, &authorization)).await;
        if matches!(&reply, Reply::Response(response) if convert::is_address_not_listed(response)) {
            error!(host = host.base_url().as_str(), "{}", convert::NOT_LISTED);
        }
        reply
    }

    pub(super) async fn receive(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        let transfer = &order.transfer;
        let request = ReceiveRequest {
            customer_msisdn: international(&transfer.phone),
            customer_email: order.email.as_deref(),
            channel: channel(transfer.network),
            amount: transfer.amount,
            primary_callback_url: self.callback_url.expose_secret(),
            description: description(order),
            client_reference: client_reference(&order.reference),
        };
        let Some(body) = json(&request) else { return SendResponse::NotSent };
        let path = format!(
            "/merchantaccount/merchants/{}/receive/mobilemoney",
            self.settings.pos_sales_id
        );
        let call = Call::post(path).json(body).record_for(&order.reference).with_permit(permit);
        convert::send_response(
            &self.call(&self.hosts.receive, call).await,
            &order.reference,
            Kind::Charge,
        )
    }

    pub(super) async fn send_money(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        // Without the account no payout is routed here.
        let Some(account) = &self.settings.prepaid_deposit_id else { return SendResponse::NotSent };
        let transfer = &order.transfer;
        let request = SendRequest {
            // Required. The owner's name is not known here.
            recipient_name: transfer.phone.as_str(),
            recipient_msisdn: international(&transfer.phone),
            customer_email: order.email.as_deref(),
            channel: channel(transfer.network),
            amount: transfer.amount,
            primary_callback_url: self.callback_url.expose_secret(),
            description: description(order),
            client_reference: client_reference(&order.reference),
        };
        let Some(body) = json(&request) else { return SendResponse::NotSent };
        let path = format!("/api/merchants/{account}/send/mobilemoney");
        let call = Call::post(path).json(body).record_for(&order.reference).with_permit(permit);
        convert::send_response(
            &self.call(&self.hosts.send, call).await,
            &order.reference,
            Kind::Payout,
        )
    }

    pub(super) async fn receive_status(&self, reference: &str) -> Reply {
        let account = &self.settings.pos_sales_id;
        let reference_sent = client_reference(reference);
        let path = format!("/transactions/{account}/status?clientReference={reference_sent}");
        self.call(&self.hosts.receive_status, Call::get(path).record_for(reference)).await
    }

    pub(super) async fn send_status(&self, reference: &str) -> Reply {
        let Some(account) = &self.settings.prepaid_deposit_id else { return Reply::NotSent };
        let reference_sent = client_reference(reference);
        let path = format!(
            "/api/merchants/{account}/transactions/status?clientReference={reference_sent}"
        );
        self.call(&self.hosts.send_status, Call::get(path).record_for(reference)).await
    }
}

/// A request as JSON. Serialising these types cannot fail, and an order that could not be written
/// is not sent.
pub(super) fn json(request: &impl Serialize) -> Option<Vec<u8>> {
    serde_json::to_vec(request).ok()
}
