//! Security notices, which are sent by e-mail.

use crate::TestApp;
use tua_domain::mail::{MailFilter, MailKind, SecurityNotice};

impl TestApp {
    /// The security notices in the outbox, in the order of their names.
    pub async fn notices(&self) -> Vec<&'static str> {
        let mails = self.running().store.mail(&MailFilter::default(), 100).await.unwrap();
        let notices = mails.iter().filter(|mail| mail.kind == MailKind::Security);
        let read = |detail: &str| SecurityNotice::from_detail(detail).unwrap().event.as_str();
        let mut events: Vec<_> =
            notices.map(|mail| read(mail.detail.as_deref().unwrap())).collect();
        events.sort_unstable();
        events
    }
}
