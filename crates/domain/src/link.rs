//! Payment links (docs/reference/links.md): pages at which anybody who has the code opens a
//! checkout session.

mod code;
mod form;
#[cfg(test)]
mod tests;

use super::{
    KeyId, LinkId, Scope,
    branding::Branding,
    idempotency::{RepeatError, canonical},
    privacy::Person,
    store_error::StoreError,
    string_enum,
};
use jiff::Timestamp;
use tua_contract::Amount;

pub use code::LinkCode;
pub use form::{
    ANSWER_MAX_CHARS, DESCRIPTION_MAX_CHARS, LinkFault, LinkField, LinkForm, QUESTION_MAX_CHARS,
    TITLE_MAX_CHARS, stored_link_expiry,
};

string_enum! {
    /// The status of a link.
    pub enum LinkStatus {
        /// It can be paid.
        Open = "OPEN",
        /// The merchant closed it; it can be reopened while its time lasts.
        Closed = "CLOSED",
        /// It can be paid once, and was paid.
        Used = "USED",
        /// Its time is over.
        Expired = "EXPIRED",
    }
}

string_enum! {
    /// How often a link can be paid.
    pub enum LinkUses {
        /// As often as somebody pays.
        Many = "many",
        /// Once. Over all its sessions at most one charge is not FAILED.
        Single = "single",
    }
}

/// The amount that payers of a link pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkAmount {
    /// Exactly this amount, which the payer cannot change.
    Fixed(Amount),
    /// What the payer types, between these limits.
    Open {
        /// The smallest amount that the payer may type; `None` for no limit of its own.
        min: Option<Amount>,
        /// The largest amount that the payer may type; `None` for no limit of its own.
        max: Option<Amount>,
    },
}

impl LinkAmount {
    /// Whether the link takes this amount.
    #[must_use]
    pub fn takes(&self, amount: Amount) -> bool {
        match *self {
            Self::Fixed(fixed) => fixed == amount,
            Self::Open { min, max } => {
                min.is_none_or(|min| amount >= min) && max.is_none_or(|max| amount <= max)
            }
        }
    }

    /// The amount, if it is fixed; `None` where the payer types it.
    #[must_use]
    pub const fn fixed(&self) -> Option<Amount> {
        match self {
            Self::Fixed(amount) => Some(*amount),
            Self::Open { .. } => None,
        }
    }

    /// The limits of an open amount.
    #[must_use]
    pub const fn limits(&self) -> (Option<Amount>, Option<Amount>) {
        match self {
            Self::Fixed(_) => (None, None),
            Self::Open { min, max } => (*min, *max),
        }
    }
}

/// The terms of a link, which the merchant sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkTerms {
    /// What it is for, as payers read it.
    pub title: String,
    /// What payers read below the title, at most 500 characters; `None` for nothing.
    pub description: Option<String>,
    /// The amount that is paid: fixed, or typed by the payer.
    pub amount: LinkAmount,
    /// Whether it can be paid many times, or once.
    pub uses: LinkUses,
    /// When it ends; `None` for never.
    pub expires_at: Option<Timestamp>,
    /// The merchant's JSON object, as text. Its sessions take it over.
    pub metadata: Option<String>,
    /// What payers answer before they pay, at most 60 characters; `None` for no question.
    pub question: Option<String>,
}

/// A parsed request for a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewLink {
    /// The merchant's reference; generated where there is none.
    pub reference: Option<String>,
    /// What the merchant asks for.
    pub terms: LinkTerms,
}

impl NewLink {
    /// The fields that tell two requests apart, as [`super::idempotency::Fingerprint::of`] takes
    /// them. The question is there only where one is asked: other requests keep the fingerprint of
    /// earlier versions.
    #[must_use]
    pub fn fingerprint_fields(&self) -> Vec<Option<String>> {
        let LinkTerms { title, description, amount, uses, expires_at, metadata, question } =
            &self.terms;
        let (min, max) = amount.limits();
        let text = |amount: Option<Amount>| amount.map(|amount| amount.to_string());
        let mut fields = vec![
            Some(title.clone()),
            description.clone(),
            text(amount.fixed()),
            text(min),
            text(max),
            Some(uses.as_str().to_owned()),
            expires_at.map(|at| at.to_string()),
            self.reference.clone(),
            metadata.as_deref().map(canonical),
        ];
        fields.extend(question.clone().map(Some));
        fields
    }
}

/// A payment link, from which each payer opens a checkout session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// `lnk_…`, minted when the link is created. Payers read the code instead.
    pub id: LinkId,
    /// The account and mode that it belongs to.
    pub scope: Scope,
    /// The 8 characters that end its address (`/l/…`), and that payers may type.
    pub code: LinkCode,
    /// The merchant's reference, which its sessions take over.
    pub reference: String,
    /// What the merchant asks for.
    pub terms: LinkTerms,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was closed. `None` again once it is reopened.
    pub closed_at: Option<Timestamp>,
    /// When a link for one payment was paid.
    pub used_at: Option<Timestamp>,
    /// The key that created it; none if a person or the command line did.
    pub created_by: Option<KeyId>,
}

