//! The people who use the dashboard: the port, and their roles.

use super::{SqliteStore, audit, buckets, credentials, record::Record, roles, sessions};
use crate::{
    audit_values,
    rows::{self, user_columns},
};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result};
use tua_domain::{
    AccountId, SessionId, UserId,
    audit::AuditContext,
    limit_lift::loses_decider,
    mail::QueuedMail,
    people::{
        Credentials, Enrolment, EnrolmentLink, Invitation, Invited, Membership, NewPassword,
        PasswordChange, Role, RoleChanger, SecondFactor, Session, StaffEmail, User,
    },
    persistent_bucket::PersistentBucket,
    ports::{People, RoleError, StoreError},
    rate_limit::Exceeded,
    secret::SecretDigest,
};

macro_rules! select {
    ($end:literal) => {
        concat!(
            "SELECT ",
            user_columns!(),
            ", account_id, role, given_by FROM memberships JOIN users ON users.id = user_id ",
            $end
        )
    };
}

#[async_trait]
impl People for SqliteStore {
    async fn set_role(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        role: Role,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Result<User, RoleError> {
        let (email, account, changer, by) =
            (email.clone(), account.clone(), changer.clone(), by.clone());
        self.write(move |db| roles::set(db, &email, &account, role, &changer, &by))
            .await?
            .map_err(Into::into)
    }

    async fn invite(
        &self,
        invitation: Invitation,
        by: &AuditContext,
    ) -> Result<Invited, RoleError> {
        let by = by.clone();
        self.write(move |db| roles::invite(db, &invitation, &by)).await?.map_err(Into::into)
    }

    async fn remove_member(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Result<(), RoleError> {
        let (email, account, changer, by) =
            (email.clone(), account.clone(), changer.clone(), by.clone());
        self.write(move |db| roles::remove(db, &email, &account, &changer, &by))
            .await?
            .map_err(Into::into)
    }

    async fn memberships_of_address(
        &self,
        email: &StaffEmail,
    ) -> Result<Vec<Membership>, StoreError> {
        self.readers.read(|db| memberships_of_address(db, email))
    }

    async fn user_by_email(&self, email: &StaffEmail) -> Result<Option<User>, StoreError> {
        self.readers.read(|db| by_email(db, email))
    }

    async fn user(&self, id: &UserId) -> Result<Option<User>, StoreError> {
        self.readers.read(|db| by_id(db, id))
    }

    async fn memberships(&self, user: &UserId) -> Result<Vec<Membership>, StoreError> {
        self.readers.read(|db| memberships(db, user))
    }

    async fn members(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError> {
        self.readers.read(|db| members(db, account))
    }

    async fn is_anybody_enrolled(&self) -> Result<bool, StoreError> {
        self.readers.read(credentials::is_anybody_enrolled)
    }

    async fn add_link(
        &self,
        link: EnrolmentLink,
        mail: Option<QueuedMail>,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        let by = by.clone();
        self.write(move |db| credentials::add_link(db, &link, mail.as_ref(), &by)).await
    }

    async fn link(
        &self,
        token: SecretDigest,
    ) -> Result<Option<(EnrolmentLink, Option<User>)>, StoreError> {
        self.readers.read(|db| credentials::link(db, token))
    }

    async fn enrol(
        &self,
        enrolment: Enrolment,
        by: &AuditContext,
    ) -> Result<Option<User>, StoreError> {
        let by = by.clone();
        let minted = UserId::mint();
        self.write(move |db| credentials::enrol(db, &minted, &enrolment, &by)).await
    }

    async fn credentials(
        &self,
        email: &StaffEmail,
        browser: Option<SecretDigest>,
    ) -> Result<Vec<Credentials>, StoreError> {
        self.readers.read(|db| credentials::find(db, email, browser))
    }

    async fn is_browser_known(&self, browser: SecretDigest) -> Result<bool, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT 1 FROM known_browsers WHERE digest = ?1")?.exists([browser.0])
        })
    }

