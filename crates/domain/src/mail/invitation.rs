//! The message with the link of an invitation.

use super::QueuedMail;
use crate::people::{EnrolmentLink, Invitation, User};
use jiff::Timestamp;

impl Invitation {
    /// The link of this person, and the message with it.
    #[must_use]
    pub fn link_of(&self, user: &User, now: Timestamp) -> (EnrolmentLink, QueuedMail) {
        let link = EnrolmentLink { user: Some(user.id.clone()), ..self.link.clone() };
        let mail = QueuedMail {
            account: Some(self.account.clone()),
            language: self.language.clone(),
            ..QueuedMail::link(&link, user, self.path.clone(), now)
        };
        (link, mail)
    }
}