impl Link {
    /// Its status at this time. A link for one payment stays used once it was paid.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> LinkStatus {
        if self.used_at.is_some() {
            LinkStatus::Used
        } else if self.closed_at.is_some() {
            LinkStatus::Closed
        } else if self.is_expired(now) {
            LinkStatus::Expired
        } else {
            LinkStatus::Open
        }
    }

    /// Whether its time is over: from exactly `expires_at` on.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.terms.expires_at.is_some_and(|at| now >= at)
    }

    /// The address of its page, at a service with this URL.
    #[must_use]
    pub fn address(&self, public_url: &str) -> String {
        format!("{public_url}/l/{}", self.code)
    }

    /// Whether one of its texts names a person.
    #[must_use]
    pub fn names(&self, person: &Person) -> bool {
        let texts = [
            Some(&self.terms.title),
            self.terms.description.as_ref(),
            self.terms.metadata.as_ref(),
            self.terms.question.as_ref(),
        ];
        texts.into_iter().flatten().chain([&self.reference]).any(|text| person.is_named_in(text))
    }

    /// The link with each mention of a person overwritten. Metadata that names the person is
    /// removed.
    #[must_use]
    pub fn overwritten(&self, person: &Person) -> Self {
        let mut link = self.clone();
        link.reference = person.overwritten(&link.reference);
        link.terms.title = person.overwritten(&link.terms.title);
        link.terms.description = link.terms.description.map(|text| person.overwritten(&text));
        link.terms.question = link.terms.question.map(|text| person.overwritten(&text));
        link.terms.metadata = link.terms.metadata.filter(|text| !person.is_named_in(text));
        link
    }

    /// The link as it was created, which a repeated request for it shows.
    #[must_use]
    pub fn as_created(self) -> Self {
        Self { closed_at: None, used_at: None, ..self }
    }

    /// The link after a change; `None` if the change changes nothing.
    ///
    /// # Errors
    /// [`ChangeLinkError::NotReopenable`].
    pub fn changed(
        &self,
        change: LinkChange,
        now: Timestamp,
    ) -> Result<Option<Self>, ChangeLinkError> {
        let status = self.status(now);
        match change {
            LinkChange::Close => {
                Ok((status == LinkStatus::Open)
                    .then(|| Self { closed_at: Some(now), ..self.clone() }))
            }
            LinkChange::Reopen if status == LinkStatus::Open => Ok(None),
            LinkChange::Reopen if status == LinkStatus::Closed && !self.is_expired(now) => {
                Ok(Some(Self { closed_at: None, ..self.clone() }))
            }
            LinkChange::Reopen if status == LinkStatus::Used => {
                Err(ChangeLinkError::NotReopenable(status))
            }
            LinkChange::Reopen => Err(ChangeLinkError::NotReopenable(LinkStatus::Expired)),
        }
    }
}

/// The number and the sum of a link's payments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkTotals {
    /// How many charges of it are SUCCESSFUL.
    pub payments: u64,
    /// Their sum, in pesewas.
    pub paid_pesewas: i64,
    /// How many charges of it are PENDING.
    pub pending: u64,
}

/// A link with its payments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkWithTotals {
    /// The link as it is stored now.
    pub link: Link,
    /// Counts and sum of the charges that its sessions brought.
    pub totals: LinkTotals,
}

/// A link as its page needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicLink {
    /// The link, which may be closed, used or expired.
    pub link: Link,
    /// The merchant's name, as payers read it.
    pub merchant: String,
    /// The looks of the merchant's pages.
    pub branding: Branding,
    /// Whether payers with an e-mail address get receipts.
    pub sends_receipts: bool,
    /// Whether the merchant's account is suspended.
    pub is_suspended: bool,
    /// Whether a charge of a link for one payment is PENDING.
    pub is_in_use: bool,
}

/// Which page of a list of links to read, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkPageRequest {
    /// The maximum number of links.
    pub limit: u32,
    /// The last link of the previous page. Ids sort by time.
    pub after: Option<LinkId>,
}

/// A change of a link. Both can be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkChange {
    /// It takes no further payment, and its open sessions are closed.
    Close,
    /// It takes payments again. Its earlier sessions stay closed.
    Reopen,
}

/// Why a link was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateLinkError {
    /// The key was revoked since it was checked.
    #[error("the key was revoked")]
    KeyRevoked,
    /// The account is suspended.
    #[error("this account is suspended")]
    AccountSuspended,
    /// Its end is not in the future.
    #[error("the link would have ended already")]
    EndIsPast,
    /// Another link has this code. A link with a new code can be created.
    #[error("another link has this code")]
    CodeTaken,
    /// The idempotency key was used before.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// The store failed. The variant of [`StoreError`] shows whether the link may have been
    /// written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a link was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeLinkError {
    /// There is no such link in this account and mode.
    #[error("there is no such link")]
    NotFound,
    /// It was paid, or its time is over.
    #[error("it is {}, and such a link is not opened again", .0.as_str())]
    NotReopenable(LinkStatus),
    /// The store failed. The variant of [`StoreError`] shows whether the change may have been
    /// written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
