//! What a person may choose of pawaPay, and the credentials that it accepts.

/// What a person may choose of pawaPay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PawapaySettings {
    /// Whether calls without a signature are refused. Default: false.
    pub signed_requests_only: bool,
    /// Whether callbacks are signed. Default: true.
    pub signed_callbacks: bool,
    /// How the signatures of callbacks are encoded.
    pub signature_encoding: SignatureEncoding,
}

impl Default for PawapaySettings {
    fn default() -> Self {
        Self {
            signed_requests_only: false,
            signed_callbacks: true,
            signature_encoding: SignatureEncoding::Der,
        }
    }
}

/// How an ECDSA signature is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignatureEncoding {
    /// ASN.1 DER, as pawaPay's example does.
    Der,
    /// The two numbers of 32 bytes each, as RFC 9421 (section 3.3.4) requires.
    Raw,
}

/// The credentials that pawaPay accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PawapayCredentials {
    /// The API token, as a bearer token.
    pub api_token: String,
    /// The merchant's private key for signed requests: PKCS #8, EC P-256, PEM.
    pub signing_key: String,
    /// The name of that key.
    pub signing_key_id: String,
}

impl Default for PawapayCredentials {
    fn default() -> Self {
        Self {
            api_token: "emulator.pawapay.token.0001".to_owned(),
            signing_key: MERCHANT_KEY.to_owned(),
            signing_key_id: "EMULATED_MERCHANT_KEY:1".to_owned(),
        }
    }
}

const MERCHANT_KEY: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4l52MmfpwJVFlEw3
8x0z7Ga8jQVMHdA/QjhD1hOH00OhRANCAASTAbTGsDUP6htPfMH7ri9qxt9w749q
yLj2YwtDK3zzxjmMMcl/zTbt5R2/qC2k6h4oNCb+Zcue73PQ3JQb1J3z
-----END PRIVATE KEY-----
";
