//! What a person is told about each of the own accounts, as the form on the page Your security
//! shows it.

use super::{error::DashboardError, state::DashboardState, visitor::SignedIn};
use minijinja::{Value, context};
use tua_domain::{mail::AlertTopic, people::Permission};

/// One form for each account of which the role may be told something that can be switched off.
pub(super) async fn forms(
    state: &DashboardState,
    person: &SignedIn,
) -> Result<Vec<Value>, DashboardError> {
    let mut forms = Vec::new();
    for (account, role) in &person.accounts {
        let offered: Vec<AlertTopic> = AlertTopic::open_to(*role).collect();
        if offered.iter().all(|topic| topic.is_always_on()) {
            continue;
        }
        let user = &person.session.user;
        let chosen = state.person_security.alert_topics(user, &account.id, *role).await?;
        let topics = offered.iter().map(|topic| {
            context! {
                key => topic.as_str(),
                is_on => chosen.contains(topic),
                is_fixed => topic.is_always_on(),
            }
        });
        let topics = topics.collect::<Vec<_>>();
        forms.push(context! {
            account => account.id.as_str(),
            name => &account.name,
            has_channels => role.may(Permission::ManageSettings),
            is_mail_on => state.mail_outbox.is_on(&account.id).await?,
            topics,
        });
    }
    Ok(forms)
}
