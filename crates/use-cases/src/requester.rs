//! Who asks for a refund, a payout or a batch of payouts.

use tua_domain::{Caller, KeyId, Scope, SecretKey, audit::AuditContext};

/// Who asks for a refund.
#[derive(Clone, Debug)]
pub enum Requester {
    /// A merchant's server, with this secret key.
    Key(SecretKey),
    /// A person in the dashboard, about the payments of this account and mode.
    Person(Scope, AuditContext),
    /// A person on the command line.
    CommandLine(CommandLineRequester),
}

/// A person on the command line, about the payments of an account and mode. A command may end at
/// any moment, so it sends no order: what it begins is due at once, and the running service sends
/// it.
#[derive(Clone, Debug)]
pub struct CommandLineRequester {
    /// The account and mode.
    pub scope: Scope,
    /// The system user, and the name that was given.
    pub by: AuditContext,
}

impl CommandLineRequester {
    /// Whose idempotency keys it uses: those of the commands about this account and mode.
    pub(super) fn holder(&self) -> String {
        format!("{}/{}/command-line", self.scope.account, self.scope.mode.as_str())
    }
}

impl Requester {
    /// Whose idempotency keys it uses.
    pub(super) fn holder(&self) -> String {
        match self {
            Self::Key(key) => Caller::Key(key.clone()).holder(),
            Self::Person(scope, _) => dashboard_holder(scope),
            Self::CommandLine(requester) => requester.holder(),
        }
    }

    /// The key that asks.
    pub(super) fn key(&self) -> Option<&KeyId> {
        match self {
            Self::Key(key) => Some(&key.id),
            Self::Person(..) | Self::CommandLine(_) => None,
        }
    }

    /// The person who asks.
    pub(super) const fn person(&self) -> Option<&AuditContext> {
        match self {
            Self::Key(_) => None,
            Self::Person(_, by) | Self::CommandLine(CommandLineRequester { by, .. }) => Some(by),
        }
    }
}

/// Whose idempotency keys the forms of the dashboard use: those of this account and mode.
pub(super) fn dashboard_holder(scope: &Scope) -> String {
    format!("{}/{}/dashboard", scope.account, scope.mode.as_str())
}
