//! The credentials that Hubtel accepts.

/// The credentials that Hubtel accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubtelCredentials {
    /// The API id, the user name of basic authentication.
    pub api_id: String,
    /// The API key, the password of basic authentication.
    pub api_key: String,
    /// The POS sales id.
    pub pos_sales_id: String,
    /// The prepaid deposit id.
    pub prepaid_deposit_id: String,
}

impl Default for HubtelCredentials {
    fn default() -> Self {
        Self {
            api_id: "emulator".to_owned(),
            api_key: "emulatorhubtelkey000000000000001".to_owned(),
            pos_sales_id: "11684".to_owned(),
            prepaid_deposit_id: "2017254".to_owned(),
        }
    }
}
