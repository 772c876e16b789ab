//! A sign-in provider (OpenID Connect) whose ID tokens a test decides: right ones, and every wrong
//! one.

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    routing::{get, post},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};
use tua_domain::ports::Clock;
use tua_system::clock::SystemClock;
use tua_test_support::Response;
use url::Url;

pub const CLIENT_ID: &str = "tua";
pub const CLIENT_SECRET: &str = "the secret of the client";

/// How an ID token is signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signature {
    /// ES256 with the published key.
    Right,
    /// ES256 with another key of the same name.
    OtherKey,
    /// `alg: none`, with an empty signature.
    None,
    /// HS256 with the published key as the secret.
    PublicKeyAsSecret,
    /// HS256 with the secret of the client.
    ClientSecret,
}

/// The provider, on a port of its own.
pub struct SignInProvider {
    pub issuer: String,
    shared: Arc<Mutex<Shared>>,
    task: tokio::task::JoinHandle<()>,
}

struct Shared {
    issuer: String,
    key: EcdsaKeyPair,
    key_id: String,
    signature: Signature,
    /// Whether its metadata say that responses name the issuer.
    names_issuer: bool,
    is_away: bool,
    discoveries: usize,
    /// What each code is exchanged for.
    codes: HashMap<String, Granted>,
    seconds: i64,
}

#[derive(Clone)]
struct Granted {
    challenge: String,
    claims: Value,
}

fn key() -> EcdsaKeyPair {
    EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap()
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl SignInProvider {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}/realms/shop", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new(Shared {
            issuer: issuer.clone(),
            key: key(),
            key_id: "first".to_owned(),
            signature: Signature::Right,
            names_issuer: false,
            is_away: false,
            discoveries: 0,
            codes: HashMap::new(),
            seconds: SystemClock.now().as_second(),
        }));
        let router = Router::new()
            .route("/realms/shop/.well-known/openid-configuration", get(discover))
            .route("/realms/shop/keys", get(keys))
            .route("/realms/shop/token", post(token))
            .with_state(shared.clone());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { issuer, shared, task }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap()
    }

    pub fn sign_with(&self, signature: Signature) {
        self.lock().signature = signature;
    }

    pub fn name_issuer(&self) {
        self.lock().names_issuer = true;
    }

    pub fn set_away(&self, is_away: bool) {
        self.lock().is_away = is_away;
    }

    /// The seconds since 1970 of the provider's clock move with those of the test.
    pub fn advance(&self, seconds: i64) {
        self.lock().seconds += seconds;
    }

    pub fn rotate_key(&self) {
        let mut shared = self.lock();
        (shared.key, shared.key_id) = (key(), "second".to_owned());
    }

    pub fn discoveries(&self) -> usize {
        self.lock().discoveries
    }

    /// The settings of a service that uses it.
    pub fn settings(&self, roles: &str) -> toml::Table {
        let issuer = &self.issuer;
        format!(
            "issuer = {issuer:?}\nclient-id = {CLIENT_ID:?}\nclient-secret = {CLIENT_SECRET:?}\n\
             name = \"Adom <ID>\"\n{roles}"
        )
        .parse()
        .unwrap()
    }

    /// The person of these claims signs in at the page that the browser was led to. Returns the
    /// query with which the browser comes back. `claims` are added to the right ones, and replace
    /// them.
    pub fn approve(&self, url: &Url, claims: Value) -> String {
        let query: HashMap<String, String> = url.query_pairs().into_owned().collect();
        assert_eq!(query["response_type"], "code");
        assert_eq!(query["client_id"], CLIENT_ID);
        assert_eq!(query["code_challenge_method"], "S256");
        assert!(query["scope"].split(' ').any(|scope| scope == "openid"), "{url}");
        let mut shared = self.lock();
        let now = shared.seconds;
        let mut all = json!({
            "iss": shared.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": query["nonce"],
        });
        for (name, value) in claims.as_object().unwrap() {
            all[name] = value.clone();
        }
        let code = format!("code-{}", shared.codes.len());
        shared.codes.insert(
            code.clone(),
            Granted { challenge: query["code_challenge"].clone(), claims: all },
        );
        url::form_urlencoded::Serializer::new(String::new())
            .append_pair("code", &code)
            .append_pair("state", &query["state"])
            .finish()
    }
}

