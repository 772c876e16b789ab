//! Composes the messages of the outbox: reads what they are about, and renders them in the
//! recipient's language.

use super::{
    alerts,
    messages::{self, Content},
    receipts, reports, security,
};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_contract::Status;
use tua_domain::{
    EndpointId,
    key_ring::KeyRing,
    language::LanguageTag,
    mail::{
        INVITATION_SECRET, MailKind, Message, QueuedMail, ReportInterval, SecurityEvent,
        SecurityNotice,
    },
    people::{Role, User},
    ports::{Store, StoreError},
    privacy::ERASED_EMAIL,
};

/// For how long after a sign-in with a provider its person gets reports: providers do not say who
/// has left.
const PROVIDER_TRUSTED_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Composes queued messages from what the store has at the time when they are sent.
#[derive(Clone, Debug)]
pub struct Composer {
    /// Where everything is stored.
    pub store: Arc<dyn Store>,
    /// Decrypts the links of invitations and resets.
    pub keys: KeyRing,
    /// The origin of logos.
    pub public_url: String,
    /// The origin of links to the dashboard.
    pub dashboard_url: String,
}

/// A message of the outbox when it is to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Composed {
    /// The message, which is to be sent now.
    Ready(Message),
    /// Nobody needs it any more, for this reason.
    Moot(&'static str),
    /// It cannot be sent any more although somebody may need it, for this reason.
    Lost(&'static str),
}

impl Composer {
    /// Composes a message.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn compose(&self, mail: &QueuedMail, now: Timestamp) -> Result<Composed, StoreError> {
        if mail.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Ok(Composed::Lost(match mail.kind {
                MailKind::Invitation | MailKind::Reset => "its link has ended",
                MailKind::Alerts => "its alerts are too old",
                MailKind::Receipt | MailKind::Refund => "its payment was too long ago",
                MailKind::Security => "it was too long ago",
                MailKind::Report => "its day is over",
            }));
        }
        match mail.kind {
            MailKind::Invitation | MailKind::Reset => self.compose_link(mail).await,
            MailKind::Alerts => self.compose_alerts(mail).await,
            MailKind::Receipt | MailKind::Refund => self.compose_receipt(mail).await,
            MailKind::Security => self.compose_notice(mail).await,
            MailKind::Report => self.compose_report(mail).await,
        }
    }

    async fn compose_link(&self, mail: &QueuedMail) -> Result<Composed, StoreError> {
        let Some(user) = self.user(mail).await? else {
            return Ok(Composed::Moot("the person was removed"));
        };
        let path = mail.secret.as_ref().and_then(|secret| {
            self.keys.all().iter().find_map(|key| secret.decrypt_for(INVITATION_SECRET, key))
        });
        let Some(path) = path else {
            return Ok(Composed::Lost("its link cannot be decrypted with the server keys"));
        };
        let link = format!("{}{path}", self.dashboard_url);
        let language = language_of(mail, &user);
        let account = match &mail.account {
            Some(id) => self.store.account(id).await?.map(|account| account.name),
            None => None,
        };
        let content = match (mail.kind, account) {
            (MailKind::Invitation, Some(account)) => {
                messages::invitation(&language, &account, link)
            }
            _ => messages::reset(&language, link),
        };
        Ok(ready(mail, user.email.as_str(), content))
    }

    async fn compose_alerts(&self, mail: &QueuedMail) -> Result<Composed, StoreError> {
        let Some(user) = self.user(mail).await? else {
            return Ok(Composed::Moot("the person was removed"));
        };
        let (Some(account), Some(id)) = (&mail.account, &mail.detail) else {
            return Ok(Composed::Lost("it is empty"));
        };
        let roles = self.store.memberships(&user.id).await?;
        if !roles.iter().any(|one| one.account == *account && one.role == Role::Owner) {
            return Ok(Composed::Moot("the person is no longer an owner"));
        }
        let account =
            self.store.account(account).await?.map(|account| account.name).unwrap_or_default();
        let digest = self.store.alert_digest(id, alerts::MAX_ALERTS_IN_MESSAGE).await?;
        let mut shown = Vec::new();
        for alert in &digest.alerts {
            shown.push(alerts::read(self.store.as_ref(), alert).await?);
        }
        let content = alerts::content(
            &language_of(mail, &user),
            &account,
            &shown,
            digest.count,
            &self.dashboard_url,
        );
        Ok(ready(mail, user.email.as_str(), content))
    }

    async fn compose_notice(&self, mail: &QueuedMail) -> Result<Composed, StoreError> {
        let Some(user) = self.user(mail).await? else {
            return Ok(Composed::Moot("the person was removed"));
        };
        let Some(notice) = mail.detail.as_deref().and_then(SecurityNotice::from_detail) else {
            return Ok(Composed::Lost("it is empty"));
        };
        let account = match &mail.account {
            Some(id) => self.store.account(id).await?,
            None => None,
        };
        let is_own = notice.subject.is_empty() || notice.subject == user.email.as_str();
        if let Some(id) = mail.account.as_ref().filter(|_| !is_own) {
            let roles = self.store.memberships(&user.id).await?;
            // The maker of a key need not be an owner.
            let may_know = |role| role == Role::Owner || notice.event == SecurityEvent::LiveKeyMade;
            if !roles.iter().any(|one| one.account == *id && may_know(one.role)) {
                return Ok(Composed::Moot("the person is no longer told about this account"));
            }
        }
        let name = match (&notice.event, &account) {
            (event, _) if event.is_of_webhooks() => {
                let endpoint =
                    self.store.endpoint(&EndpointId::new(notice.subject.as_str())).await?;
                endpoint.and_then(|one| alerts::host_of(&one))
            }
            (SecurityEvent::LiveKeyMade, Some(account)) => {
                let keys = self.store.keys(Some(&account.id)).await?;
                keys.into_iter()
                    .find(|key| key.id.as_str() == notice.subject)
                    .and_then(|key| key.name)
            }
            _ => None,
        };
        let context = security::NoticeContext {
            notice: &notice,
            at: mail.occurred_at,
            account: account.as_ref(),
            name,
            is_own,
        };
        let content = context.content(&language_of(mail, &user), &self.dashboard_url);
        Ok(ready(mail, user.email.as_str(), content))
    }

    async fn compose_report(&self, mail: &QueuedMail) -> Result<Composed, StoreError> {
        let Some(user) = self.user(mail).await? else {
            return Ok(Composed::Moot("the person was removed"));
        };
        let Some((interval, last)) = mail.detail.as_deref().and_then(ReportInterval::from_detail)
        else {
            return Ok(Composed::Lost("it is empty"));
        };
        if self.store.report_interval(&user.id).await? != Some(interval) {
            return Ok(Composed::Moot("the person has stopped it"));
        }
        if user.is_managed() && !self.is_seen_by_provider(&user, mail.occurred_at).await? {
            return Ok(Composed::Moot("the person has not signed in with the provider for long"));
        }
        let language = language_of(mail, &user);
        let origin = self.dashboard_url.as_str();
        let content =
            reports::content(self.store.as_ref(), &user, &language, interval, last, origin).await?;
        Ok(content.map_or(Composed::Moot("the person may read no account"), |content| {
            ready(mail, user.email.as_str(), content)
        }))
    }

    /// Whether a person whose roles the provider decides has signed in of late.
    async fn is_seen_by_provider(&self, user: &User, now: Timestamp) -> Result<bool, StoreError> {
        let identities = self.store.identities(&user.id).await?;
        let seen = identities.iter().filter_map(|one| one.used_at).max();
        Ok(seen.is_some_and(|seen| now < seen + PROVIDER_TRUSTED_FOR))
    }

    async fn compose_receipt(&self, mail: &QueuedMail) -> Result<Composed, StoreError> {
        let transaction = match &mail.transaction {
            Some(id) => self.store.transaction(id).await?,
            None => None,
        };
        let Some(transaction) = transaction else {
            return Ok(Composed::Moot("it is about no transaction"));
        };
        let order = &transaction.order;
        let Some(email) = order.details.email.as_deref().filter(|email| *email != ERASED_EMAIL)
        else {
            return Ok(Composed::Moot("the address was erased"));
        };
        // Unless people have decided that it did succeed.
        if transaction
            .conflict
            .is_some_and(|conflict| conflict.decision != Some(Status::Successful))
        {
            return Ok(Composed::Moot("the operator contradicts the payment"));
        }
        let Some(account) = self.store.account(&order.scope.account).await? else {
            return Ok(Composed::Moot("it is about no account"));
        };
        if !account.sends_receipts {
            return Ok(Composed::Moot("the merchant has turned receipts off"));
        }
        let language = mail.language.as_ref().map_or("en", LanguageTag::primary);
        let content =
            receipts::content(language, &account, &transaction, mail.occurred_at, &self.public_url);
        Ok(ready(mail, email, content))
    }

    async fn user(&self, mail: &QueuedMail) -> Result<Option<User>, StoreError> {
        match &mail.user {
            Some(id) => self.store.user(id).await,
            None => Ok(None),
        }
    }
}

fn ready(mail: &QueuedMail, to: &str, content: Content) -> Composed {
    Composed::Ready(Message { id: Some(mail.id.as_str().to_owned()), ..content.render(to) })
}

/// The person's language, else that of the message, else English.
fn language_of(mail: &QueuedMail, user: &User) -> String {
    let found = user.language.as_ref().or(mail.language.as_ref());
    found.map_or("en", LanguageTag::primary).to_owned()
}
