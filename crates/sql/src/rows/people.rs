//! Rows of the people who use the dashboard.

use crate::columns::{
    self as read, Columns, maybe_number, maybe_text, maybe_time, maybe_word, number, text, time,
    word,
};
use tua_domain::{
    AccountId, SessionId, UserId,
    language::LanguageTag,
    people::{
        Credentials, EnrolmentLink, LastSignIn, MemberAccess, Membership, PasswordHash,
        ProviderUse, Role, Session, SignInWay, TillLock, User,
    },
};

pub(crate) fn user<R: Columns>(row: &R) -> Result<User, R::Error> {
    let has_password = number::<_, u8>(row, "has_password")? == 1;
    let has_passkey = number::<_, u8>(row, "has_passkey")? == 1;
    let provider = match maybe_number::<_, u8>(row, "manages_roles")? {
        None => ProviderUse::None,
        Some(0) => ProviderUse::SignIn,
        Some(_) => ProviderUse::Roles,
    };
    Ok(User {
        id: UserId::new(text(row, "user_id")?),
        email: word(row, "email", |text| text.parse().ok())?,
        name: maybe_text(row, "name")?,
        created_at: time(row, "user_created_at")?,
        is_enrolled: has_password || has_passkey || provider != ProviderUse::None,
        has_password,
        has_passkey,
        provider,
        language: maybe_word(row, "language", LanguageTag::parse)?,
    })
}

pub(crate) fn membership<R: Columns>(row: &R) -> Result<Membership, R::Error> {
    Ok(Membership {
        user: user(row)?,
        account: AccountId::new(text(row, "account_id")?),
        role: word(row, "role", Role::parse)?,
        given_by: maybe_text(row, "given_by")?,
    })
}

pub(crate) fn member_access<R: Columns>(row: &R) -> Result<MemberAccess, R::Error> {
    let at = maybe_time(row, "signed_in_at")?;
    let way = maybe_word(row, "signed_in_by", SignInWay::parse)?;
    Ok(MemberAccess {
        user: UserId::new(text(row, "user_id")?),
        last_sign_in: at.zip(way).map(|(at, way)| LastSignIn { at, way }),
        link_expires_at: maybe_time(row, "link_expires_at")?,
    })
}

pub(crate) fn session<R: Columns>(row: &R) -> Result<Session, R::Error> {
    Ok(Session {
        id: SessionId::new(text(row, "id")?),
        user: user(row)?,
        digest: read::digest(row, "digest")?,
        device: text(row, "device")?,
        began_on: None,
        way: None,
        created_at: time(row, "created_at")?,
        seen_at: time(row, "seen_at")?,
        proven_at: time(row, "proven_at")?,
        till_lock: till_lock(row)?,
    })
}

fn till_lock<R: Columns>(row: &R) -> Result<Option<TillLock>, R::Error> {
    let Some(pin) = maybe_text(row, "pin")? else { return Ok(None) };
    Ok(Some(TillLock {
        pin: PasswordHash::from_column(pin),
        tries: number(row, "pin_tries")?,
        locked_at: read::maybe_time(row, "locked_at")?,
        unlocked_at: read::maybe_time(row, "unlocked_at")?,
    }))
}

pub(crate) fn enrolment_link<R: Columns>(row: &R) -> Result<EnrolmentLink, R::Error> {
    Ok(EnrolmentLink {
        digest: read::digest(row, "digest")?,
        user: maybe_text(row, "user_id")?.map(UserId::new),
        expires_at: time(row, "expires_at")?,
    })
}

pub(crate) fn credentials<R: Columns>(row: &R) -> Result<Credentials, R::Error> {
    Ok(Credentials {
        user: user(row)?,
        password: maybe_text(row, "password")?.map(PasswordHash::from_column),
        totp: read::maybe_secret(row, "totp_secret")?,
        is_browser_known: number::<_, u8>(row, "is_browser_known")? == 1,
    })
}

/// The columns of a person, from table `users`, as [`user`] reads them.
macro_rules! user_columns {
    () => {
        "users.id AS user_id, users.email, users.name, users.created_at AS user_created_at,
         CAST(CASE WHEN users.password IS NULL THEN 0 ELSE 1 END AS BIGINT) AS has_password,
         CAST(CASE WHEN EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = users.id) THEN 1 \
         ELSE 0 END AS BIGINT)
             AS has_passkey, users.language,
         (SELECT max(manages_roles) FROM identities WHERE identities.user_id = users.id) AS \
         manages_roles"
    };
}
pub(crate) use user_columns;

/// Whether the person of table `users` has enrolled, as [`User::is_enrolled`].
macro_rules! is_enrolled {
    () => {
        "(users.password IS NOT NULL
          OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = users.id)
          OR EXISTS (SELECT 1 FROM identities WHERE identities.user_id = users.id))"
    };
}
pub(crate) use is_enrolled;