impl Drop for SignInProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

type Answer = Result<Json<Value>, StatusCode>;

async fn discover(State(shared): State<Arc<Mutex<Shared>>>) -> Answer {
    let mut shared = shared.lock().unwrap();
    shared.discoveries += 1;
    if shared.is_away {
        return Err(StatusCode::BAD_GATEWAY);
    }
    let at = |path: &str| format!("{}{path}", shared.issuer);
    Ok(Json(json!({
        "issuer": shared.issuer,
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "end_session_endpoint": at("/sign-out"),
        "jwks_uri": at("/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256", "HS256", "none"],
        "authorization_response_iss_parameter_supported": shared.names_issuer,
    })))
}

async fn keys(State(shared): State<Arc<Mutex<Shared>>>) -> Answer {
    let shared = shared.lock().unwrap();
    let point = shared.key.public_key().as_ref();
    Ok(Json(json!({ "keys": [{
        "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": shared.key_id,
        "x": encode(&point[1..33]), "y": encode(&point[33..65]),
    }] })))
}

async fn token(
    State(shared): State<Arc<Mutex<Shared>>>,
    headers: HeaderMap,
    body: String,
) -> (StatusCode, Json<Value>) {
    let form: HashMap<String, String> =
        url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let mut shared = shared.lock().unwrap();
    let expected = format!("Basic {}", STANDARD.encode("tua:the+secret+of+the+client"));
    assert_eq!(headers[header::AUTHORIZATION].to_str().unwrap(), expected);
    // A code is good once (RFC 6749 section 4.1.2).
    let granted = shared.codes.get_mut(&form["code"]).map(|granted| {
        let now = granted.clone();
        granted.challenge = String::new();
        now
    });
    let proves = |granted: &Granted| {
        granted.challenge == encode(Sha256::digest(form["code_verifier"].as_bytes()))
    };
    match granted.filter(proves) {
        Some(granted) => {
            let id_token = shared.sign(&granted.claims);
            let tokens = json!({
                "access_token": "secret-access",
                "token_type": "Bearer",
                "id_token": id_token,
            });
            (StatusCode::OK, Json(tokens))
        }
        None => (
            StatusCode::BAD_REQUEST,
            Json(json!({ "error": "invalid_grant", "error_description": "<script>" })),
        ),
    }
}

impl Shared {
    fn sign(&self, claims: &Value) -> String {
        let algorithm = match self.signature {
            Signature::Right | Signature::OtherKey => "ES256",
            Signature::None => "none",
            Signature::PublicKeyAsSecret | Signature::ClientSecret => "HS256",
        };
        let head = json!({ "alg": algorithm, "kid": self.key_id, "typ": "JWT" });
        let text = format!("{}.{}", encode(head.to_string()), encode(claims.to_string()));
        let by =
            |key: &EcdsaKeyPair| encode(key.sign(&SystemRandom::new(), text.as_bytes()).unwrap());
        let with = |secret: &[u8]| {
            let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap();
            mac.update(text.as_bytes());
            encode(mac.finalize().into_bytes())
        };
        let signature = match self.signature {
            Signature::Right => by(&self.key),
            Signature::OtherKey => by(&key()),
            Signature::None => String::new(),
            Signature::PublicKeyAsSecret => with(self.key.public_key().as_ref()),
            Signature::ClientSecret => with(CLIENT_SECRET.as_bytes()),
        };
        format!("{text}.{signature}")
    }
}

/// The provider's page to which a response leads the browser.
#[track_caller]
pub fn address(response: &Response) -> Url {
    let link =
        response.text.split("content=\"0; url=").nth(1).and_then(|rest| rest.split('"').next());
    let link = link.unwrap_or_else(|| panic!("no page of a provider: {response:?}"));
    link.replace("&amp;", "&").parse().unwrap()
}
