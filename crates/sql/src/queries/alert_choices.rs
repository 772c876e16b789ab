//! What people have chosen to be told about their accounts.

use super::audit;
use crate::{
    audit_values,
    columns::{maybe_text, text, word},
    rows::is_enrolled,
    sql::Sql,
};
use tua_domain::{
    AccountId, UserId,
    audit::AuditContext,
    mail::{AlertChoices, AlertTopic},
    people::{Role, User},
};

/// The members of an account who have enrolled. The parameter is the account.
const ENROLLED_MEMBERS: &str = concat!(
    "SELECT user_id, role, alert_topics FROM memberships JOIN users ON users.id = user_id
     WHERE account_id = $1 AND ",
    is_enrolled!(),
    " ORDER BY user_id"
);

/// A member of an account who can be told something.
pub(crate) struct AlertRecipient {
    /// The member.
    pub user: UserId,
    /// What the member is told about.
    pub topics: Vec<AlertTopic>,
}

/// The members of an account who have enrolled, each with what they are told about.
pub(crate) async fn recipients<S: Sql>(
    db: &S,
    account: &AccountId,
) -> Result<Vec<AlertRecipient>, S::Error> {
    let rows = db.query(ENROLLED_MEMBERS, &[&account.as_str()]).await?;
    let recipient = |row| {
        let role = word(row, "role", Role::parse)?;
        let chosen = maybe_text(row, "alert_topics")?;
        let choices = chosen.as_deref().map(AlertChoices::parse).unwrap_or_default();
        let user = UserId::new(text(row, "user_id")?);
        Ok(AlertRecipient { user, topics: choices.topics(role) })
    };
    rows.iter().map(recipient).collect()
}

/// What a member of an account has chosen to be told.
pub async fn of_member<S: Sql>(
    db: &S,
    user: &UserId,
    account: &AccountId,
) -> Result<AlertChoices, S::Error> {
    let sql = "SELECT alert_topics FROM memberships WHERE user_id = $1 AND account_id = $2";
    let row = db.query_opt(sql, &[&user.as_str(), &account.as_str()]).await?;
    let chosen = row.map(|row| maybe_text(&row, "alert_topics")).transpose()?.flatten();
    Ok(chosen.as_deref().map(AlertChoices::parse).unwrap_or_default())
}

/// Stores the choices of a member. Who has left the account meanwhile has none.
pub async fn store<S: Sql>(
    db: &S,
    user: &User,
    account: &AccountId,
    choices: &AlertChoices,
    by: &AuditContext,
) -> Result<(), S::Error> {
    let before = of_member(db, &user.id, account).await?;
    let sql = "UPDATE memberships SET alert_topics = $3 WHERE user_id = $1 AND account_id = $2";
    let topics = choices.to_text();
    if db.execute(sql, &[&user.id.as_str(), &account.as_str(), &topics]).await? == 0 {
        return Ok(());
    }
    let change = audit_values::people::alerts_chosen(user, account, &before, choices);
    audit::append(db, by, &change).await
}
