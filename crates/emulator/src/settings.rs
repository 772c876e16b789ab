//! The settings of an emulator, and the credentials that it accepts.

use crate::{
    chaos::Rule,
    clock::{ClockMode, Speed},
    operator::Operator,
};
use std::{collections::HashMap, num::NonZeroU32};

/// The merchant's balance on each platform without a setting: 10,000,000.00 in its currency.
const INITIAL_FLOAT_PESEWAS: i64 = 1_000_000_000;

/// The settings of an emulator.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How the virtual clock moves. Default: real time.
    pub clock: ClockMode,
    /// The merchant's addresses for callbacks, which Paystack and pawaPay take in their dashboards.
    /// MTN and Hubtel take an address with each request; for MTN, the host of this one is the
    /// registered host. Default: none.
    pub callback_urls: HashMap<Operator, String>,
    /// The address that Paystack asks before each transfer, if set: 200 lets it go, 400 refuses it.
    pub paystack_approval_url: Option<String>,
    /// The credentials that are accepted at the start.
    pub credentials: Credentials,
    /// Which behaviour MTN's test numbers have.
    pub mtn_profile: MtnProfile,
    /// How often MTN sends a callback.
    pub mtn_callbacks: MtnCallbacks,
    /// Whether MTN's first platform also refuses a token request without the header
    /// `X-Target-Environment`. The new platform always does, and a wrong value is refused
    /// everywhere. Default: false, so that older clients work.
    pub mtn_target_environment_required: bool,
    /// How many status reads MTN answers within one second of real time. Default: 150.
    pub mtn_reads_per_second: NonZeroU32,
    /// Whether pawaPay refuses calls without a signature. Default: false.
    pub pawapay_signed_requests_only: bool,
    /// Whether pawaPay signs its callbacks. Default: true.
    pub pawapay_signed_callbacks: bool,
    /// How pawaPay encodes the signatures of callbacks.
    pub pawapay_signature_encoding: SignatureEncoding,
    /// The merchant's balance on each platform at the start, in pesewas. Payouts and refunds are
    /// taken from it.
    pub float_pesewas: i64,
    /// Whether Paystack, pawaPay and Hubtel look at the balance before they look for an order with
    /// the same reference, so that a repeated payout may be refused as not covered although the
    /// first one was executed. Default: false.
    pub balance_checked_first: bool,
    /// The faults that apply from the start.
    pub chaos: Vec<Rule>,
    /// Whether callbacks may leave this machine. Default: false, then they are sent to loopback
    /// addresses only.
    pub allow_other_hosts: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            clock: ClockMode::Running(Speed::REAL_TIME),
            callback_urls: HashMap::new(),
            paystack_approval_url: None,
            credentials: Credentials::default(),
            mtn_profile: MtnProfile::Documented,
            mtn_callbacks: MtnCallbacks::Once,
            mtn_target_environment_required: false,
            mtn_reads_per_second: NonZeroU32::MIN.saturating_add(149),
            pawapay_signed_requests_only: false,
            pawapay_signed_callbacks: true,
            pawapay_signature_encoding: SignatureEncoding::Der,
            float_pesewas: INITIAL_FLOAT_PESEWAS,
            balance_checked_first: false,
            chaos: Vec::new(),
            allow_other_hosts: false,
        }
    }
}

/// Which behaviour MTN's test numbers 46733123450 to 46733123464 have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MtnProfile {
    /// As MTN documents them: each fails with a reason of its own.
    Documented,
    /// As a third party measured them on 2026-09-02: most succeed, 453 stays pending, 454 succeeds
    /// after 25 s.
    Measured202609,
}

/// How often MTN sends a callback. Two official pages contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MtnCallbacks {
    /// Exactly once, also if it is not received.
    Once,
    /// Again after a failure or 2 s without an answer: 20 times 1 s apart, 30 times 2 min apart,
    /// then hourly for a day.
    Repeated,
}

/// How an ECDSA signature is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignatureEncoding {
    /// ASN.1 DER, as pawaPay's example does.
    Der,
    /// The two numbers of 32 bytes each, as RFC 9421 (section 3.3.4) requires.
    Raw,
}

/// The credentials of one product of MTN MoMo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MtnCredentials {
    /// The API user, or the user id of the new platform.
    pub user: String,
    /// The API key, or the credential token of the new platform.
    pub key: String,
    /// The key of the header `Ocp-Apim-Subscription-Key`.
    pub subscription_key: String,
}

/// The credentials that the emulator accepts. They are constants in public source code and protect
/// nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credentials {
    /// The credentials of MTN's collections, which charge wallets.
    pub mtn_collection: MtnCredentials,
    /// The credentials of MTN's disbursements, which pay out and refund.
    pub mtn_disbursement: MtnCredentials,
    /// The user id and the credential token of MTN's new platform. The subscription keys are the
    /// same there.
    pub mtn_new_platform: (String, String),
    /// Paystack's secret key, which also signs its webhooks.
    pub paystack_secret_key: String,
    /// pawaPay's API token, as a bearer token.
    pub pawapay_api_token: String,
    /// The merchant's private key for signed requests to pawaPay: PKCS #8, EC P-256, PEM.
    pub pawapay_signing_key: String,
    /// The name of that key.
    pub pawapay_signing_key_id: String,
    /// Hubtel's API id, the user name of basic authentication.
    pub hubtel_api_id: String,
    /// Hubtel's API key, the password of basic authentication.
    pub hubtel_api_key: String,
    /// Hubtel's POS sales id.
    pub hubtel_pos_sales_id: String,
    /// Hubtel's prepaid deposit id.
    pub hubtel_prepaid_deposit_id: String,
}

impl Default for Credentials {
    fn default() -> Self {
        let mtn = |user: &str, key: &str, subscription_key: &str| MtnCredentials {
            user: user.to_owned(),
            key: key.to_owned(),
            subscription_key: subscription_key.to_owned(),
        };
        Self {
            mtn_collection: mtn(
                "a05d90e6-1405-43a9-bbb2-4f01e49b8063",
                "emulatorcollectionkey00000000001",
                "emulatorcollectionsubscription01",
            ),
            mtn_disbursement: mtn(
                "be458682-abfe-4be6-9dd7-21fd792cc171",
                "emulatordisbursementkey000000001",
                "emulatordisbursementsubscript001",
            ),
            // User ids of the new platform end with `=`, which clients must not encode.
            mtn_new_platform: (
                "ZW11bGF0b3IgdXNlcg==".to_owned(),
                "emulatorcredentialtoken000000001".to_owned(),
            ),
            paystack_secret_key: "sk_live_emulator0000000000000000000000000001".to_owned(),
            pawapay_api_token: "emulator.pawapay.token.0001".to_owned(),
            pawapay_signing_key: MERCHANT_KEY.to_owned(),
            pawapay_signing_key_id: "EMULATED_MERCHANT_KEY:1".to_owned(),
            hubtel_api_id: "emulator".to_owned(),
            hubtel_api_key: "emulatorhubtelkey000000000000001".to_owned(),
            hubtel_pos_sales_id: "11684".to_owned(),
            hubtel_prepaid_deposit_id: "2017254".to_owned(),
        }
    }
}

const MERCHANT_KEY: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4l52MmfpwJVFlEw3
8x0z7Ga8jQVMHdA/QjhD1hOH00OhRANCAASTAbTGsDUP6htPfMH7ri9qxt9w749q
yLj2YwtDK3zzxjmMMcl/zTbt5R2/qC2k6h4oNCb+Zcue73PQ3JQb1J3z
-----END PRIVATE KEY-----
";
