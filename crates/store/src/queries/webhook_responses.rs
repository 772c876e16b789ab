//! What merchants' servers responded to webhooks. They may write what they received.

use super::parameters::numbered;
use std::collections::HashMap;
use tua_domain::{Scope, ports::PersonsData};
use tua_sql::sql::{Parameter, Sql};

/// How many subjects one statement looks for: each statement reads the deliveries of a scope.
const SUBJECTS_PER_STATEMENT: usize = 500;

/// How far the clock that minted the identifier of a delivery may be behind the clock that minted
/// the one of its subject, in milliseconds: another node wrote it, or the clock was set back.
const MAX_CLOCK_DIFFERENCE_MS: u64 = 24 * 60 * 60 * 1000;

/// The parameters of the statement before the subjects.
const PARAMETERS_BEFORE: usize = 3;

/// Erases the responses to events about a person's transactions and sessions. An attempt that is
/// under way is not recorded any more: its delivery has another time, and is sent again.
pub(super) async fn erase<S: Sql>(db: &S, data: &PersonsData) -> Result<(), S::Error> {
    for (scope, subjects) in subjects_by_scope(data) {
        for subjects in subjects.chunks(SUBJECTS_PER_STATEMENT) {
            erase_of_subjects(db, scope, subjects).await?;
        }
    }
    Ok(())
}

fn subjects_by_scope(data: &PersonsData) -> HashMap<&Scope, Vec<&str>> {
    let transactions =
        data.transactions.iter().map(|(one, _)| (&one.order.scope, one.order.id.as_str()));
    let sessions = data.checkouts.iter().map(|(one, _)| (&one.scope, one.id.as_str()));
    let mut subjects: HashMap<&Scope, Vec<&str>> = HashMap::new();
    for (scope, subject) in transactions.chain(sessions) {
        subjects.entry(scope).or_default().push(subject);
    }
    subjects
}

async fn erase_of_subjects<S: Sql>(
    db: &S,
    scope: &Scope,
    subjects: &[&str],
) -> Result<(), S::Error> {
    let Some(listed) = numbered(PARAMETERS_BEFORE + 1, subjects.len()) else { return Ok(()) };
    let sql = format!(
        "UPDATE webhook_deliveries SET response = NULL, due_at = due_at + 1
         WHERE endpoint_id IN (SELECT id FROM webhook_endpoints
                               WHERE account_id = $1 AND mode = $2)
           AND id >= $3 AND subject IN ({listed})"
    );
    let account = scope.account.as_str();
    let mode = scope.mode.as_str();
    let first = first_delivery_id(subjects);
    let mut parameters: Vec<&(dyn Parameter + Sync)> = vec![&account, &mode, &first];
    parameters.extend(subjects.iter().map(|subject| subject as &(dyn Parameter + Sync)));
    db.execute(&sql, &parameters).await.map(drop)
}

/// The smallest id that a delivery about one of these subjects can have, by any clock: identifiers
/// begin with the time of their creation, 12 hexadecimal digits of milliseconds.
fn first_delivery_id(subjects: &[&str]) -> String {
    let times = subjects.iter().map(|subject| {
        let digits = subject.split_once('_').and_then(|(_, uuid)| uuid.get(..12));
        digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
    });
    let first = times.min().unwrap_or_default().saturating_sub(MAX_CLOCK_DIFFERENCE_MS);
    format!("whd_{first:012x}")
}

#[cfg(test)]
mod tests {
    use super::first_delivery_id;

    #[test]
    fn the_first_id_is_a_day_before_the_oldest_subject() {
        let subjects = ["txn_0000075bcd15aa", "chk_0000065bcd15aa"];
        let day_ms = 86_400_000;
        assert_eq!(first_delivery_id(&subjects), format!("whd_{:012x}", 0x65b_cd15 - day_ms));
    }

    #[test]
    fn an_id_without_a_time_excludes_nothing() {
        assert_eq!(first_delivery_id(&["txn_?"]), "whd_000000000000");
    }
}
