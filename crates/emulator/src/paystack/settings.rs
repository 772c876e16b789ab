//! What a person may choose of Paystack, and the credentials that it accepts.

/// What a person may choose of Paystack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PaystackSettings {
    /// The address that Paystack asks before each transfer, if set: 200 lets it go, 400 refuses it.
    pub approval_url: Option<String>,
}

/// The credentials that Paystack accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaystackCredentials {
    /// The secret key, which also signs webhooks.
    pub secret_key: String,
}

impl Default for PaystackCredentials {
    fn default() -> Self {
        Self { secret_key: "sk_live_emulator0000000000000000000000000001".to_owned() }
    }
}
