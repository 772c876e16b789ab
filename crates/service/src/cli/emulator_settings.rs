//! The settings of a service that uses the emulator as its operators.

use tua_emulator::{
    HubtelCredentials, MtnCredentials, MtnProductCredentials, PawapayCredentials,
    PaystackCredentials,
};

/// A complete `tua.toml` for an emulator at this base URL. Its secrets are the emulator's public
/// constants.
pub(super) fn toml(base_url: &str) -> String {
    let mtn = MtnCredentials::default();
    let product =
        |MtnProductCredentials { user, key, subscription_key }: &MtnProductCredentials| {
            format!(
                r#"{{ user = "{user}", key = "{key}", subscription-key = "{subscription_key}" }}"#
            )
        };
    // The subscription keys are the same on both platforms.
    let on_new_platform = |of_product: &MtnProductCredentials| {
        let (user, key) = mtn.new_platform.clone();
        product(&MtnProductCredentials { user, key, ..of_product.clone() })
    };
    let PaystackCredentials { secret_key } = PaystackCredentials::default();
    let PawapayCredentials { api_token, signing_key, signing_key_id } =
        PawapayCredentials::default();
    let HubtelCredentials { api_id, api_key, pos_sales_id, prepaid_deposit_id } =
        HubtelCredentials::default();
    format!(
        r#"# Settings for `tua serve --config`, made by `tua emulate --print-config`. Live keys use the emulator; no real money
# moves. The secrets are public constants of the emulator.

[operators.mtn]
connector = "mtn-momo"
mode = "live"
environment = "production"
base-url = "{base_url}/mtn-momo"
merchant = "emulated"
collection = {collection}
disbursement = {disbursement}
# On MTN's new platform, which has other credentials and none of these transactions:
# base-url = "{base_url}/mtn-momo-new"
# collection = {new_collection}
# disbursement = {new_disbursement}

[operators.paystack]
connector = "paystack"
mode = "live"
environment = "production"
base-url = "{base_url}/paystack"
merchant = "emulated"
secret-key = "{secret_key}"
email-fallback = "payments@example.com"

[operators.pawapay]
connector = "pawapay"
mode = "live"
environment = "production"
base-url = "{base_url}/pawapay"
merchant = "emulated"
api-token = "{api_token}"
signing-key = """
{signing_key}"""
signing-key-id = "{signing_key_id}"
signed-callbacks = true

[operators.hubtel]
connector = "hubtel"
mode = "live"
environment = "production"
base-url = "{base_url}/hubtel"
merchant = "emulated"
api-id = "{api_id}"
api-key = "{api_key}"
pos-sales-id = "{pos_sales_id}"
prepaid-deposit-id = "{prepaid_deposit_id}"
accept-unverified-numbers = true

[routes.live]
MTN = ["mtn", "paystack", "pawapay", "hubtel"]
TELECEL = ["paystack", "pawapay", "hubtel"]
AIRTELTIGO = ["paystack", "pawapay", "hubtel"]
"#,
        collection = product(&mtn.collection),
        disbursement = product(&mtn.disbursement),
        new_collection = on_new_platform(&mtn.collection),
        new_disbursement = on_new_platform(&mtn.disbursement),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_are_toml_with_four_operators_and_three_routes() {
        let parsed: toml::Table = toml("http://127.0.0.1:9100").parse().unwrap();
        let operators = parsed["operators"].as_table().unwrap();
        assert_eq!(operators.keys().collect::<Vec<_>>(), ["hubtel", "mtn", "pawapay", "paystack"]);
        for (name, operator) in operators {
            let base_url = operator["base-url"].as_str().unwrap();
            assert!(base_url.starts_with("http://127.0.0.1:9100/"), "{name}");
            assert_eq!(
                (operator["merchant"].as_str(), operator["mode"].as_str()),
                (Some("emulated"), Some("live"))
            );
        }
        let key = operators["pawapay"]["signing-key"].as_str().unwrap();
        assert!(
            key.starts_with("-----BEGIN PRIVATE KEY-----\n")
                && key.ends_with("-----END PRIVATE KEY-----\n")
        );
        assert_eq!(parsed["routes"]["live"].as_table().unwrap().len(), 3);
        assert!(!parsed.contains_key("limits"));
    }

    #[test]
    fn the_comments_are_the_settings_of_the_new_platform_of_mtn() {
        let settings = toml("http://127.0.0.1:9100");
        let comments = settings.lines().skip(2).filter_map(|line| line.strip_prefix("# "));
        let comments = comments.filter(|line| line.contains(" = ")).collect::<Vec<_>>().join("\n");
        let parsed: toml::Table = comments.parse().unwrap();
        let MtnCredentials { new_platform: (user, token), collection, disbursement } =
            MtnCredentials::default();
        assert_eq!(parsed["base-url"].as_str(), Some("http://127.0.0.1:9100/mtn-momo-new"));
        for (name, product) in [("collection", collection), ("disbursement", disbursement)] {
            let of_product = |member: &str| parsed[name][member].as_str().unwrap();
            assert_eq!(of_product("user"), user);
            assert_eq!(of_product("key"), token);
            assert_eq!(of_product("subscription-key"), product.subscription_key);
        }
    }
}
