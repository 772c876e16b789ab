//! What the check of a file of payouts found, as it is printed.

use crate::cli::{file_lines::FileLinesReport, output};
use jiff::Timestamp;
use serde::Serialize;
use tua_domain::{recipient_name::RecipientName, wallet_tiers::TierWarning};
use tua_tables::{
    export::columns::cedis,
    payout_file::{CheckedLine, LineFault, Repeated},
};
use tua_use_cases::FloatShortage;

/// The check of a file. Amounts are cedis as text, exact.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'a> {
    pub(super) account_id: &'a str,
    pub(super) mode: &'static str,
    /// Whether the payouts could be begun now.
    pub(super) can_begin: bool,
    pub(super) count: usize,
    /// What became of the lines of the file.
    pub(super) file_lines: FileLinesReport,
    /// The sum of all lines; null if a line has a fault of its own.
    pub(super) total: Option<String>,
    /// The operators' fees by their tariffs; null if that of a line is not known.
    pub(super) fees: Option<String>,
    /// Whether a second person must approve them; null if a line has a fault of its own.
    pub(super) needs_approval: Option<bool>,
    /// Faults of the whole batch.
    pub(super) faults: Vec<&'static str>,
    /// The operators whose float does not cover the payouts. It prevents nothing.
    pub(super) float_shortages: Vec<ShortageReport<'a>>,
    pub(super) lines: Vec<LineReport<'a>>,
}

/// An operator whose float does not cover the payouts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShortageReport<'a> {
    operator: &'a str,
    /// What the operator reported.
    float: String,
    /// The part of the float for payouts that are approved and not sent.
    reserved: String,
    /// When the operator reported it.
    read_at: String,
    /// How old that is.
    age_seconds: i64,
    /// The payouts with their fees, as far as these are known.
    needed: String,
    /// By how much that exceeds what is left of the float.
    missing: String,
}

impl<'a> ShortageReport<'a> {
    pub(super) fn new(shortage: &'a FloatShortage, now: Timestamp) -> Self {
        let float = &shortage.float;
        Self {
            operator: shortage.operator.pin.name.as_str(),
            float: cedis(float.reported_pesewas),
            reserved: cedis(float.reserved_pesewas),
            read_at: output::time(float.read_at),
            age_seconds: shortage.age(now).as_secs(),
            needed: cedis(shortage.needed_pesewas),
            missing: cedis(shortage.missing_pesewas()),
        }
    }

    fn text(&self) -> String {
        let Self { operator, float, reserved, age_seconds, needed, missing, .. } = self;
        format!(
            "warning: {operator} had GHS {float} for payouts {age_seconds} seconds ago, of which \
             GHS {reserved} are for payouts that are approved and not sent; this batch needs GHS \
             {needed} with the known fees, GHS {missing} more than is left"
        )
    }
}

/// The result of the check for one line. Amounts are cedis as text, exact.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LineReport<'a> {
    /// The number of the line in the file, from 1.
    line: u64,
    phone_number: Option<String>,
    network: Option<&'static str>,
    amount: Option<String>,
    fee: Option<String>,
    reference: &'a str,
    /// The registered name: the first name and the initials of the others. Null where no operator
    /// tells it.
    recipient: Option<String>,
    faults: Vec<Finding>,
    warnings: Vec<Finding>,
}

/// A fault or a warning.
#[derive(Serialize)]
struct Finding {
    code: &'static str,
    message: String,
}

impl<'a> LineReport<'a> {
    /// A line with the name of its recipient.
    pub(super) fn new(checked: &CheckedLine<'a>, name: Option<&RecipientName>) -> Self {
        let CheckedLine { line, faults, fee_pesewas, .. } = checked;
        let transfer = line.payout.as_ref().map(|payout| &payout.transfer);
        let fault = |fault: &LineFault| {
            let (code, explanation) = fault.code_and_explanation();
            Finding { code, message: explanation.into_owned() }
        };
        Self {
            line: line.number,
            phone_number: transfer.map(|transfer| transfer.phone.masked()),
            network: transfer.map(|transfer| transfer.network.as_str()),
            amount: transfer.map(|transfer| cedis(transfer.amount.pesewas())),
            fee: fee_pesewas.map(cedis),
            reference: &line.cells.reference,
            recipient: match name {
                Some(RecipientName::Registered(name)) => Some(name.masked()),
                _ => None,
            },
            faults: faults.iter().map(fault).collect(),
            warnings: warnings(checked, name),
        }
    }

