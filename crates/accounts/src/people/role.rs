//! Roles, and what they permit. `docs/reference/dashboard.md` shows the same table; a test compares
//! the two.

use crate::{KeyScope, string_enum};

string_enum! {
    /// What a person may do in an account ([`Role::may`] has the exact permissions).
    pub enum Role {
        /// Has every permission, and is the only role that manages owners.
        Owner = "owner",
        /// May do everything, except add, change and remove owners.
        Admin = "admin",
        /// Reads payments, but no payouts; reads operators and the audit log; manages webhooks, and
        /// keys that move no money out. A key or an endpoint of the person's own could still read
        /// the payouts.
        Developer = "developer",
        /// Reads, exports, checks and refunds payments; asks payers for money; decides about
        /// payouts and reviews; manages payment links and statements; closes checkout sessions;
        /// reads operators.
        Finance = "finance",
        /// Reads and exports payments and payouts; reads and imports statements, and closes days;
        /// reads operators. Moves no money.
        Accountant = "accountant",
        /// Reads payments, but no payouts; reads operators and webhooks; asks operators about
        /// payments, closes checkout sessions and resends webhook deliveries.
        Support = "support",
        /// Reads payments and checkout sessions, but no payouts, and changes nothing.
        Viewer = "viewer",
        /// Asks payers for money and sees the charges of the day, and nothing else: for the phone
        /// that people at a counter share.
        Till = "till",
    }
}

string_enum! {
    /// What a route of the dashboard needs.
    pub enum Permission {
        /// Read payments, checkout sessions and their figures.
        ReadPayments = "payments.read",
        /// Ask payers for money, and read the charges of the day.
        AskPayments = "payments.ask",
        /// Download payments as a file.
        ExportPayments = "payments.export",
        /// Ask an operator about a payment now.
        CheckPayments = "payments.check",
        /// Decide about payments that are flagged for review.
        SettlePayments = "payments.settle",
        /// Return payments to their payers.
        RefundPayments = "payments.refund",
        /// Close checkout sessions, so that they take no new charge.
        CloseCheckouts = "checkouts.close",
        /// Create, close and reopen payment links.
        ManageLinks = "links.manage",
        /// Read payouts, batches and their recipients. Refunds are of payments.
        ReadPayouts = "payouts.read",
        /// Approve, refuse and cancel payouts.
        DecidePayouts = "payouts.decide",
        /// Read and import statements of operators, and close days.
        ManageStatements = "statements.manage",
        /// Read webhook endpoints and deliveries.
        ReadWebhooks = "webhooks.read",
        /// Send webhook deliveries again.
        ResendWebhooks = "webhooks.resend",
        /// Add, change and remove webhook endpoints.
        ManageWebhooks = "webhooks.manage",
        /// Read operators, routes and breakers.
        ReadOperators = "operators.read",
        /// Connect operators, replace their credentials, choose what they serve, and remove them.
        ManageOperators = "operators.manage",
        /// Read, create and revoke secret keys.
        ManageKeys = "keys.manage",
        /// Read people; invite them, change their roles and remove them.
        ManagePeople = "people.manage",
        /// As `people.manage`, for owners.
        ManageOwners = "owners.manage",
        /// Read and verify the audit log.
        ReadAuditLog = "audit.read",
        /// Change the account's name and the limits of its payouts.
        ManageSettings = "settings.manage",
        /// Set up the mail server of the account, through which invitations of owners go too.
        ManageMail = "mail.manage",
    }
}

impl Permission {
    /// What a person needs to make keys with this scope: such a key may do it without the person.
    #[must_use]
    pub const fn for_keys_with(scope: KeyScope) -> Self {
        match scope {
            KeyScope::Payout => Self::DecidePayouts,
            KeyScope::Refund => Self::RefundPayments,
            KeyScope::Webhooks => Self::ManageWebhooks,
            KeyScope::Collect | KeyScope::Read => Self::ManageKeys,
        }
    }
}

impl Role {
    /// Whether a person with this role may do this.
    #[must_use]
    pub const fn may(self, permission: Permission) -> bool {
        use Permission as P;
        match self {
            Self::Owner => true,
            Self::Admin => !matches!(permission, P::ManageOwners | P::ManageMail),
            Self::Developer => matches!(
                permission,
                P::ReadPayments
                    | P::ReadWebhooks
                    | P::ResendWebhooks
                    | P::ManageWebhooks
                    | P::ReadOperators
                    | P::ManageKeys
                    | P::ReadAuditLog
            ),
            Self::Finance => matches!(
                permission,
                P::ReadPayments
                    | P::AskPayments
                    | P::ExportPayments
                    | P::CheckPayments
                    | P::SettlePayments
                    | P::RefundPayments
                    | P::CloseCheckouts
                    | P::ManageLinks
                    | P::ReadPayouts
                    | P::DecidePayouts
                    | P::ManageStatements
                    | P::ReadOperators
            ),
            Self::Accountant => matches!(
                permission,
                P::ReadPayments
                    | P::ExportPayments
                    | P::ReadPayouts
                    | P::ManageStatements
                    | P::ReadOperators
            ),
            Self::Support => matches!(
                permission,
                P::ReadPayments
                    | P::CheckPayments
                    | P::CloseCheckouts
                    | P::ReadWebhooks
                    | P::ResendWebhooks
                    | P::ReadOperators
            ),
            Self::Viewer => matches!(permission, P::ReadPayments),
            Self::Till => matches!(permission, P::AskPayments),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_table_is_the_one_of_the_code() {
        let document = include_str!("../../../../docs/reference/dashboard.md");
        for permission in Permission::ALL {
            let cells =
                Role::ALL.iter().map(|role| if role.may(*permission) { "yes" } else { "–" });
            let row = format!(
                "| `{}` | {} |",
                permission.as_str(),
                cells.collect::<Vec<_>>().join(" | ")
            );
            assert!(
                document.contains(&row),
                "docs/reference/dashboard.md has no row that begins with: {row}"
            );
        }
    }
}
