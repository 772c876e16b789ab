//! The key that signs callbacks, and those that verify requests.

use super::settings::SignatureEncoding;
use aws_lc_rs::{
    encoding::AsDer,
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair,
    },
};

/// The emulator's own key. It is a constant, so that a restart does not change it, and protects
/// nothing.
const PRIVATE_KEY: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgf2gnw8vTTPy7iQcX
GpCBfW8zB4jybqCXB5Chco2nZ0OhRANCAAQkPKukwWoIWQo5pbALVwqikliMAucu
0cpXL6bc6F59S1khUF7rqpSehC0jvz9kuS9bM30CNdHzGaeCTqEnKMmr
-----END PRIVATE KEY-----
";
/// A private key, for both encodings of signatures.
#[derive(Debug)]
pub(super) struct SigningKey {
    der: EcdsaKeyPair,
    raw: EcdsaKeyPair,
}

impl SigningKey {
    /// The key that signs callbacks; `None` if it cannot be read.
    pub(super) fn of_emulator() -> Option<Self> {
        Self::parse(PRIVATE_KEY)
    }

    /// Reads a private key: PKCS #8, EC P-256, PEM.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let pem = pem::parse(text).ok()?;
        let der = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pem.contents()).ok()?;
        let raw =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pem.contents()).ok()?;
        Some(Self { der, raw })
    }

    /// Signs a message; `None` if the source of randomness fails.
    pub(super) fn sign(&self, message: &[u8], encoding: SignatureEncoding) -> Option<Vec<u8>> {
        let pair = if encoding == SignatureEncoding::Raw { &self.raw } else { &self.der };
        pair.sign(&SystemRandom::new(), message).ok().map(|signature| signature.as_ref().to_vec())
    }

    /// The public key, as an uncompressed point.
    pub(super) fn public_point(&self) -> Vec<u8> {
        self.der.public_key().as_ref().to_vec()
    }

    /// The public key as a PEM file.
    pub(super) fn public_pem(&self) -> Option<String> {
        let der = self.der.public_key().as_der().ok()?;
        Some(pem::encode(&pem::Pem::new("PUBLIC KEY", der.as_ref().to_vec())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::signature::{
        ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_FIXED, UnparsedPublicKey,
    };

    #[test]
    fn both_encodings_are_signed_and_verified() {
        let key = SigningKey::of_emulator().unwrap();
        let public = key.public_point();
        let raw = key.sign(b"text", SignatureEncoding::Raw).unwrap();
        assert_eq!(raw.len(), 64);
        assert!(
            UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &public).verify(b"text", &raw).is_ok()
        );
        let der = key.sign(b"text", SignatureEncoding::Der).unwrap();
        assert_eq!(der[0], 0x30);
        assert!(
            UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &public).verify(b"text", &der).is_ok()
        );
    }
}
