//! Identifiers: a prefix for the kind, and a UUID.

use std::{fmt, ops::Range, time::Duration};
use uuid::{Builder, Uuid};

macro_rules! id {
    ($(#[doc = $doc:literal])+ $name:ident, $prefix:literal) => {
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(String);

        impl $name {
            /// What every such identifier begins with.
            pub const PREFIX: &str = $prefix;

            /// A new identifier. Identifiers sort by the time of their creation (RFC 9562, version
            /// 7).
            #[must_use]
            pub fn mint() -> Self {
                Self(format!(concat!($prefix, "{}"), Uuid::now_v7().simple()))
            }

            /// An identifier from a path or a row. It may name nothing; the store decides that.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The identifier as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// Names an account: `acc_…`.
    AccountId, "acc_"
}
id! {
    /// Names a secret key, without being one: `key_…`.
    KeyId, "key_"
}
id! {
    /// Names a checkout session: `chk_…`.
    CheckoutId, "chk_"
}
id! {
    /// Names a payment link: `lnk_…`. Payers read its code instead.
    LinkId, "lnk_"
}
id! {
    /// Names a transaction: `txn_…`.
    TransactionId, "txn_"
}
id! {
    /// Names a batch of payouts: `bat_…`.
    BatchId, "bat_"
}

id! {
    /// Names a passkey of a person: `psk_…`.
    PasskeyId, "psk_"
}

id! {
    /// Names the link between a person and an identity at a sign-in provider: `idn_…`.
    IdentityId, "idn_"
}

id! {
    /// Names an operator that people connected in the dashboard: `opr_…`. No operator of the
    /// settings has such a name, because theirs have no underscore.
    ConnectedOperatorId, "opr_"
}

impl DeliveryId {
    /// A lower bound of the identifiers that are minted from now on, and of those that were minted
    /// within this time before.
    #[must_use]
    pub fn lower_bound(before: Duration) -> Self {
        Self::first_of(Self::time_of_next().saturating_sub(before))
    }

    /// The identifiers of the deliveries of an event with this id (`webhook-id`): they are minted
    /// right after it. `None` if the text is no such id.
    #[must_use]
    pub fn range_of_event(webhook_id: &str) -> Option<Range<Self>> {
        // A process that is stopped between the two may need so long.
        const LONGEST_PAUSE: Duration = Duration::from_secs(10);
        let minted = time_of_id(webhook_id).filter(|_| webhook_id.starts_with("msg_"))?;
        Some(Self::first_of(minted)..Self::first_of(minted + LONGEST_PAUSE))
    }

    /// The time since 1970, in whole milliseconds, that identifiers have which are minted now.
    #[must_use]
    pub fn time_of_next() -> Duration {
        minted_at(Uuid::now_v7()).unwrap_or_default()
    }

    /// The identifier with this UUID.
    #[must_use]
    pub fn of_uuid(uuid: Uuid) -> Self {
        Self(format!("{}{}", Self::PREFIX, uuid.simple()))
    }

    /// The lowest identifier that can be minted at this time since 1970.
    fn first_of(since_epoch: Duration) -> Self {
        let milliseconds = u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX);
        Self::of_uuid(Builder::from_unix_timestamp_millis(milliseconds, &[0; 10]).into_uuid())
    }
}

/// The time since 1970 at which an identifier was minted, in whole milliseconds. `None` if the text
/// is no identifier.
pub fn time_of_id(id: &str) -> Option<Duration> {
    let (_, uuid) = id.split_once('_')?;
    minted_at(Uuid::try_parse(uuid).ok()?)
}

/// The time since 1970 at which a UUID of version 7 was minted, in whole milliseconds.
fn minted_at(uuid: Uuid) -> Option<Duration> {
    let (seconds, nanoseconds) = uuid.get_timestamp()?.to_unix();
    Some(Duration::from_millis(seconds * 1_000 + u64::from(nanoseconds / 1_000_000)))
}

impl BatchId {
    /// An identifier that a form returns; `None` if it has not the form of a batch's identifier.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_minted(text, Self::PREFIX).then(|| Self::new(text))
    }
}

impl ConnectedOperatorId {
    /// The identifier after one that was minted, of an operator or account, with these random bits:
    /// it sorts behind the other, and is always the same one.
    #[must_use]
    pub fn after(earlier: &str, random: [u8; 10]) -> Self {
        let milliseconds = time_of_id(earlier).unwrap_or_default().as_millis();
        let next = u64::try_from(milliseconds).unwrap_or(u64::MAX).saturating_add(1);
        let uuid = Builder::from_unix_timestamp_millis(next, &random).into_uuid();
        Self(format!("{}{}", Self::PREFIX, uuid.simple()))
    }

    /// An identifier that a form returns; `None` if it has not the form of one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_minted(text, Self::PREFIX).then(|| Self::new(text))
    }
}

