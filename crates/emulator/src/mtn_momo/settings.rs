//! What a person may choose of MTN, and the credentials that it accepts.

use std::num::NonZeroU32;

/// What a person may choose of MTN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MtnSettings {
    /// Which behaviour the test numbers have.
    pub profile: MtnProfile,
    /// How often a callback is sent.
    pub callbacks: MtnCallbacks,
    /// Whether the first platform also refuses a token request without the header
    /// `X-Target-Environment`. The new platform always does, and a wrong value is refused
    /// everywhere. Default: false, so that older clients work.
    pub target_environment_required: bool,
    /// How many status reads are answered within one second of real time. Default: 150.
    pub reads_per_second: NonZeroU32,
}

impl Default for MtnSettings {
    fn default() -> Self {
        Self {
            profile: MtnProfile::Documented,
            callbacks: MtnCallbacks::Once,
            target_environment_required: false,
            reads_per_second: NonZeroU32::MIN.saturating_add(149),
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

/// The credentials that MTN accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MtnCredentials {
    /// Those of collections, which charge wallets.
    pub collection: MtnProductCredentials,
    /// Those of disbursements, which pay out and refund.
    pub disbursement: MtnProductCredentials,
    /// The user id and the credential token of the new platform. The subscription keys are the same
    /// there.
    pub new_platform: (String, String),
}

/// The credentials of one product of MTN MoMo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MtnProductCredentials {
    /// The API user, or the user id of the new platform.
    pub user: String,
    /// The API key, or the credential token of the new platform.
    pub key: String,
    /// The key of the header `Ocp-Apim-Subscription-Key`.
    pub subscription_key: String,
}

impl Default for MtnCredentials {
    fn default() -> Self {
        let product = |user: &str, key: &str, subscription_key: &str| MtnProductCredentials {
            user: user.to_owned(),
            key: key.to_owned(),
            subscription_key: subscription_key.to_owned(),
        };
        Self {
            collection: product(
                "a05d90e6-1405-43a9-bbb2-4f01e49b8063",
                "emulatorcollectionkey00000000001",
                "emulatorcollectionsubscription01",
            ),
            disbursement: product(
                "be458682-abfe-4be6-9dd7-21fd792cc171",
                "emulatordisbursementkey000000001",
                "emulatordisbursementsubscript001",
            ),
            // User ids of the new platform end with `=`, which clients must not encode.
            new_platform: (
                "ZW11bGF0b3IgdXNlcg==".to_owned(),
                "emulatorcredentialtoken000000001".to_owned(),
            ),
        }
    }
}
