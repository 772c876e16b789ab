//! Sessions of the dashboard: how they begin and end, and the session of each request.

use super::{attempt_origin::Origin, password_work::StrangerQueue};
use std::sync::Arc;
use tokio_util::task::TaskTracker;
use tua_domain::{
    Account, PasskeyId, SessionId, UserId,
    audit::AuditContext,
    key_ring::KeyRing,
    people::{AGE_MAX, Device, IDLE_MAX, Role, Session, SessionToken, SignInWay, User},
    ports::{Accounts, Clock, Passkeys, People, SignInMetrics, StoreError, TillPins},
};

/// The sessions of people who sign in.
#[derive(Clone, Debug)]
pub struct Sessions {
    /// Where people, their credentials and their sessions are stored.
    pub people: Arc<dyn People>,
    /// Has the accounts of the person of a session.
    pub accounts: Arc<dyn Accounts>,
    /// Counts the use of a passkey, and begins its session in the same write.
    pub passkeys: Arc<dyn Passkeys>,
    /// Where the PINs of sessions on shared phones are stored.
    pub till_pins: Arc<dyn TillPins>,
    /// Decides which sessions have ended, and dates proofs.
    pub clock: Arc<dyn Clock>,
    /// Decrypts the keys of one-time codes.
    pub keys: KeyRing,
    /// How many strangers may have their passwords checked.
    pub strangers: Arc<StrangerQueue>,
    /// Counts refused sign-ins and proofs by reason.
    pub metrics: Arc<dyn SignInMetrics>,
    /// Runs what no response waits for. The service ends after them.
    pub tasks: TaskTracker,
}

/// What a person proves an identity with. `Debug` hides it.
#[derive(Clone)]
pub struct Proof {
    /// The password as typed, not checked yet.
    pub password: String,
    /// A one-time code or a recovery code.
    pub code: String,
}

impl std::fmt::Debug for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Proof(…)")
    }
}

/// Who has sent a request of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestedBy {
    /// A person: the session is in use.
    Person,
    /// A page that refreshes itself. It keeps no session alive in which nobody does anything.
    Page,
}

/// A session that has not ended, and what its person may open.
#[derive(Clone, Debug)]
pub struct OpenSession {
    /// The session with its person.
    pub session: Session,
    /// The accounts of the person, by account, with the role in each.
    pub accounts: Vec<(Account, Role)>,
}

/// What a token stands for at this moment.
#[derive(Clone, Debug)]
pub enum FoundSession {
    /// A session that is open.
    Open(OpenSession),
    /// A session that only its PIN opens. Nothing of its person may be shown.
    Locked(Session),
    /// No session, or one that has ended.
    Ended,
}

impl Sessions {
    /// Begins a session of a person whose identity is proven, such as by an enrolment.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn begin(
        &self,
        user: User,
        device: Device,
        way: SignInWay,
    ) -> Result<(Session, SessionToken), StoreError> {
        let now = self.clock.now();
        let by = self.context(user.email.as_str(), Origin::of(&device));
        let (session, token) = Session::begin_on(user, device, way, now);
        self.people.insert_session(session.clone(), now - IDLE_MAX, &by).await?;
        Ok((session, token))
    }

    /// Begins a session of a person who has nothing to prove an identity with, so its proof stays
    /// fresh. `device`: browser and system. The browser is not remembered.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn begin_without_credentials(
        &self,
        user: User,
        device: String,
    ) -> Result<SessionToken, StoreError> {
        let now = self.clock.now();
        let origin = Origin { address: None, device: &device };
        let by = self.context(user.email.as_str(), origin);
        let (session, token) = Session::begin(user, device, now);
        let session = Session { proven_at: now + AGE_MAX, ..session };
        self.people.insert_session(session, now - IDLE_MAX, &by).await?;
        Ok(token)
    }

    /// Begins a session of the person whose passkey has signed. `None` if the passkey was removed
    /// meanwhile. `credential` has its new counter.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn begin_with_passkey(
        &self,
        user: User,
        device: Device,
        passkey: &PasskeyId,
        credential: String,
    ) -> Result<Option<SessionToken>, StoreError> {
        let now = self.clock.now();
        let by = self.context(user.email.as_str(), Origin::of(&device));
        let (session, token) = Session::begin_on(user, device, SignInWay::Passkey, now);
        let user = session.user.id.clone();
        let begins = Some((session, by));
        let is_there = self.passkeys.note_passkey(passkey, credential, now, begins).await?;
        if is_there {
            tracing::info!(%user, "signed in to the dashboard");
        }
        Ok(is_there.then_some(token))
    }

    /// Gives a session another token, after a proof. `None` if the session was revoked since.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn renew(&self, session: &Session) -> Result<Option<SessionToken>, StoreError> {
        let token = SessionToken::generate();
        let is_renewed =
            self.people.renew_session(&session.id, token.digest(), self.clock.now()).await?;
        Ok(is_renewed.then_some(token))
    }

    /// The session with this token, and the accounts of its person if the session is open. Stores
    /// the time of a person's request, unless the session is locked.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        token: &SessionToken,
        by: RequestedBy,
    ) -> Result<FoundSession, StoreError> {
        let now = self.clock.now();
        let found = self.people.session(token.digest()).await?;
        let Some(session) = found.filter(|session| session.is_valid(now)) else {
            return Ok(FoundSession::Ended);
        };
        if session.is_locked(now) {
            return Ok(FoundSession::Locked(session));
        }
        if by == RequestedBy::Person && session.must_note(now) {
            self.people.note_session(&session.id, now).await?;
        }
        let mut accounts = Vec::new();
        for membership in self.people.memberships(&session.user.id).await? {
            if let Some(account) = self.accounts.account(&membership.account).await? {
                accounts.push((account, membership.role));
            }
        }
        Ok(FoundSession::Open(OpenSession { session, accounts }))
    }

    /// Whose session has this token; the session may have ended. `None` if there is no such
    /// session.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn person_of(&self, token: &SessionToken) -> Result<Option<UserId>, StoreError> {
        Ok(self.people.session(token.digest()).await?.map(|session| session.user.id))
    }

    /// The sessions of this person that have not ended, the newest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of_person(&self, session: &Session) -> Result<Vec<Session>, StoreError> {
        let now = self.clock.now();
        let mut all = self.people.sessions(&session.user.id).await?;
        all.retain(|one| one.is_valid(now));
        Ok(all)
    }

    /// Ends a session of the person, which is audited. `false` if there is none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn end(
        &self,
        session: &Session,
        id: &SessionId,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        self.people.delete_session(&session.user, id, by).await
    }
}
