//! An authenticator in software: makes passkeys, and signs with them as a device does (WebAuthn
//! level 3, sections 6.1 and 6.5).

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

/// A passkey. Its fields can be changed, to sign what a real device would not.
pub struct SoftwarePasskey {
    key: EcdsaKeyPair,
    pub origin: String,
    pub id: Vec<u8>,
    pub user: String,
    pub counter: u32,
    pub is_user_verified: bool,
}

/// The options and the challenge's name on a page that asks for a passkey.
pub struct Asked {
    pub options: Value,
    pub challenge: String,
}

impl Asked {
    #[track_caller]
    pub fn on(page: &str) -> Self {
        let attribute = |before: &str| {
            let rest = page.split_once(before).unwrap_or_else(|| panic!("no {before}: {page}")).1;
            let value = rest.split_once('"').unwrap().0;
            value.replace("&quot;", "\"").replace("&amp;", "&")
        };
        let options = serde_json::from_str(&attribute("data-options=\"")).unwrap();
        Self { options, challenge: attribute("name=\"challenge\" value=\"") }
    }
}

impl SoftwarePasskey {
    /// A new passkey of the person that these options name.
    pub fn new(origin: &str, asked: &Asked) -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
        let id = Sha256::digest(key.public_key().as_ref()).to_vec();
        let user = asked.options["user"]["id"].as_str().unwrap().to_owned();
        Self { key, origin: origin.to_owned(), id, user, counter: 0, is_user_verified: true }
    }

    /// The response to options for a new passkey.
    pub fn attest(&self, asked: &Asked) -> String {
        let mut data = self.authenticator_data(HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        // A COSE key: EC2, ES256, P-256, and the two coordinates.
        let public = self.key.public_key().as_ref();
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&public[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&public[33..]);
        // {"fmt": "none", "attStmt": {}, "authData": …} in CBOR.
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".to_vec();
        object.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        object.extend(data);
        let response = json!({
            "clientDataJSON": base64(&self.client_data("webauthn.create", asked)),
            "attestationObject": base64(&object),
        });
        self.response(&response)
    }

    /// The response to options for a sign-in or a proof.
    pub fn sign(&mut self, asked: &Asked) -> String {
        self.counter += 1;
        let data = self.authenticator_data(0);
        let client = self.client_data("webauthn.get", asked);
        let signed = [data.as_slice(), Sha256::digest(&client).as_slice()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        let response = json!({
            "clientDataJSON": base64(&client),
            "authenticatorData": base64(&data),
            "signature": base64(signature.as_ref()),
            "userHandle": self.user,
        });
        self.response(&response)
    }

    fn authenticator_data(&self, flags: u8) -> Vec<u8> {
        let verified = if self.is_user_verified { USER_VERIFIED } else { 0 };
        let mut data = Sha256::digest("localhost").to_vec();
        data.push(flags | USER_PRESENT | verified);
        data.extend(self.counter.to_be_bytes());
        data
    }

    fn client_data(&self, kind: &str, asked: &Asked) -> Vec<u8> {
        json!({
            "type": kind,
            "challenge": asked.options["challenge"],
            "origin": self.origin,
            "crossOrigin": false,
        })
        .to_string()
        .into_bytes()
    }

    fn response(&self, response: &Value) -> String {
        let id = base64(&self.id);
        json!({
            "id": id,
            "rawId": id,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
        })
        .to_string()
    }
}

fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
