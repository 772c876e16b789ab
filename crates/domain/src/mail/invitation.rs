//! The message with the link of an invitation.

use super::QueuedMail;
use crate::people::{EnrolmentLink, Invitation, User};
use jiff::Timestamp;

/// The link of an invitation for this person, and the message with it.
#[must_use]
pub fn link_of(
    invitation: &Invitation,
    user: &User,
    now: Timestamp,
) -> (EnrolmentLink, QueuedMail) {
    let link = EnrolmentLink { user: Some(user.id.clone()), ..invitation.link.clone() };
    let mail = QueuedMail {
        account: Some(invitation.account.clone()),
        language: invitation.language.clone(),
        ..QueuedMail::link(&link, user, invitation.path.clone(), now)
    };
    (link, mail)
}
