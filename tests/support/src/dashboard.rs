//! People in the dashboard, as browsers without script send their requests.

use crate::{ApiClient, Response, TestApp};
use reqwest::{Method, RequestBuilder, header};
use tua_domain::{
    AccountId, Generation, Mode,
    people::{Role, RoleChanger, Session, SessionToken},
    ports::Clock,
};

/// A person's browser with a session.
#[derive(Clone, Debug)]
pub struct Browser {
    /// The origin of the dashboard, without a trailing slash.
    pub origin: String,
    /// It follows no redirects and keeps no cookies.
    pub http: reqwest::Client,
    /// The value of the session cookie; empty without a session.
    pub token: SessionToken,
}

impl TestApp {
    /// Adds a person with this role, and signs the person in.
    pub async fn browser_of(&self, account: &AccountId, role: Role) -> Browser {
        let email = format!("{}@example.com", role.as_str()).parse().unwrap();
        self.browser_of_person(&email, account, role).await
    }

    /// As [`Self::browser_of`], for a person with this address.
    pub async fn browser_of_person(
        &self,
        email: &tua_domain::people::StaffEmail,
        account: &AccountId,
        role: Role,
    ) -> Browser {
        let store = &self.running().store;
        let user = store
            .set_role(email, account, role, &RoleChanger::CommandLine, &self.audit())
            .await
            .unwrap();
        let (session, token) =
            Session::begin(user, "Firefox on Linux".to_owned(), self.test_clock.now());
        store.insert_session(session, jiff::Timestamp::UNIX_EPOCH, &self.audit()).await.unwrap();
        Browser { origin: self.origin.clone(), http: self.http.clone(), token }
    }

    /// A browser without a session.
    pub fn signed_out(&self) -> Browser {
        Browser {
            origin: self.origin.clone(),
            http: self.http.clone(),
            token: SessionToken::new(""),
        }
    }
}

impl Browser {
    /// A request as a page of the dashboard causes it.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.origin))
            .header(header::COOKIE, format!("tua-session={}", self.token.as_str()))
            .header("sec-fetch-site", "same-origin")
    }

    /// Opens a page as this person.
    pub async fn get(&self, path: &str) -> Response {
        Response::read(self.request(Method::GET, path).send().await.unwrap()).await
    }

    /// Sends a form with the token of the session.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let token = self.token.form_token();
        let fields = [&[("formToken", token.as_str())], fields].concat();
        let body =
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.post_body(path, body).await
    }

    /// Sends a form, and where the response asks for a confirmation, the form of that page: its
    /// hidden fields and no others.
    pub async fn post_confirmed(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let asked = self.post(path, fields).await;
        let is_question = asked.status == 200 && asked.text.contains("name=\"confirmed\"");
        if !is_question {
            return asked;
        }
        let hidden = hidden_fields(&asked.text);
        let typed: Vec<_> = fields.iter().copied().filter(|(name, _)| *name == "note").collect();
        let mut fields: Vec<_> = hidden.iter().map(|(name, value)| (&**name, &**value)).collect();
        // The page shows what was typed as the reason, to be corrected.
        fields.extend(typed.iter().filter(|_| asked.text.contains(" name=\"note\"")));
        self.post(path, &fields).await
    }

    /// Sends a form with a file as a browser does: the field `file` is the file.
    pub async fn post_file(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        self.post_file_in("en", path, fields).await
    }

    /// As [`Self::post_file`], from a browser with this language.
    pub async fn post_file_in(
        &self,
        language: &str,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Response {
        self.post_parts(language, path, self.parts(fields).into_bytes()).await
    }

    /// Sends a form with the field `file`, which is not text.
    pub async fn post_bytes(&self, path: &str, fields: &[(&str, &str)], file: &[u8]) -> Response {
        let head = "--limit\r\nContent-Disposition: form-data; name=\"file\"; \
            filename=\"file.xlsx\"\r\n\r\n";
        let parts = [self.parts(fields).as_bytes(), head.as_bytes(), file, b"\r\n"].concat();
        self.post_parts("en", path, parts).await
    }

    fn parts(&self, fields: &[(&str, &str)]) -> String {
        let token = self.token.form_token();
        let mut body = String::new();
        for (name, value) in [&[("formToken", &*token)], fields].concat() {
            let file = if name == "file" { "; filename=\"file.csv\"" } else { "" };
            body += &format!(
                "--limit\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n\
                 {value}\r\n"
            );
        }
        body
    }

    async fn post_parts(&self, language: &str, path: &str, mut body: Vec<u8>) -> Response {
        body.extend(b"--limit--\r\n");
        let request = self.request(Method::POST, path).body(body);
        let request = request
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=limit")
            .header(header::ACCEPT_LANGUAGE, language);
        Response::read(request.send().await.unwrap()).await
    }

    /// Sends a form unchanged.
    pub async fn post_body(&self, path: &str, body: String) -> Response {
        let request = self.request(Method::POST, path).body(body);
        let request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        Response::read(request.send().await.unwrap()).await
    }
}

/// The hidden fields of a page with one form, without the token of the session.
fn hidden_fields(text: &str) -> Vec<(String, String)> {
    let inputs = text.split("<input type=\"hidden\" name=\"").skip(1);
    let field = |input: &str| {
        let (name, rest) = input.split_once("\" value=\"").unwrap();
        let value = rest.split('"').next().unwrap_or_default();
        let plain = value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        (name.to_owned(), plain.replace("&#x27;", "'").replace("&amp;", "&"))
    };
    inputs.map(field).filter(|(name, _)| name != "formToken").collect()
}

/// The address of a page of an account.
pub fn page(account: &AccountId, mode: Mode, path: &str) -> String {
    format!("/dashboard/accounts/{account}/{}{path}", mode.as_str())
}

/// The token of the session that a response begins.
#[track_caller]
pub fn cookie_token(response: &Response) -> SessionToken {
    let cookie = response.header("set-cookie").strip_prefix("tua-session=");
    let value = cookie.and_then(|cookie| cookie.split(';').next());
    SessionToken::new(value.unwrap_or_else(|| panic!("no session: {response:?}")))
}

/// A service with one account in test mode.
#[derive(Debug)]
pub struct Shop {
    /// The service under test.
    pub app: TestApp,
    /// The account of the merchant.
    pub account: AccountId,
    /// A client with the account's v2 test key.
    pub key: ApiClient,
    /// A browser in which the account's owner is signed in.
    pub owner: Browser,
}

impl Shop {
    /// Starts a service, and creates the account with its key and its owner.
    pub async fn start() -> Self {
        let app = TestApp::start().await;
        let account = app.account("Adom Stores").await;
        let key = app.key(&account, Mode::Test, Generation::V2).await;
        let owner = app.browser_of(&account, Role::Owner).await;
        Self { app, account, key, owner }
    }
}
