//! The kinds of changes that the audit log has.

use crate::string_enum;

string_enum! {
    /// The kind of a change, `<what>.<what happened>` in its written form.
    pub enum Action {
        /// An account was created.
        AccountCreated = "account.created",
        /// An account was suspended.
        AccountSuspended = "account.suspended",
        /// A suspended account was resumed.
        AccountResumed = "account.resumed",
        /// An account got another name.
        AccountRenamed = "account.renamed",
        /// An account got another accent colour or logo.
        AccountBranded = "account.branded",
        /// Receipts of an account were turned on or off.
        AccountReceiptsSet = "account.receipts_set",
        /// A secret key was created.
        KeyCreated = "key.created",
        /// A secret key got a successor, and expires.
        KeyRotated = "key.rotated",
        /// A secret key was revoked.
        KeyRevoked = "key.revoked",
        /// People connected an operator.
        OperatorConnected = "operator.connected",
        /// A check accepted the credentials of a connected operator.
        OperatorAccepted = "operator.accepted",
        /// A connected operator got other credentials, which wait for their check.
        OperatorReplaced = "operator.replaced",
        /// A connected operator serves other networks or directions.
        OperatorRouted = "operator.routed",
        /// A connected operator was removed: it serves nothing new.
        OperatorRetired = "operator.retired",
        /// A webhook endpoint was added.
        WebhookAdded = "webhook.added",
        /// A webhook endpoint got a new secret.
        WebhookRotated = "webhook.rotated",
        /// A webhook endpoint was disabled: by a person, or because it responded 410.
        WebhookDisabled = "webhook.disabled",
        /// A webhook endpoint was enabled.
        WebhookEnabled = "webhook.enabled",
        /// A webhook endpoint was removed.
        WebhookRemoved = "webhook.removed",
        /// A chat or a server was added, to which alerts are sent.
        ChannelAdded = "alert_channel.added",
        /// A chat or a server is told about other alerts.
        ChannelTopicsSet = "alert_channel.topics_set",
        /// A chat or a server gets no alerts any more.
        ChannelRemoved = "alert_channel.removed",
        /// Settings of a mail server were stored, which wait for their test.
        MailServerStored = "mail_server.stored",
        /// A test was sent, and e-mail of the account goes through the mail server.
        MailServerAccepted = "mail_server.accepted",
        /// The mail server of an account was removed.
        MailServerRemoved = "mail_server.removed",
        /// A delivery was made due again.
        DeliveryReplayed = "delivery.replayed",
        /// A checkout session was closed.
        CheckoutClosed = "checkout.closed",
        /// The time of a test session was ended.
        CheckoutExpired = "checkout.expired",
        /// The sandbox clock of an account was advanced.
        SandboxClockAdvanced = "sandbox_clock.advanced",
        /// A payment link was created.
        LinkCreated = "link.created",
        /// A payment link was closed.
        LinkClosed = "link.closed",
        /// A payment link was opened again.
        LinkReopened = "link.reopened",
        /// A flagged transaction was settled by a person.
        ReviewSettled = "review.settled",
        /// The limits of an account's payouts were changed.
        PayoutLimitsChanged = "payout_limits.changed",
        /// A person asked to lift limits, which waits for a second person.
        LimitLiftRequested = "limit_lift.requested",
        /// A second person refused to lift limits.
        LimitLiftRefused = "limit_lift.refused",
        /// A payout was approved.
        PayoutApproved = "payout.approved",
        /// A payment that looked unsent after a restored backup was found at an operator.
        PaymentFound = "payment.found",
        /// A payout was refused.
        PayoutRefused = "payout.refused",
        /// A person began a batch of payouts.
        PayoutBatchBegun = "payout_batch.begun",
        /// A person got a role in an account, or another one.
        RoleSet = "role.set",
        /// A person was removed from an account.
        RoleRemoved = "role.removed",
        /// A link was made with which a person enrols.
        EnrolmentLinkCreated = "enrolment_link.created",
        /// A person enrolled: set a password, one-time codes and recovery codes.
        UserEnrolled = "user.enrolled",
        /// A person changed the own password.
        PasswordChanged = "password.changed",
        /// A person got new recovery codes.
        RecoveryCodesReplaced = "recovery_codes.replaced",
        /// A person signed in.
        SessionBegun = "session.begun",
        /// A person signed in with a browser that was not known of the person.
        SessionBegunOnNewDevice = "session.begun_on_new_device",
        /// A password was right, and the code beside it was not.
        CodeRefused = "session.code_refused",
        /// A person ended a session.
        SessionEnded = "session.ended",
        /// A session was ended because of wrong PINs.
        SessionLockedOut = "session.locked_out",
        /// A session got a PIN, or another one.
        TillPinSet = "till_pin.set",
        /// The PIN of a session was removed.
        TillPinRemoved = "till_pin.removed",
        /// A person added a passkey.
        PasskeyAdded = "passkey.added",
        /// A person removed a passkey.
        PasskeyRemoved = "passkey.removed",
        /// An identity at a sign-in provider was linked to a person.
        IdentityLinked = "identity.linked",
        /// An identity at a sign-in provider was removed from a person.
        IdentityRemoved = "identity.removed",
        /// A person chose how often reports are sent.
        ReportsChosen = "reports.chosen",
        /// A person chose what to be told about an account by e-mail.
        AlertsChosen = "alerts.chosen",
        /// Transactions were exported as a table.
        TransactionsExported = "transactions.exported",
        /// The sums of the ledger by day were exported as a table.
        SummaryExported = "summary.exported",
        /// The totals of all days were computed again.
        TotalsRecounted = "totals.recounted",
        /// A statement of an operator was imported.
        StatementImported = "statement.imported",
        /// A statement was imported again for other days than before.
        StatementDaysChanged = "statement_days.changed",
        /// An import that was cut off was removed.
        StatementAbandoned = "statement.abandoned",
        /// A day of an operator was closed.
        DayClosed = "day.closed",
        /// A person asked a payer for money.
        ChargeRequested = "charge.requested",
        /// A person asked for a refund.
        RefundRequested = "refund.requested",
        /// A person asked for a payout.
        PayoutRequested = "payout.requested",
        /// A person cancelled a payout.
        PayoutCancelled = "payout.cancelled",
        /// The server key got a next version.
        ServerKeyRotated = "server_key.rotated",
        /// What names a person was overwritten.
        PrivacyErased = "privacy.erased",
        /// A backup was restored.
        DatabaseRestored = "database.restored",
        /// The service started with other settings than the last time.
        SettingsChanged = "settings.changed",
    }
}
