//! WebAuthn: makes the options for browsers, and verifies what devices sign. What is stored between
//! the two is opaque to the rest of the service.

use serde::{Serialize, de::DeserializeOwned};
use tua_domain::{UserId, people::Passkey};
use url::{Host, Url};
use uuid::Uuid;
use webauthn_rs::prelude::{
    CredentialID, DiscoverableAuthentication, Passkey as Credential, PasskeyRegistration,
    PublicKeyCredential, RegisterPublicKeyCredential, Webauthn, WebauthnBuilder,
};
use webauthn_rs_proto::ResidentKeyRequirement;

/// The name of the service that browsers show.
const SERVICE: &str = "Tua";

/// Verifies passkeys for one origin.
#[derive(Clone, Debug)]
pub struct PasskeyVerifier(Webauthn);

/// A WebAuthn ceremony that has begun: the options for the browser, and the state that is stored
/// until the browser responds. Both are JSON.
#[derive(Clone, Debug)]
pub(super) struct Ceremony {
    /// The options of `navigator.credentials`.
    pub(super) options: String,
    /// The state of the verification.
    pub(super) state: String,
}

/// A credential that a device has made.
#[derive(Clone, Debug)]
pub(super) struct NewCredential {
    /// The id that the device gave it.
    pub(super) id: Vec<u8>,
    /// Public key and counter, as JSON.
    pub(super) json: String,
}

impl PasskeyVerifier {
    /// `None` where browsers offer no passkeys: at an IP address, and over HTTP except at
    /// `localhost`.
    #[must_use]
    pub fn for_origin(origin: &str) -> Option<Self> {
        let origin = Url::parse(origin).ok()?;
        let Some(Host::Domain(name)) = origin.host() else { return None };
        if origin.scheme() != "https" && name != "localhost" {
            return None;
        }
        WebauthnBuilder::new(name, &origin)
            .and_then(|builder| builder.rp_name(SERVICE).build())
            .map(Self)
            .ok()
    }

    /// Options for a new passkey of this person. `known` are those that the person has; their
    /// devices refuse a second one.
    pub(super) fn begin_registration(
        &self,
        user: &UserId,
        email: &str,
        name: &str,
        known: &[Passkey],
    ) -> Option<Ceremony> {
        let known =
            known.iter().map(|passkey| CredentialID::from(passkey.credential_id.clone())).collect();
        let begun = self.0.start_passkey_registration(handle(user)?, email, name, Some(known));
        let (mut options, state) = begun.ok()?;
        // The sign-in asks for no address, so the device must find the passkey by the service's
        // name.
        if let Some(selection) = &mut options.public_key.authenticator_selection {
            selection.resident_key = Some(ResidentKeyRequirement::Required);
            selection.require_resident_key = true;
        }
        Some(Ceremony { options: json(&options.public_key)?, state: json(&state)? })
    }

    /// The passkey that a device has made. `None` if the response is not one to these options.
    pub(super) fn finish_registration(&self, state: &str, response: &str) -> Option<NewCredential> {
        let state: PasskeyRegistration = parse(state)?;
        let response: RegisterPublicKeyCredential = parse(response)?;
        let made = self.0.finish_passkey_registration(&response, &state).ok()?;
        Some(NewCredential { id: made.cred_id().to_vec(), json: json(&made)? })
    }

    /// Options for a sign-in or a proof, with any passkey of this service.
    pub(super) fn begin_use(&self) -> Option<Ceremony> {
        let (options, state) = self.0.start_discoverable_authentication().ok()?;
        Some(Ceremony { options: json(&options.public_key)?, state: json(&state)? })
    }

    /// The id of the credential that signed.
    pub(super) fn credential_id(response: &str) -> Option<Vec<u8>> {
        parse::<PublicKeyCredential>(response).map(|response| response.get_credential_id().to_vec())
    }

    /// Verifies a signature, and returns the credential with its new counter. `None` if the
    /// signature is not right: of another origin, person or challenge, without recognition of the
    /// person, or with a counter that was seen before.
    pub(super) fn finish_use(
        &self,
        state: &str,
        response: &str,
        passkey: &Passkey,
    ) -> Option<String> {
        let state: DiscoverableAuthentication = parse(state)?;
        let response: PublicKeyCredential = parse(response)?;
        let mut credential: Credential = parse(&passkey.credential)?;
        let (signer, _) = self.0.identify_discoverable_authentication(&response).ok()?;
        if signer != handle(&passkey.user)? {
            return None;
        }
        let result =
            self.0.finish_discoverable_authentication_v2(&response, state, &credential).ok()?;
        credential.update_credential(&result);
        json(&credential)
    }
}

/// The name that devices store for the person: the UUID of the id, which says nothing about the
/// person.
fn handle(user: &UserId) -> Option<Uuid> {
    Uuid::try_parse(user.as_str().strip_prefix(UserId::PREFIX)?).ok()
}

fn json<T: Serialize>(value: &T) -> Option<String> {
    serde_json::to_string(value).ok()
}

fn parse<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_are_offered_where_browsers_offer_them() {
        for origin in ["https://pay.example", "https://pay.example:8443", "http://localhost:8080"] {
            assert!(PasskeyVerifier::for_origin(origin).is_some(), "{origin}");
        }
        for origin in [
            "https://192.0.2.1",
            "https://[2001:db8::1]",
            "http://127.0.0.1:8080",
            "http://pay.example",
            "",
        ] {
            assert!(PasskeyVerifier::for_origin(origin).is_none(), "{origin}");
        }
    }
}
