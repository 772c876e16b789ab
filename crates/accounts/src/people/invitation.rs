//! Invitations: a role in an account, and a link to enrol with for who has not enrolled.

use super::{EnrolmentLink, OtherAccess, Role, RoleChanger, StaffEmail, User};
use crate::{AccountId, encrypted_secret::EncryptedSecret, language::LanguageTag, string_enum};

/// An invitation, with the link that its person gets unless they have enrolled.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// The address of the person.
    pub email: StaffEmail,
    /// The account in which the person gets the role.
    pub account: AccountId,
    /// The role in it.
    pub role: Role,
    /// The command line, or the person who invites; decides which roles may be given.
    pub changer: RoleChanger,
    /// What becomes of an access that the person has through other accounts.
    pub other_access: OtherAccess,
    /// The language of the message, for a person whose language is not known.
    pub language: Option<LanguageTag>,
    /// The link, for nobody yet.
    pub link: EnrolmentLink,
    /// The path of the link, encrypted for the outbox.
    pub path: EncryptedSecret,
}

/// What an invitation has led to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invited {
    /// The person who has the role now, new or known before.
    pub user: User,
    /// Whether the person enrols with the link. If not, the link was not stored.
    pub is_linked: bool,
}

string_enum! {
    /// To whom the links of invitations go that are made in the dashboard.
    pub enum LinkDelivery {
        /// The page shows them, and they are sent by e-mail too.
        Shown = "shown",
        /// Only to the invited address, by e-mail: who invites cannot enrol as the person.
        Mailed = "mailed",
        /// Only to the invited address where a second person must approve payouts or refunds; else
        /// the page shows them.
        MailedWhereApproved = "mailed-where-approved",
    }
}

impl LinkDelivery {
    /// Whether a page shows the link of a person. A second person is needed where one must approve
    /// payouts or refunds in an account of the person, in test or live mode.
    #[must_use]
    pub const fn is_shown(self, is_second_person_needed: bool) -> bool {
        match self {
            Self::Shown => true,
            Self::Mailed => false,
            Self::MailedWhereApproved => !is_second_person_needed,
        }
    }
}
