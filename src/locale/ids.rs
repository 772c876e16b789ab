//! The identifiers of all texts, one variant each.

macro_rules! texts {
    ($($variant:ident = $id:literal,)+) => {
        /// A text that the payer reads, named by the place where it is shown.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[expect(missing_docs, reason = "the identifier describes each variant")]
        pub enum Text {
            $($variant,)+
        }

        impl Text {
            /// Every text, in the order of the variants.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// A hash of the identifiers (FNV-1a of each, with a line feed). A list of texts that
            /// was written for other identifiers has another stamp, and is rejected.
            pub const STAMP: u32 = stamp(&[$($id),+]);

            /// The identifier that the language files use.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$variant => $id,)+
                }
            }
        }
    };
}

texts! {
    Language = "language",
    Direction = "direction",
    LoaderFailed = "loader.failed",
    LoaderOpen = "loader.open",
    CheckoutLabel = "checkout.label",
    ModeTest = "mode.test",
    FormPhone = "form.phone",
    FormPhoneExample = "form.phone_example",
    FormNetwork = "form.network",
    FormPay = "form.pay",
    FormFee = "form.fee",
    FormQueued = "form.queued",
    FormSending = "form.sending",
    FormChecking = "form.checking",
    FormPin = "form.pin",
    FormAttempts = "form.attempts",
    FormExhausted = "form.exhausted",
    NetworkMtn = "network.mtn",
    NetworkMtnWallet = "network.mtn_wallet",
    NetworkTelecel = "network.telecel",
    NetworkTelecelWallet = "network.telecel_wallet",
    NetworkAirteltigo = "network.airteltigo",
    NetworkAirteltigoWallet = "network.airteltigo_wallet",
    NetworkDown = "network.down",
    NetworkEnded = "network.ended",
    NetworkAllDown = "network.all_down",
    NetworkAllDownText = "network.all_down_text",
    FaultPhoneEmpty = "fault.phone_empty",
    FaultPhoneDigits = "fault.phone_digits",
    FaultPhoneLength = "fault.phone_length",
    FaultPhoneCountry = "fault.phone_country",
    FaultNetworkEmpty = "fault.network_empty",
    FaultCodeEmpty = "fault.code_empty",
    FaultCodeLength = "fault.code_length",
    FaultCodeSigns = "fault.code_signs",
    NoticeNotSent = "notice.not_sent",
    NoticeNetworkUnavailable = "notice.network_unavailable",
    NoticeNetworkEnded = "notice.network_ended",
    NoticePriceChanged = "notice.price_changed",
    NoticeAccountSuspended = "notice.account_suspended",
    NoticeLinkInUse = "notice.link_in_use",
    NoticeTooMany = "notice.too_many",
    NoticeOffline = "notice.offline",
    NoticeRefused = "notice.refused",
    WaitingApprove = "waiting.approve",
    WaitingApproveText = "waiting.approve_text",
    WaitingOutcome = "waiting.outcome",
    WaitingOutcomeText = "waiting.outcome_text",
    WaitingTimeLeft = "waiting.time_left",
    WaitingCheck = "waiting.check",
    WaitingCheckOutcome = "waiting.check_outcome",
    WaitingOffline = "waiting.offline",
    WaitingBusy = "waiting.busy",
    WaitingHelp = "waiting.help",
    WaitingHelpMtn = "waiting.help_mtn",
    WaitingHelpTelecel = "waiting.help_telecel",
    WaitingHelpAirteltigo = "waiting.help_airteltigo",
    WaitingWrong = "waiting.wrong",
    WaitingWrongText = "waiting.wrong_text",
    CodeVoucher = "code.voucher",
    CodeVoucherText = "code.voucher_text",
    CodeOtp = "code.otp",
    CodeOtpText = "code.otp_text",
    CodeVoucherField = "code.voucher_field",
    CodeOtpField = "code.otp_field",
    CodeSend = "code.send",
    CodeSending = "code.sending",
    CodeWrong = "code.wrong",
    CodeWrongLeft = "code.wrong_left",
    CodeNotSent = "code.not_sent",
    CodeRefused = "code.refused",
    PaidTitle = "paid.title",
    PaidText = "paid.text",
    PaidTextShort = "paid.text_short",
    PaidReturn = "paid.return",
    ReceiptAmount = "receipt.amount",
    ReceiptPaid = "receipt.paid",
    ReceiptMerchant = "receipt.merchant",
    ReceiptPhone = "receipt.phone",
    ReceiptNetwork = "receipt.network",
    ReceiptOperatorId = "receipt.operator_id",
    ReceiptDate = "receipt.date",
    ReceiptReference = "receipt.reference",
    ReceiptCopy = "receipt.copy",
    ReceiptCopied = "receipt.copied",
    ReceiptNotCopied = "receipt.not_copied",
    ReceiptPrint = "receipt.print",
    FailedTitle = "failed.title",
    FailedNothingTaken = "failed.nothing_taken",
    FailedAgain = "failed.again",
    FailedChange = "failed.change",
    FailedInsufficientFunds = "failed.insufficient_funds",
    FailedCustomerRejected = "failed.customer_rejected",
    FailedApprovalTimeout = "failed.approval_timeout",
    FailedWrongPin = "failed.wrong_pin",
    FailedOtpAttemptsExhausted = "failed.otp_attempts_exhausted",
    FailedPayerNotFound = "failed.payer_not_found",
    FailedPayerLimit = "failed.payer_limit",
    FailedNotSent = "failed.not_sent",
    FailedPayerBusy = "failed.payer_busy",
    FailedNetworkUnavailable = "failed.network_unavailable",
    FailedOperatorRefused = "failed.operator_refused",
    FailedUnspecified = "failed.unspecified",
    ExpiredOpen = "expired.open",
    ExpiredOpenText = "expired.open_text",
    ExpiredPending = "expired.pending",
    ExpiredPendingText = "expired.pending_text",
    ExpiredClosed = "expired.closed",
    LoadingText = "loading.text",
    InvalidTitle = "invalid.title",
    InvalidText = "invalid.text",
    UnreachableTitle = "unreachable.title",
    UnreachableText = "unreachable.text",
    UnreachableBusy = "unreachable.busy",
    UnreachableAgain = "unreachable.again",
}

const fn stamp(ids: &[&str]) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < ids.len() {
        let id = ids[at].as_bytes();
        let mut byte = 0;
        while byte < id.len() {
            hash = (hash ^ id[byte] as u32).wrapping_mul(0x0100_0193);
            byte += 1;
        }
        hash = (hash ^ 0x0a).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}