    fn text(&self) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let fee = self.fee.as_ref().map(|fee| format!("  fee GHS {fee}")).unwrap_or_default();
        let name = self
            .recipient
            .as_ref()
            .map(|name| format!("  registered to {name}"))
            .unwrap_or_default();
        let findings = |word: &str, found: &[Finding]| -> String {
            found.iter().map(|one| format!("  {word}: {}", one.message)).collect()
        };
        format!(
            "line {}  {} {}  GHS {}{fee}{name}{}{}",
            self.line,
            self.network.unwrap_or("-"),
            text(&self.phone_number),
            text(&self.amount),
            findings("FAULT", &self.faults),
            findings("warning", &self.warnings)
        )
    }
}

/// What a person should look at. It prevents nothing.
fn warnings(checked: &CheckedLine<'_>, name: Option<&RecipientName>) -> Vec<Finding> {
    let repeated = checked.repeats.map(|repeated| match repeated {
        Repeated::Line(number) => {
            ("repeats-line", format!("same amount and wallet as line {number}"))
        }
        Repeated::Payout(id) => {
            ("repeats-payout", format!("same amount and wallet as the payout {id}"))
        }
    });
    let tier = checked.tier.map(|tier| match tier {
        TierWarning::AboveLowestLevel => (
            "wallet-limit",
            "more than GHS 3,000 a day: a wallet of the lowest level cannot take it",
        ),
        TierWarning::HighestLevelOnly => (
            "wallet-limit",
            "more than GHS 15,000 a day: only a wallet of the highest level can take it",
        ),
        TierWarning::AboveEveryLevel => {
            ("wallet-limit", "more than GHS 25,000 a day: no personal wallet can take it")
        }
    });
    let prefix = checked
        .line
        .has_other_prefix
        .then_some(("other-prefix", "such numbers often belong to another network"));
    let expected = checked.line.cells.name.as_str();
    let recipient = match name {
        Some(RecipientName::Registered(name))
            if !expected.is_empty() && !name.agrees_with(expected) =>
        {
            Some(("recipient-differs", "the registered name is not the name in the file"))
        }
        Some(RecipientName::NoWallet) => {
            Some(("recipient-no-wallet", "the operator knows no wallet with this number"))
        }
        _ => None,
    };
    let fixed =
        [tier, prefix, recipient].into_iter().flatten().map(|(code, text)| (code, text.to_owned()));
    repeated.into_iter().chain(fixed).map(|(code, message)| Finding { code, message }).collect()
}

impl Report<'_> {
    pub(super) fn text(&self) -> String {
        let mut text: Vec<String> = self.lines.iter().map(LineReport::text).collect();
        text.extend(self.faults.iter().map(|fault| format!("FAULT: {fault}")));
        text.extend(self.float_shortages.iter().map(ShortageReport::text));
        let faulty = self.lines.iter().filter(|line| !line.faults.is_empty()).count();
        let total =
            self.total.as_ref().map(|total| format!(", GHS {total} in all")).unwrap_or_default();
        let fees = self.fees.as_ref().map(|fees| format!(", fees GHS {fees}")).unwrap_or_default();
        text.push(format!("{} lines{total}{fees}; {faulty} with faults", self.count));
        text.push(self.file_lines.text());
        text.push(match (self.can_begin, self.needs_approval) {
            (false, _) => "Nothing can be begun before every fault is corrected.".to_owned(),
            (true, Some(true)) => {
                "They can be begun; a second person must then approve them.".to_owned()
            }
            (true, _) => "They can be begun; nobody else has to approve them.".to_owned(),
        });
        text.join("\n")
    }
}
