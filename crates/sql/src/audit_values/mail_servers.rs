//! What the audit log shows of mail servers of accounts: host and port, never user or password.

use super::change::change;
use serde_json::{Value, json};
use tua_domain::{
    account_mail_server::{AccountMailServer, MailServerChange},
    audit::{Action, AuditChange},
};

fn values(server: &AccountMailServer) -> Value {
    json!({
        "accountId": server.account.as_str(),
        "inForce": server.in_force.as_ref().map(|one| &one.shown),
        "waitsForTest": server.waiting.as_ref().map(|one| &one.shown),
    })
}

pub(crate) fn changed(
    made: &MailServerChange,
    before: &AccountMailServer,
    after: &AccountMailServer,
) -> AuditChange {
    let action = match made {
        MailServerChange::Store(_) => Action::MailServerStored,
        MailServerChange::Accept(..) => Action::MailServerAccepted,
        MailServerChange::Remove => Action::MailServerRemoved,
    };
    change(action, after.account.as_str(), Some(values(before)), Some(values(after)))
}
