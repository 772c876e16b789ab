//! What people see and change about their own access: sessions, credentials, reports and alerts.

use super::sessions::Sessions;
use std::sync::Arc;
use tua_domain::{
    AccountId, IdentityId,
    audit::AuditContext,
    mail::{AlertChoices, AlertTopic, ReportInterval},
    people::{LinkedIdentity, Passkey, Role, Session, User},
    ports::{Identities, MailOutbox, Passkeys, People, StoreError},
};

/// Reads the credentials of a person, and changes what needs no fresh proof.
#[derive(Clone, Debug)]
pub struct PersonSecurity {
    /// Decides which sessions have ended.
    pub sessions: Sessions,
    /// Has the recovery codes of people.
    pub people: Arc<dyn People>,
    /// Where passkeys are stored.
    pub passkeys: Arc<dyn Passkeys>,
    /// Where the identities of people at their sign-in provider are stored.
    pub identities: Arc<dyn Identities>,
    /// Where it is stored which reports and alerts people get.
    pub mail_outbox: Arc<dyn MailOutbox>,
}

/// What a person has to sign in with, and which reports the person gets.
#[derive(Clone, Debug)]
pub struct SecurityOverview {
    /// The sessions that have not ended, the newest first.
    pub sessions: Vec<Session>,
    /// The number of recovery codes that are left.
    pub recovery_codes_left: u32,
    /// The passkeys, the oldest first.
    pub passkeys: Vec<Passkey>,
    /// The identities at sign-in providers, the oldest first.
    pub identities: Vec<LinkedIdentity>,
    /// How often the person gets a report by e-mail; `None` for never.
    pub report_interval: Option<ReportInterval>,
    /// Whether the service sends e-mail.
    pub is_mail_on: bool,
}

impl PersonSecurity {
    /// What the session's person has.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn overview(&self, session: &Session) -> Result<SecurityOverview, StoreError> {
        let user = &session.user.id;
        Ok(SecurityOverview {
            sessions: self.sessions.of_person(session).await?,
            recovery_codes_left: self.people.recovery_codes_left(user).await?,
            passkeys: self.passkeys.passkeys(user).await?,
            identities: self.identities.identities(user).await?,
            report_interval: self.mail_outbox.report_interval(user).await?,
            is_mail_on: self.mail_outbox.is_mail_on(None).await?,
        })
    }

    /// Stores how often a person gets a report, which is audited; `None` for never.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn choose_reports(
        &self,
        user: &User,
        interval: Option<ReportInterval>,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        self.mail_outbox.set_report_interval(user, interval, by).await
    }

    /// What a member of an account with this role is told about by e-mail.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn alert_topics(
        &self,
        user: &User,
        account: &AccountId,
        role: Role,
    ) -> Result<Vec<AlertTopic>, StoreError> {
        Ok(self.mail_outbox.alert_choices(&user.id, account).await?.topics(role))
    }

    /// Stores what a member of an account with this role wants to be told about, which is audited.
    /// Topics that are not in `wanted` are switched off, except those that are always on.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn choose_alerts(
        &self,
        user: &User,
        (account, role): (&AccountId, Role),
        wanted: &[AlertTopic],
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let choices = AlertChoices::of_form(role, wanted);
        self.mail_outbox.set_alert_choices(user, account, &choices, by).await
    }

    /// Removes an identity of this person, which is audited. `false` if there is none, if it
    /// decides the person's roles, or if the person has no password to sign in with.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn remove_identity(
        &self,
        user: &User,
        id: &IdentityId,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        self.identities.remove_identity(user, id, by).await
    }
}
