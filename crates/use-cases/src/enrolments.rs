//! Enrolment of people: invitations, resets, the first set-up, and a person's own password and
//! recovery codes.

mod form;

use jiff::Timestamp;
use std::sync::Arc;
use tua_domain::{
    Account, AccountId, UserId,
    audit::AuditContext,
    encrypted_secret::EncryptedSecret,
    key_ring::KeyRing,
    language::LanguageTag,
    mail::{INVITATION_SECRET, QueuedMail},
    people::{
        Enrolment, EnrolmentLink, FirstPerson, Invitation, NewCredential, OtherAccess, Passkey,
        RecoveryCode, Role, RoleChanger, Session, StaffEmail, TotpSecret, User,
    },
    ports::{Accounts, Clock, Passkeys, People, RoleError, StoreError},
    secret::SecretDigest,
};

pub use form::{EnrolledPerson, EnrolmentFault, EnrolmentForm, OpenLink};

/// Invites and resets people, and stores the credentials that they set.
#[derive(Clone, Debug)]
pub struct Enrolments {
    /// Where people, their links and their passwords are stored.
    pub people: Arc<dyn People>,
    /// Whether there is an account already.
    pub accounts: Arc<dyn Accounts>,
    /// Whether a passkey is known already.
    pub passkeys: Arc<dyn Passkeys>,
    /// Decides which links have ended, and dates new accounts.
    pub clock: Arc<dyn Clock>,
    /// Encrypts the keys of one-time codes.
    pub keys: KeyRing,
}

/// Who invites somebody, and the choices made for the invitation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inviter {
    /// The command line, or the person who invites; decides which roles may be given.
    pub changer: RoleChanger,
    /// What becomes of an access that the person has through other accounts.
    pub other_access: OtherAccess,
    /// The language of the invitation, for a person whose language is not known.
    pub language: Option<LanguageTag>,
}

/// Why nobody was enrolled.
#[derive(Debug, thiserror::Error)]
pub enum EnrolError {
    /// Fields are not right: all of them.
    #[error("fields are not right")]
    Faults(Vec<EnrolmentFault>),
    /// The link has ended.
    #[error("the link has ended")]
    LinkEnded,
    /// The store failed. The variant of [`StoreError`] shows whether the person may have enrolled.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Enrolments {
    /// Gives a person a role in an account, and makes a link where the person has not enrolled yet,
    /// which is sent by e-mail too. Returns the link's path. Role and link are stored together, so
    /// that a link opens what its maker may manage.
    ///
    /// # Errors
    /// [`RoleError`].
    pub async fn invite(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        role: Role,
        inviter: &Inviter,
        by: &AuditContext,
    ) -> Result<Option<String>, RoleError> {
        let (link, path) = EnrolmentLink::generate(None, by.at);
        let invitation = Invitation {
            email: email.clone(),
            account: account.clone(),
            role,
            changer: inviter.changer.clone(),
            other_access: inviter.other_access,
            language: inviter.language.clone(),
            link,
            path: self.encrypt(&path),
        };
        let invited = self.people.invite(invitation, by).await?;
        Ok(invited.is_linked.then_some(path))
    }

