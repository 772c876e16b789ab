//! How an operator's statement is written: `[operators.NAME.statement]`
//! (docs/reference/statements.md).

use super::settings::SettingsReader;

/// The form of a statement file. Each column and each value has several names; the first one that a
/// file has counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementColumns {
    /// What separates columns; `None`: found out by the header.
    pub delimiter: Option<u8>,
    /// Whether decimals follow a comma.
    pub has_decimal_comma: bool,
    /// The lines before the header.
    pub skipped_lines: usize,
    /// How lines below the table begin, such as one with a total.
    pub footers: Vec<String>,
    /// The sheet of a workbook; `None`: the only one with rows.
    pub sheet: Option<String>,
    /// The form of times (strftime); `None`: RFC 3339, or date and time in UTC.
    pub time_format: Option<String>,
    /// The operator's id of the transaction.
    pub operator_id: Vec<String>,
    /// The reference that the order was sent with.
    pub reference: Vec<String>,
    /// When the money moved.
    pub time: Vec<String>,
    /// The sum. Without a type, a negative one is money that went out.
    pub amount: Vec<String>,
    /// Sums that came in, where a file has two columns instead.
    pub money_in: Vec<String>,
    /// Sums that went out.
    pub money_out: Vec<String>,
    /// The fee that the operator has kept.
    pub fee: Vec<String>,
    /// The currency of the sums, which must be GHS if it is not empty.
    pub currency: Vec<String>,
    /// The status, with one of the values below.
    pub status: Vec<String>,
    /// What the line is about.
    pub kind: Vec<String>,
    /// The network of the wallet.
    pub network: Vec<String>,
    /// Statuses of money that moved.
    pub successful: Vec<String>,
    /// Statuses of money that the operator returned.
    pub reversed: Vec<String>,
    /// Statuses of lines that are left out.
    pub other_statuses: Vec<String>,
    /// Types of money that payers paid.
    pub charges: Vec<String>,
    /// Types of money that recipients got.
    pub payouts: Vec<String>,
    /// Types of refunds by the operator.
    pub refunds: Vec<String>,
    /// Types of lines that are left out.
    pub other_types: Vec<String>,
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

impl Default for StatementColumns {
    /// The columns that pawaPay documents for its statements. The others publish none.
    fn default() -> Self {
        Self {
            delimiter: None,
            has_decimal_comma: false,
            skipped_lines: 0,
            footers: Vec::new(),
            sheet: None,
            time_format: None,
            operator_id: names(&["Provider Transaction ID"]),
            reference: names(&["Transaction ID"]),
            time: names(&["Completed At", "Completed"]),
            amount: names(&["Amount"]),
            money_in: names(&["Credit", "Credit Amount", "Money In", "Paid In"]),
            money_out: names(&["Debit", "Debit Amount", "Money Out", "Paid Out", "Withdrawn"]),
            fee: names(&["Fee"]),
            currency: names(&["Currency"]),
            status: names(&["Status"]),
            kind: names(&["Transaction Type", "Type"]),
            network: names(&["Provider", "Network"]),
            successful: names(&["COMPLETED"]),
            reversed: names(&["REVERSED"]),
            other_statuses: names(&["FAILED", "PROCESSING", "ACCEPTED", "ENQUEUED"]),
            charges: names(&["DEPOSIT"]),
            payouts: names(&["PAYOUT"]),
            refunds: names(&["REFUND"]),
            other_types: names(&["REMITTANCE", "TOPUP", "FEE"]),
        }
    }
}

impl StatementColumns {
    /// Reads the table `statement` of an operator. What is not set is as in [`Self::default`].
    #[must_use]
    pub fn read(operator: &mut SettingsReader) -> Self {
        let mut columns = Self::default();
        let Some(mut reader) = operator.optional_table("statement") else { return columns };
        let delimiters = [(",", b','), (";", b';'), ("|", b'|'), ("tab", b'\t')];
        if reader.has("delimiter") {
            columns.delimiter = reader.choice("delimiter", &delimiters);
        }
        let decimals = [(".", false), (",", true)];
        columns.has_decimal_comma =
            reader.optional_choice("decimal", &decimals, false).unwrap_or_default();
        let skipped =
            if reader.has("skip-lines") { reader.number("skip-lines", 0..=100) } else { None };
        columns.skipped_lines =
            skipped.and_then(|lines| usize::try_from(lines).ok()).unwrap_or_default();
        columns.time_format = reader.text("time-format");
        columns.sheet = reader.text("sheet");
        for (key, value) in [
            ("footer", &mut columns.footers),
            ("operator-id", &mut columns.operator_id),
            ("reference", &mut columns.reference),
            ("time", &mut columns.time),
            ("amount", &mut columns.amount),
            ("money-in", &mut columns.money_in),
            ("money-out", &mut columns.money_out),
            ("fee", &mut columns.fee),
            ("currency", &mut columns.currency),
            ("status", &mut columns.status),
            ("type", &mut columns.kind),
            ("network", &mut columns.network),
            ("successful", &mut columns.successful),
            ("reversed", &mut columns.reversed),
            ("other-statuses", &mut columns.other_statuses),
            ("charge", &mut columns.charges),
            ("payout", &mut columns.payouts),
            ("refund", &mut columns.refunds),
            ("other-types", &mut columns.other_types),
        ] {
            if let Some(names) = reader.list(key) {
                *value = names;
            }
        }
        operator.close(reader);
        columns
    }
}