/// Whether a text has the form of the identifiers that begin with this prefix.
fn is_minted(text: &str, prefix: &str) -> bool {
    let uuid = text.strip_prefix(prefix).and_then(|uuid| Uuid::try_parse(uuid).ok());
    uuid.is_some_and(|uuid| format!("{prefix}{}", uuid.simple()) == text)
}

impl TransactionId {
    /// Our name for the transaction at its operator: the id's own UUID, marked as one of version 4,
    /// the form that every operator we know accepts. So it needs no place in the store, where
    /// random names would cost a page each.
    #[must_use]
    pub fn operator_reference(&self) -> String {
        let minted = self.0.strip_prefix("txn_").and_then(|uuid| Uuid::try_parse(uuid).ok());
        minted.map_or_else(
            || self.0.clone(),
            |uuid| marked(uuid, uuid::Version::Random).hyphenated().to_string(),
        )
    }

    /// The transaction with exactly this operator reference. `None` for every other spelling of the
    /// same UUID: an operator may hold orders under several spellings, and only one of them is
    /// ours.
    #[must_use]
    pub fn of_operator_reference(reference: &str) -> Option<Self> {
        let uuid = Uuid::try_parse(reference).ok()?;
        let id = Self(format!("txn_{}", marked(uuid, uuid::Version::SortRand).simple()));
        (id.operator_reference() == reference).then_some(id)
    }

    /// The transaction with this operator reference, as it stands in operators' files: also without
    /// hyphens, as it is sent to an operator that takes letters and digits only.
    #[must_use]
    pub fn of_written_reference(text: &str) -> Option<Self> {
        Self::of_operator_reference(text).or_else(|| Self::of_compact_reference(text))
    }

    /// The transaction with this operator reference without its hyphens. `None` for every other
    /// spelling.
    #[must_use]
    pub fn of_compact_reference(text: &str) -> Option<Self> {
        const COMPACT_LENGTH: usize = uuid::fmt::Simple::LENGTH;
        let uuid = Uuid::try_parse(text).ok().filter(|_| text.len() == COMPACT_LENGTH)?;
        let is_canonical = uuid.simple().to_string() == text;
        Self::of_operator_reference(&uuid.hyphenated().to_string()).filter(|_| is_canonical)
    }
}

/// The same bits with another version's mark.
fn marked(uuid: Uuid, version: uuid::Version) -> Uuid {
    Builder::from_bytes(uuid.into_bytes()).with_version(version).into_uuid()
}

id! {
    /// Names a webhook endpoint: `whe_…`.
    EndpointId, "whe_"
}
id! {
    /// Names one event for one endpoint: `whd_…`.
    DeliveryId, "whd_"
}
id! {
    /// Names an e-mail in the outbox: `mail_…`.
    MailId, "mail_"
}
id! {
    /// Names a chat or a server to which alerts are sent: `alc_…`.
    ChannelId, "alc_"
}
id! {
    /// Names a statement of an operator: `stm_…`.
    StatementId, "stm_"
}
id! {
    /// Names a person who uses the dashboard: `usr_…`.
    UserId, "usr_"
}
id! {
    /// Names a session of the dashboard, without giving access to it: `ses_…`.
    SessionId, "ses_"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_a_uuid_of_version_4_and_leads_back_to_its_transaction() {
        let id = TransactionId::mint();
        let reference = id.operator_reference();
        let uuid = Uuid::try_parse(&reference).unwrap();
        assert_eq!(
            (uuid.get_version_num(), uuid.get_variant(), reference.len()),
            (4, uuid::Variant::RFC4122, 36)
        );
        assert_eq!(TransactionId::of_operator_reference(&reference), Some(id));
        assert_eq!(TransactionId::of_operator_reference("not one of ours"), None);
    }

    #[test]
    fn another_spelling_of_a_reference_is_not_ours() {
        let id = TransactionId::mint();
        let reference = id.operator_reference();
        let compact = reference.replace('-', "");
        let other_version =
            |version: &str| format!("{}{version}{}", &reference[..14], &reference[15..]);
        for other in [
            compact.clone(),
            reference.to_uppercase(),
            format!("{{{reference}}}"),
            format!("urn:uuid:{reference}"),
            other_version("7"),
            other_version("1"),
            format!(" {reference}"),
            format!("{reference}\n"),
        ] {
            assert_eq!(TransactionId::of_operator_reference(&other), None, "{other:?}");
            let is_compact = other == compact;
            let written = TransactionId::of_written_reference(&other);
            assert_eq!(written, is_compact.then(|| id.clone()), "{other:?}");
            assert_eq!(TransactionId::of_compact_reference(&other), written, "{other:?}");
        }
        assert_eq!(TransactionId::of_written_reference(&compact.to_uppercase()), None);
        assert_eq!(TransactionId::of_written_reference(&reference), Some(id));
    }

    #[test]
    fn references_sort_as_their_transactions_do() {
        let ids: Vec<TransactionId> = (0..1000).map(|_| TransactionId::mint()).collect();
        assert!(ids.iter().map(TransactionId::operator_reference).is_sorted() && ids.is_sorted());
    }
}