    /// Makes a link with which a person enrols again, for the command line, and sends it by e-mail
    /// too. What the person has now works until the link is used.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn reset(&self, user: &User, by: &AuditContext) -> Result<String, StoreError> {
        let (link, mail, path) = self.new_link(user, by.at);
        self.people.add_link(link, Some(mail), by).await?;
        Ok(path)
    }

    /// As [`Self::reset`], of a member for another person, who must be able to sign the member out
    /// everywhere. All sessions of the member end at once.
    ///
    /// # Errors
    /// [`RoleError`].
    pub async fn reset_member(
        &self,
        member: &User,
        changer: &UserId,
        by: &AuditContext,
    ) -> Result<String, RoleError> {
        let (link, mail, path) = self.new_link(member, by.at);
        self.people.reset_access(member, changer, (link, mail), by).await?;
        Ok(path)
    }

    /// A link with which a person enrols again, the message with it, and its path.
    fn new_link(&self, user: &User, at: Timestamp) -> (EnrolmentLink, QueuedMail, String) {
        let (link, path) = EnrolmentLink::generate(Some(user.id.clone()), at);
        let mail = QueuedMail::link(&link, user, self.encrypt(&path), at);
        (link, mail, path)
    }

    fn encrypt(&self, path: &str) -> EncryptedSecret {
        EncryptedSecret::encrypt_for(INVITATION_SECRET, &self.keys.current(), path)
    }

    /// Whether any person has enrolled.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn is_anybody_enrolled(&self) -> Result<bool, StoreError> {
        self.people.is_anybody_enrolled().await
    }

    /// Makes a link for the first set-up. `None` if somebody has enrolled.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn first_set_up(&self, by: &AuditContext) -> Result<Option<String>, StoreError> {
        if self.people.is_anybody_enrolled().await? {
            return Ok(None);
        }
        let (link, path) = EnrolmentLink::generate(None, by.at);
        self.people.add_link(link, None, by).await?;
        Ok(Some(path))
    }

    /// The link with this token, unless it has ended.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn open(&self, token: &str) -> Result<Option<OpenLink>, StoreError> {
        let digest = SecretDigest::of(token);
        let found =
            self.people.link(digest).await?.filter(|(link, _)| self.clock.now() < link.expires_at);
        let Some((_, user)) = found else { return Ok(None) };
        if user.is_none() && self.people.is_anybody_enrolled().await? {
            return Ok(None);
        }
        let needs_account = user.is_none() && self.accounts.accounts().await?.is_empty();
        let totp = TotpSecret::of_enrolment(&self.keys.current(), digest);
        Ok(Some(OpenLink { user, needs_account, totp, digest }))
    }

    /// Enrols a person with a password and one-time codes. Returns the person and the recovery
    /// codes, which are shown once.
    ///
    /// # Errors
    /// [`EnrolError`].
    pub async fn complete(
        &self,
        link: OpenLink,
        form: EnrolmentForm,
        by: impl FnOnce(&str) -> AuditContext,
    ) -> Result<(User, Vec<RecoveryCode>), EnrolError> {
        let (person, mut faults) = link.check_person(&form);
        let password = self.check_password(&link.totp, &form.password, &form.code, &mut faults);
        let (Some(person), Some(checked)) = (person, password) else {
            return Err(EnrolError::Faults(faults));
        };
        let credential =
            NewCredential::Password(self.new_password(&person.email, checked, &link.totp).await?);
        self.enrol(&link, person, credential, by).await
    }

    /// Enrols a person with a passkey, as [`Self::complete`] does with a password.
    ///
    /// # Errors
    /// [`EnrolError`].
    pub async fn complete_with_passkey(
        &self,
        link: &OpenLink,
        form: &EnrolmentForm,
        passkey: Passkey,
        by: impl FnOnce(&str) -> AuditContext,
    ) -> Result<(User, Vec<RecoveryCode>), EnrolError> {
        let (Some(person), _) = link.check_person(form) else {
            return Err(EnrolError::LinkEnded);
        };
        // A device makes a new id for each passkey, so a known one is a copied response.
        if self.passkeys.passkey(&passkey.credential_id).await?.is_some() {
            return Err(EnrolError::LinkEnded);
        }
        self.enrol(link, person, NewCredential::Passkey(passkey), by).await
    }

    /// For whom a device makes a passkey: the id, and what the person has filled in.
    ///
    /// # Errors
    /// [`EnrolError`].
    pub async fn passkey_person(
        &self,
        link: &OpenLink,
        form: &EnrolmentForm,
    ) -> Result<(UserId, EnrolledPerson), EnrolError> {
        let (person, faults) = link.check_person(form);
        let Some(person) = person else { return Err(EnrolError::Faults(faults)) };
        let known = match &link.user {
            Some(user) => Some(user.id.clone()),
            // Somebody who was invited before the first set-up.
            None => self.people.user_by_email(&person.email).await?.map(|user| user.id),
        };
        Ok((known.unwrap_or_else(UserId::mint), person))
    }

    async fn enrol(
        &self,
        link: &OpenLink,
        EnrolledPerson { name, email, account }: EnrolledPerson,
        credential: NewCredential,
        by: impl FnOnce(&str) -> AuditContext,
    ) -> Result<(User, Vec<RecoveryCode>), EnrolError> {
        let by = by(email.as_str());
        let account = account.map(|name| Account::new(name, self.clock.now()));
        let first = link.user.is_none().then_some(FirstPerson { email, account });
        let codes = RecoveryCode::generate_all();
        let recovery = codes.iter().map(RecoveryCode::digest).collect();
        let enrolment = Enrolment { link: link.digest, name, first, credential, recovery };
        let user = self.people.enrol(enrolment, &by).await?.ok_or(EnrolError::LinkEnded)?;
        Ok((user, codes))
    }

    /// Replaces the recovery codes of the session's person. Returns the new ones, which are shown
    /// once; `None` if the session was ended meanwhile.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn replace_recovery_codes(
        &self,
        session: &Session,
        by: &AuditContext,
    ) -> Result<Option<Vec<RecoveryCode>>, StoreError> {
        let codes = RecoveryCode::generate_all();
        let digests = codes.iter().map(RecoveryCode::digest).collect();
        Ok(self.people.replace_recovery_codes(session, digests, by).await?.then_some(codes))
    }
}