    async fn use_second_factor(
        &self,
        user: &UserId,
        factor: SecondFactor,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let user = user.clone();
        let by = by.clone();
        self.write(move |db| credentials::use_second_factor(db, &user, factor, &by)).await
    }

    async fn count_sign_in(
        &self,
        counted: Vec<PersistentBucket>,
        now: Timestamp,
    ) -> Result<Result<(), Exceeded>, StoreError> {
        self.write(move |db| buckets::take(db, &counted, now)).await
    }

    async fn change_password(
        &self,
        change: PasswordChange,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let by = by.clone();
        self.write(move |db| credentials::change_password(db, &change, &by)).await
    }

    async fn add_password(
        &self,
        new: NewPassword,
        kept: &Session,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let kept = kept.clone();
        let by = by.clone();
        self.write(move |db| credentials::add_password(db, &new, &kept, &by)).await
    }

    async fn replace_recovery_codes(
        &self,
        session: &Session,
        codes: Vec<SecretDigest>,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let session = session.clone();
        let by = by.clone();
        self.write(move |db| credentials::replace_recovery_codes(db, &session, &codes, &by)).await
    }

    async fn recovery_codes_left(&self, user: &UserId) -> Result<u32, StoreError> {
        self.readers.read(|db| {
            db.prepare_cached("SELECT count(*) FROM recovery_codes WHERE user_id = ?1")?
                .query_row([user.as_str()], |row| row.get(0))
        })
    }

    async fn insert_session(&self, session: Session, ended: Timestamp) -> Result<(), StoreError> {
        self.write(move |db| sessions::insert(db, &session, ended)).await
    }

    async fn session(&self, token: SecretDigest) -> Result<Option<Session>, StoreError> {
        self.readers.read(|db| sessions::by_digest(db, token))
    }

    async fn sessions(&self, user: &UserId) -> Result<Vec<Session>, StoreError> {
        self.readers.read(|db| sessions::of_user(db, user))
    }

    async fn note_session(&self, id: &SessionId, seen_at: Timestamp) -> Result<(), StoreError> {
        let id = id.clone();
        self.write(move |db| sessions::note(db, &id, seen_at)).await
    }

    async fn renew_session(
        &self,
        id: &SessionId,
        token: SecretDigest,
        proven_at: Timestamp,
    ) -> Result<bool, StoreError> {
        let id = id.clone();
        self.write(move |db| sessions::renew(db, &id, token, proven_at)).await
    }

    async fn delete_session(
        &self,
        user: &User,
        id: &SessionId,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let user = user.clone();
        let id = id.clone();
        let by = by.clone();
        self.write(move |db| {
            let is_ended = sessions::delete(db, &user.id, &id)?;
            if is_ended {
                audit::append(db, &by, &audit_values::session_ended(&user, &id))?;
            }
            Ok(is_ended)
        })
        .await
    }
}

/// Inserts a person who has no role and is not enrolled yet.
pub(super) fn add(
    db: &Connection,
    id: &UserId,
    email: &StaffEmail,
    by: &AuditContext,
) -> Result<User> {
    db.prepare_cached("INSERT INTO users (id, email, created_at) VALUES (?1, ?2, ?3)")?
        .execute((id.as_str(), email.as_str(), by.at.as_millisecond()))?;
    by_id(db, id)?.ok_or(rusqlite::Error::QueryReturnedNoRows)
}

/// Inserts or changes a membership. `given_by` is the person of the dashboard who gives the role.
pub(super) fn insert(
    db: &Connection,
    user: &UserId,
    account: &AccountId,
    role: Role,
    given_by: Option<&str>,
    by: &AuditContext,
) -> Result<()> {
    note_lost_decider(db, user, account, Some(role), by.at)?;
    db.prepare_cached(
        "INSERT INTO memberships (user_id, account_id, role, created_at, given_by) VALUES (?1, ?2, \
         ?3, ?4, ?5)
         ON CONFLICT (user_id, account_id) DO UPDATE SET role = excluded.role, given_by = \
         excluded.given_by",
    )?
    .execute((user.as_str(), account.as_str(), role.as_str(), by.at.as_millisecond(), given_by))
    .map(drop)
}

