//! People who enrol in the dashboard.

use crate::{
    Response, TestApp,
    dashboard::{Browser, cookie_token},
};
use jiff::SignedDuration;
use tua_domain::{
    AccountId,
    people::{OtherAccess, Role, RoleChanger, TotpSecret},
    ports::Clock,
    secret::SecretDigest,
};
use tua_use_cases::Inviter;

/// The password of everybody who enrols.
pub const PASSWORD: &str = "correct horse battery";

impl TestApp {
    /// The one-time code of an app that has scanned this link's QR code, so many seconds from now.
    pub fn code_of_link(&self, path: &str, seconds: i64) -> String {
        let token = path.rsplit('/').next().unwrap();
        let key = self.running().idempotency.keys.current();
        let at = self.test_clock.now() + SignedDuration::from_secs(seconds);
        TotpSecret::of_enrolment(&key, SecretDigest::of(token)).code(at).unwrap()
    }

    /// Invites a person, and enrols the person. Returns the browser, the link and the page with the
    /// recovery codes.
    pub async fn enrolled(
        &self,
        email: &str,
        account: &AccountId,
        role: Role,
    ) -> (Browser, String, Response) {
        let enrolments = &self.running().enrolments;
        let inviter = Inviter {
            changer: RoleChanger::CommandLine,
            other_access: OtherAccess::Undecided,
            language: None,
        };
        let path = enrolments
            .invite(&email.parse().unwrap(), account, role, &inviter, &self.audit())
            .await
            .unwrap()
            .unwrap();
        let code = self.code_of_link(&path, 0);
        let fields = [("name", "Esi"), ("password", PASSWORD), ("code", &code)];
        let done = self.signed_out().post(&path, &fields).await.is(200);
        let browser = Browser { token: cookie_token(&done), ..self.signed_out() };
        (browser, path, done)
    }
}
