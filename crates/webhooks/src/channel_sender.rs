//! Sends messages to alert channels: Slack's incoming webhooks, Telegram's bots, and signed JSON.

use super::sender::{Sender, signed_headers};
use async_trait::async_trait;
use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::{Value, json};
use tua_domain::{
    Mode,
    alert_channel::{ChannelAlert, ChannelMessage, ChannelOutcome, ChannelTarget, MessageKind},
    ports::ChannelSender,
    webhook::DeliveryOutcome,
};
use url::Url;

/// The origin of Telegram's API of bots (<https://core.telegram.org/bots/api#making-requests>).
const TELEGRAM: &str = "https://api.telegram.org";

/// The largest number of characters of a message. Telegram takes 4096.
const MAX_CHARACTERS: usize = 4000;

/// An HTTP request to a channel. It is never logged: the address may be a secret.
struct ChannelRequest {
    url: Url,
    headers: HeaderMap,
    body: String,
}

#[async_trait]
impl ChannelSender for Sender {
    async fn send(
        &self,
        target: &ChannelTarget,
        mode: Mode,
        message: &ChannelMessage,
        now: Timestamp,
    ) -> ChannelOutcome {
        let Some(ChannelRequest { url, headers, body }) = request(target, message, now) else {
            return ChannelOutcome::Failed("its address is invalid; add it again".to_owned());
        };
        match self.post(url, mode, headers, body).await.outcome {
            DeliveryOutcome::Accepted(_) => ChannelOutcome::Accepted,
            DeliveryOutcome::Failed(_, fault) => ChannelOutcome::Failed(fault),
            DeliveryOutcome::Gone => {
                ChannelOutcome::Failed("it responded with status 410: it is gone".to_owned())
            }
        }
    }
}

/// The request that a target wants. `None` if its values are invalid.
fn request(
    target: &ChannelTarget,
    message: &ChannelMessage,
    now: Timestamp,
) -> Option<ChannelRequest> {
    match target {
        // <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>
        ChannelTarget::Slack { url } => {
            let body = json!({ "text": slack_text(message) }).to_string();
            Some(ChannelRequest { url: Url::parse(url).ok()?, headers: json_headers(), body })
        }
        // <https://core.telegram.org/bots/api#sendmessage>
        ChannelTarget::Telegram { token, chat } => {
            let url = Url::parse(&format!("{TELEGRAM}/bot{token}/sendMessage")).ok()?;
            let body = json!({
                "chat_id": chat,
                "text": plain_text(message),
                "link_preview_options": { "is_disabled": true },
            });
            Some(ChannelRequest { url, headers: json_headers(), body: body.to_string() })
        }
        ChannelTarget::Https { url, secret } => {
            let body = document(message, now).to_string();
            let headers = signed_headers(&message.id, std::slice::from_ref(secret), &body, now)?;
            Some(ChannelRequest { url: Url::parse(url).ok()?, headers, body })
        }
    }
}

fn json_headers() -> HeaderMap {
    HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))])
}

/// The message as text without markup.
fn plain_text(message: &ChannelMessage) -> String {
    message.paragraphs().join("\n\n").chars().take(MAX_CHARACTERS).collect()
}

/// The message as Slack's text, in which `&`, `<` and `>` begin markup
/// (<https://docs.slack.dev/messaging/formatting-message-text>).
fn slack_text(message: &ChannelMessage) -> String {
    plain_text(message).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The message as JSON (docs/reference/alerts.md).
fn document(message: &ChannelMessage, now: Timestamp) -> Value {
    let kind = match message.kind {
        MessageKind::Alerts => "alerts",
        MessageKind::Test => "test",
    };
    let alert = |one: &ChannelAlert| {
        json!({
            "id": one.id,
            "kind": one.kind.as_str(),
            "mode": one.mode.as_str(),
            "occurredAt": one.occurred_at,
            "heading": one.heading,
            "text": one.text,
            "link": one.link,
        })
    };
    json!({
        "type": kind,
        "timestamp": now,
        "title": message.title,
        "count": message.count,
        "alerts": message.alerts.iter().map(alert).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use standardwebhooks::{HEADER_WEBHOOK_SIGNATURE, Webhook};
    use tua_domain::mail::AlertKind;

    fn message() -> ChannelMessage {
        let alert = ChannelAlert {
            id: "FLOAT_LOW acc_1 live mtn 0".to_owned(),
            kind: AlertKind::FloatLow,
            mode: Mode::Live,
            occurred_at: Timestamp::UNIX_EPOCH,
            heading: "The float at <mtn> is low".to_owned(),
            text: "Pay in & wait.".to_owned(),
            link: "https://pay.example/dashboard".to_owned(),
        };
        ChannelMessage {
            id: "mail_1".to_owned(),
            kind: MessageKind::Alerts,
            title: "Adom Stores".to_owned(),
            alerts: vec![alert],
            count: 2,
            more: Some("1 more".to_owned()),
        }
    }

    fn json_of(target: &ChannelTarget) -> (ChannelRequest, Value) {
        let request = request(target, &message(), Timestamp::UNIX_EPOCH).unwrap();
        let body = serde_json::from_str(&request.body).unwrap();
        (request, body)
    }

    #[test]
    fn a_bot_of_telegram_gets_plain_text_for_its_chat() {
        let (request, body) = json_of(&ChannelTarget::telegram("12:ab-C", "-100").unwrap());
        assert_eq!(request.url.as_str(), "https://api.telegram.org/bot12:ab-C/sendMessage");
        assert_eq!(body["chat_id"], "-100");
        let text = body["text"].as_str().unwrap();
        assert!(
            text.starts_with("Adom Stores\n\nThe float at <mtn> is low\nPay in & wait.\nhttps")
        );
        assert!(text.ends_with("\n\n1 more"), "{text}");
    }

    #[test]
    fn slack_gets_text_that_begins_no_markup() {
        let url = "https://hooks.slack.com/services/T/B/x".to_owned();
        let (request, body) = json_of(&ChannelTarget::Slack { url: url.clone() });
        assert_eq!(request.url.as_str(), url);
        let text = body["text"].as_str().unwrap();
        assert!(text.contains("&lt;mtn&gt; is low\nPay in &amp; wait."), "{text}");
    }

    #[test]
    fn a_server_gets_signed_json_with_the_kind_the_text_and_the_link() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned();
        let url = "https://shop.example/alerts".to_owned();
        let target = ChannelTarget::Https { url, secret: secret.clone() };
        let (request, body) = json_of(&target);
        let hook = Webhook::new(&secret).unwrap();
        let expected = hook.sign("mail_1", 0, request.body.as_bytes()).unwrap();
        assert_eq!(request.headers[HEADER_WEBHOOK_SIGNATURE], expected);
        assert_eq!((&body["type"], &body["count"]), (&json!("alerts"), &json!(2)));
        assert_eq!(body["alerts"][0]["id"], "FLOAT_LOW acc_1 live mtn 0");
        assert_eq!(body["alerts"][0]["kind"], "FLOAT_LOW");
        assert_eq!(body["alerts"][0]["link"], "https://pay.example/dashboard");
    }

    #[test]
    fn a_long_message_is_cut_to_what_a_chat_takes() {
        let long = ChannelMessage { title: "é".repeat(5000), ..message() };
        assert_eq!(plain_text(&long).chars().count(), 4000);
    }
}