pub(super) fn delete_membership(
    db: &Connection,
    user: &UserId,
    account: &AccountId,
    by: &AuditContext,
) -> Result<()> {
    note_lost_decider(db, user, account, None, by.at)?;
    db.prepare_cached("DELETE FROM memberships WHERE user_id = ?1 AND account_id = ?2")?
        .execute((user.as_str(), account.as_str()))
        .map(drop)
}

/// Stores when the account loses somebody who could decide about a lift of its limits.
fn note_lost_decider(
    db: &Connection,
    user: &UserId,
    account: &AccountId,
    role: Option<Role>,
    at: Timestamp,
) -> Result<()> {
    let member = memberships(db, user)?.into_iter().find(|one| one.account == *account);
    if member.is_some_and(|member| loses_decider(&member, role)) {
        db.prepare_cached("UPDATE accounts SET decider_lost_at = ?2 WHERE id = ?1")?
            .execute((account.as_str(), at.as_millisecond()))?;
    }
    Ok(())
}

/// The memberships of everybody with this address, by person and account.
pub(super) fn memberships_of_address(
    db: &Connection,
    email: &StaffEmail,
) -> Result<Vec<Membership>> {
    db.prepare_cached(select!("WHERE email = ?1 ORDER BY user_id, account_id"))?
        .query_map([email.as_str()], |row| rows::membership(&Record::new(row)))?
        .collect()
}

/// Deletes a person who is in no account, with credentials and sessions.
pub(super) fn delete(db: &Connection, user: &UserId) -> Result<()> {
    [
        "DELETE FROM dashboard_sessions WHERE user_id = ?1",
        "DELETE FROM recovery_codes WHERE user_id = ?1",
        "DELETE FROM enrolment_links WHERE user_id = ?1",
        "DELETE FROM mail_messages WHERE user_id = ?1",
        "DELETE FROM passkey_challenges WHERE user_id = ?1",
        "DELETE FROM known_browsers WHERE user_id = ?1",
        "DELETE FROM passkeys WHERE user_id = ?1",
        "DELETE FROM identities WHERE user_id = ?1",
        "DELETE FROM users WHERE id = ?1",
    ]
    .into_iter()
    .try_for_each(|sql| db.prepare_cached(sql)?.execute([user.as_str()]).map(drop))
}

pub(super) fn by_email(db: &Connection, email: &StaffEmail) -> Result<Option<User>> {
    db.prepare_cached(concat!(
        "SELECT ",
        user_columns!(),
        " FROM users WHERE email = ?1 ORDER BY id LIMIT 1"
    ))?
    .query_row([email.as_str()], |row| rows::user(&Record::new(row)))
    .optional()
}

pub(super) fn by_id(db: &Connection, id: &UserId) -> Result<Option<User>> {
    db.prepare_cached(concat!("SELECT ", user_columns!(), " FROM users WHERE id = ?1"))?
        .query_row([id.as_str()], |row| rows::user(&Record::new(row)))
        .optional()
}

pub(super) fn memberships(db: &Connection, user: &UserId) -> Result<Vec<Membership>> {
    db.prepare_cached(select!("WHERE user_id = ?1 ORDER BY account_id"))?
        .query_map([user.as_str()], |row| rows::membership(&Record::new(row)))?
        .collect()
}

pub(super) fn members(db: &Connection, account: &AccountId) -> Result<Vec<Membership>> {
    db.prepare_cached(select!("WHERE account_id = ?1 ORDER BY email"))?
        .query_map([account.as_str()], |row| rows::membership(&Record::new(row)))?
        .collect()
}
