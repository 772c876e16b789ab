//! Hubtel's requests, and the frame of its responses. Sources: its pages on receiving money (23
//! December 2025), sending money, refunds, and verification (11 February 2026).

use super::members::Members;
use crate::connection::Response;
use reqwest::StatusCode;
use serde::{Serialize, Serializer, ser};
use serde_json::value::RawValue;
use tua_contract::{Amount, Network};
use tua_domain::{TransactionId, ports::Order};

/// The longest description that is sent, in characters. Hubtel documents no limit.
const MAX_DESCRIPTION: usize = 100;

/// A request to receive money.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ReceiveRequest<'a> {
    pub(super) customer_msisdn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) customer_email: Option<&'a str>,
    pub(super) channel: &'static str,
    #[serde(serialize_with = "two_decimals")]
    pub(super) amount: Amount,
    pub(super) primary_callback_url: &'a str,
    pub(super) description: String,
    pub(super) client_reference: String,
}

/// A request to send money.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SendRequest<'a> {
    pub(super) recipient_name: &'a str,
    pub(super) recipient_msisdn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) customer_email: Option<&'a str>,
    pub(super) channel: &'static str,
    #[serde(serialize_with = "two_decimals")]
    pub(super) amount: Amount,
    #[serde(rename = "PrimaryCallbackURL")]
    pub(super) primary_callback_url: &'a str,
    pub(super) description: String,
    pub(super) client_reference: String,
}

/// A request to return the whole amount of an order.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundRequest<'a> {
    pub(super) callback_url: &'a str,
}

/// Writes an amount as a JSON number with two decimals, digit by digit.
fn two_decimals<S: Serializer>(amount: &Amount, serializer: S) -> Result<S::Ok, S::Error> {
    let text = format!("{}.{:02}", amount.pesewas() / 100, amount.pesewas() % 100);
    RawValue::from_string(text).map_err(ser::Error::custom)?.serialize(serializer)
}

/// The name of a network.
pub(super) const fn channel(network: Network) -> &'static str {
    match network {
        Network::Mtn => "mtn-gh",
        Network::Telecel => "vodafone-gh",
        Network::AirtelTigo => "tigo-gh",
    }
}

/// Our reference as Hubtel accepts it: letters and digits only.
pub(super) fn client_reference(reference: &str) -> String {
    reference.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The text of an order that networks can transport.
pub(super) fn description(order: &Order) -> String {
    order.text(clean).unwrap_or_else(|| "Payment".to_owned())
}

/// Our reference of what Hubtel names by the form in which we send it. Any other text stays as it
/// is.
pub(super) fn our_reference(sent: String) -> String {
    TransactionId::of_compact_reference(&sent).map_or(sent, |id| id.operator_reference())
}

/// A text that networks can transport: payments with characters such as `&*!%@^` fail.
fn clean(text: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || ".,-".contains(c);
    let safe: String = text.chars().map(|c| if is_safe(c) { c } else { ' ' }).collect();
    let words = safe.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(MAX_DESCRIPTION).collect()
}

/// A response with a code of Hubtel.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) status: StatusCode,
    pub(super) code: String,
    /// Every text that explains the code, in lower case.
    pub(super) text: String,
    /// The order; empty where there is none.
    pub(super) data: Members,
}

impl Body {
    /// The body of a response; `None` where it has no code, such as a page of a gateway.
    pub(super) fn read(response: &Response) -> Option<Self> {
        Self::parse(response.status, &response.body)
    }

    pub(super) fn parse(status: StatusCode, json: &[u8]) -> Option<Self> {
        let members = Members::parse(json)?;
        let code = members.text("responsecode")?;
        let data = members.object("data").unwrap_or_default();
        // A list of faults is kept as text.
        let faults = if members.json("data").starts_with('[') {
            members.json("data")
        } else {
            String::new()
        };
        let text = [members.text("message"), data.text("description"), Some(faults)];
        let text = text.into_iter().flatten().collect::<Vec<_>>().join(" ").to_lowercase();
        Some(Self { status, code, text, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_has_two_decimals_and_no_float() {
        for (pesewas, json) in
            [(80, "0.80"), (1, "0.01"), (1250, "12.50"), (100_000_000_000, "1000000000.00")]
        {
            let request = SendRequest {
                recipient_name: "n",
                recipient_msisdn: String::new(),
                customer_email: None,
                channel: "mtn-gh",
                amount: Amount::from_pesewas(pesewas).unwrap(),
                primary_callback_url: "https://pay.example/",
                description: String::new(),
                client_reference: String::new(),
            };
            let text = serde_json::to_string(&request).unwrap();
            assert!(text.contains(&format!("\"Amount\":{json},\"PrimaryCallbackURL\"")), "{text}");
            assert!(!text.contains("CustomerEmail"));
        }
    }

    #[test]
    fn references_and_descriptions_have_allowed_characters_only() {
        assert_eq!(
            client_reference("0199f3c2-7d5e-4a10-8b6f-123456789abc"),
            "0199f3c27d5e4a108b6f123456789abc"
        );
        assert_eq!(clean("Adom's & Söhne: 50% off ^^ A-1"), "Adom s S hne 50 off A-1");
        assert_eq!(clean("&%^"), "");
        assert_eq!(clean(&"x".repeat(500)).len(), MAX_DESCRIPTION);
    }
}
