//! The columns of the database that hold personal data, why each is kept and for how long.

/// An item of personal data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// The number of a wallet.
    Phone,
    /// The e-mail address of a payer or recipient.
    Email,
    /// The merchant's own data, which may name the payer.
    Metadata,
    /// What the payer answered to the question of a payment link, such as a pupil's name.
    Answer,
    /// A text to the payer or recipient, or of the staff about a payment.
    Message,
    /// The merchant's reference of a payment. It identifies the payment in the merchant's books, so
    /// it is kept, and only a number or address in it is overwritten.
    Reference,
}

/// A column that holds personal data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The name of the table in the database.
    pub table: &'static str,
    /// The name of the column in that table.
    pub column: &'static str,
    /// Which items of personal data the column may have.
    pub items: &'static [Item],
    /// Why it is kept.
    pub why: &'static str,
    /// How long it is kept.
    pub kept: &'static str,
}

const FOR_EVER: &str = "until it is erased";

const ACCOUNTS: &str = "to show the merchant and the payer whose payment it is";

const EVIDENCE: &str =
    "to prove what the operator was asked and what it responded; phone numbers are masked";

const RESPONSES: &str = "to show the merchant why its server refused a webhook";

const ORDER: &str = "the sandbox shows whose phone is asked";

const fn place(
    table: &'static str,
    column: &'static str,
    items: &'static [Item],
    why: &'static str,
    kept: &'static str,
) -> Place {
    Place { table, column, items, why, kept }
}

/// Every column that holds personal data. The audit log, the logs and the metrics hold none.
pub const PLACES: &[Place] = &[
    place("payment_links", "title", &[Item::Reference], "what payers pay for", FOR_EVER),
    place("payment_links", "description", &[Item::Reference], "what payers pay for", FOR_EVER),
    place("payment_links", "metadata", &[Item::Metadata], "the merchant asked for it", FOR_EVER),
    place(
        "payment_links",
        "reference",
        &[Item::Reference],
        "to find the payment in the merchant's books",
        FOR_EVER,
    ),
    place("payment_links", "question", &[Item::Reference], "what payers are asked", FOR_EVER),
    place("checkouts", "email", &[Item::Email], "the merchant's receipt", FOR_EVER),
    place("checkouts", "metadata", &[Item::Metadata], "the merchant asked for it", FOR_EVER),
    place("checkouts", "answer", &[Item::Answer], "the merchant asked for it", FOR_EVER),
    place(
        "checkouts",
        "reference",
        &[Item::Reference],
        "to find the payment in the merchant's books",
        FOR_EVER,
    ),
    place(
        "checkouts",
        "return_url",
        &[Item::Reference],
        "the page that the payer returns to",
        FOR_EVER,
    ),
    place(
        "payout_batches",
        "reference",
        &[Item::Reference],
        "to find the batch in the merchant's books",
        FOR_EVER,
    ),
    place("transactions", "phone", &[Item::Phone], ACCOUNTS, FOR_EVER),
    place("transactions", "email", &[Item::Email], "the merchant's receipt", FOR_EVER),
    place("transactions", "metadata", &[Item::Metadata], "the merchant asked for it", FOR_EVER),
    place("transactions", "answer", &[Item::Answer], "the merchant asked for it", FOR_EVER),
    place("transactions", "payer_message", &[Item::Message], "the merchant asked for it", FOR_EVER),
    place("transactions", "payee_note", &[Item::Message], "the merchant asked for it", FOR_EVER),
    place(
        "transactions",
        "reference",
        &[Item::Reference],
        "to find the payment in the merchant's books",
        FOR_EVER,
    ),
    place(
        "transaction_events",
        "event",
        &[Item::Phone, Item::Email, Item::Metadata, Item::Message, Item::Reference],
        "the row of the transaction is derived from its events",
        FOR_EVER,
    ),
    place("operator_exchanges", "path", &[Item::Message], EVIDENCE, "90 days"),
    place("operator_exchanges", "request", &[Item::Message], EVIDENCE, "90 days"),
    place("operator_exchanges", "response", &[Item::Message], EVIDENCE, "90 days"),
    place("webhook_deliveries", "response", &[Item::Message], RESPONSES, "30 days"),
    place("sandbox_orders", "phone", &[Item::Phone], ORDER, "30 days after the order"),
    place("sandbox_orders", "message", &[Item::Message], ORDER, "30 days after the order"),
    place(
        "buckets",
        "name",
        &[Item::Phone],
        "to limit prompts to one phone",
        "1 hour after the limit's window",
    ),
];

/// Columns that hold digests of what may name a person. They are deleted after days.
pub const DIGESTS: &[(&str, &str)] = &[("attempts", "fingerprint"), ("attempts", "key")];

/// Columns that hold data of the merchant's staff, who use the dashboard. They are deleted when a
/// person is removed from every account.
pub const STAFF: &[(&str, &str)] =
    &[("users", "email"), ("users", "name"), ("mail_messages", "detail")];
