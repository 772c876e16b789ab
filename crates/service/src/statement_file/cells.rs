//! The cells of a line.

use crate::{
    domain::{
        TransactionId,
        statement::{LineKind, StatementLine},
    },
    operators::{minor_units::minor_units, statement_columns::StatementColumns},
};
use csv::StringRecord;
use jiff::{Timestamp, civil, fmt::strtime, tz::TimeZone};
use tua_contract::Network;

/// The currency of all amounts.
const CURRENCY: &str = "GHS";

/// Where the columns of a file are.
#[derive(Debug)]
pub(super) struct Columns {
    form: StatementColumns,
    count: usize,
    operator_id: Option<usize>,
    reference: Option<usize>,
    time: usize,
    amount: usize,
    fee: Option<usize>,
    currency: Option<usize>,
    status: Option<usize>,
    kind: Option<usize>,
    network: Option<usize>,
}

/// The cells of a line.
pub(super) struct Cells<'a> {
    pub(super) columns: &'a Columns,
    pub(super) record: &'a StringRecord,
}

impl Columns {
    /// Finds the columns in a header.
    pub(super) fn find(form: StatementColumns, header: &StringRecord) -> Result<Self, String> {
        let position = |names: &[String]| {
            let of = |name: &String| header.iter().position(|cell| cell.trim().eq_ignore_ascii_case(name));
            names.iter().find_map(of)
        };
        let (operator_id, reference) = (position(&form.operator_id), position(&form.reference));
        let (time, amount) = (position(&form.time), position(&form.amount));
        let mut missing = Vec::new();
        let quoted = |names: &[String]| names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" or ");
        if operator_id.or(reference).is_none() {
            missing.push(quoted(&[form.operator_id.clone(), form.reference.clone()].concat()));
        }
        missing.extend(time.is_none().then(|| quoted(&form.time)));
        missing.extend(amount.is_none().then(|| quoted(&form.amount)));
        match (time, amount) {
            (Some(time), Some(amount)) if missing.is_empty() => Ok(Self {
                count: header.len(),
                operator_id,
                reference,
                time,
                amount,
                fee: position(&form.fee),
                currency: position(&form.currency),
                status: position(&form.status),
                kind: position(&form.kind),
                network: position(&form.network),
                form,
            }),
            _ => Err(format!(
                "the header has no column {}; it may be another operator's statement, or its columns are to be set in \
                 [operators.NAME.statement]",
                missing.join(", nor ")
            )),
        }
    }
}

/// What becomes of a line, by its status.
enum Standing {
    Moved,
    Returned,
    LeftOut,
}

impl Cells<'_> {
    fn cell(&self, column: usize) -> &str {
        self.record.get(column).unwrap_or_default()
    }

    /// A cell with a text, of a column that the file has.
    fn text(&self, column: Option<usize>) -> Option<&str> {
        column.map(|column| self.cell(column)).filter(|text| !text.is_empty())
    }

    /// Our reference, as it is written.
    pub(super) fn reference(&self) -> Option<&str> {
        self.text(self.columns.reference)
    }

    /// The line without its key; `None` for one that is left out.
    ///
    /// # Errors
    /// All faults of the line.
    pub(super) fn line(&self, number: u32) -> Result<Option<StatementLine>, String> {
        if self.record.len() != self.columns.count {
            return Err(format!("it has {} columns, the header has {}", self.record.len(), self.columns.count));
        }
        let mut faults = Vec::new();
        let standing = self.standing().map_err(|fault| faults.push(fault)).ok();
        let kind = self.kind().map_err(|fault| faults.push(fault)).ok();
        if matches!(standing, Some(Standing::LeftOut)) || matches!(kind, Some(None)) {
            return Ok(None);
        }
        if let Some(currency) = self.text(self.columns.currency).filter(|one| !one.eq_ignore_ascii_case(CURRENCY)) {
            faults.push(format!("the currency is {currency:?}, not {CURRENCY}"));
        }
        let at = self.time().map_err(|fault| faults.push(fault)).ok();
        let amount = self.sum(self.columns.amount).filter(|pesewas| *pesewas != 0);
        if amount.is_none() {
            faults.push(format!("the amount {:?} is not a sum of whole pesewas", self.cell(self.columns.amount)));
        }
        let fee = self.columns.fee.filter(|column| !self.cell(*column).is_empty());
        let fee_pesewas = fee.and_then(|column| self.sum(column)).map(i64::abs);
        if let Some(column) = fee.filter(|_| fee_pesewas.is_none()) {
            faults.push(format!("the fee {:?} is not a sum of whole pesewas", self.cell(column)));
        }
        let (operator_id, reference) = (self.text(self.columns.operator_id), self.reference());
        if let Some(id) = [operator_id, reference].into_iter().flatten().find(|id| is_rounded(id)) {
            faults.push(format!("the id {id:?} was rounded by a spreadsheet program; use the file as downloaded"));
        }
        if operator_id.or(reference).is_none() {
            faults.push("it has neither the operator's id nor a reference".to_owned());
        }
        match (standing, kind.flatten(), at, amount) {
            (Some(standing), Some(kind), Some(at), Some(amount)) if faults.is_empty() => Ok(Some(StatementLine {
                number,
                key: [0; 32],
                at,
                kind,
                is_reversal: matches!(standing, Standing::Returned),
                operator_transaction_id: operator_id.map(str::to_owned),
                network: self.text(self.columns.network).and_then(network),
                referenced: reference.and_then(TransactionId::of_operator_reference),
                pesewas: amount.abs(),
                fee_pesewas,
            })),
            _ => Err(faults.join("; ")),
        }
    }

    fn standing(&self) -> Result<Standing, String> {
        let form = &self.columns.form;
        let Some(column) = self.columns.status else { return Ok(Standing::Moved) };
        let status = self.cell(column);
        match () {
            () if is_one_of(status, &form.successful) => Ok(Standing::Moved),
            () if is_one_of(status, &form.reversed) => Ok(Standing::Returned),
            () if is_one_of(status, &form.other_statuses) => Ok(Standing::LeftOut),
            () => Err(format!("the status {status:?} is not in the settings")),
        }
    }

    /// What the line is about; `None` for something else than a payment.
    fn kind(&self) -> Result<Option<LineKind>, String> {
        let form = &self.columns.form;
        let Some(column) = self.columns.kind else {
            let is_paid_out = self.cell(self.columns.amount).starts_with('-');
            return Ok(Some(if is_paid_out { LineKind::Payout } else { LineKind::Charge }));
        };
        let kind = self.cell(column);
        match () {
            () if is_one_of(kind, &form.charges) => Ok(Some(LineKind::Charge)),
            () if is_one_of(kind, &form.payouts) => Ok(Some(LineKind::Payout)),
            () if is_one_of(kind, &form.refunds) => Ok(Some(LineKind::Refund)),
            () if is_one_of(kind, &form.other_types) => Ok(None),
            () => Err(format!("the type {kind:?} is not in the settings")),
        }
    }

    fn time(&self) -> Result<Timestamp, String> {
        let text = self.cell(self.columns.time);
        let utc = |local: civil::DateTime| local.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
        let at = match &self.columns.form.time_format {
            None => text.parse().ok().or_else(|| utc(text.parse().ok()?)),
            Some(format) => strtime::parse(format, text).ok().and_then(|parsed| {
                let local = parsed.to_datetime().ok().or_else(|| Some(parsed.to_date().ok()?.into()));
                parsed.to_timestamp().ok().or_else(|| utc(local?))
            }),
        };
        at.ok_or_else(|| format!("the time {text:?} is not in the form of the settings"))
    }

    /// A sum in pesewas, with or without groups of thousands.
    fn sum(&self, column: usize) -> Option<i64> {
        let text = self.cell(column);
        let text = text.strip_prefix(CURRENCY).unwrap_or(text).trim();
        if text.contains(['e', 'E']) {
            return None;
        }
        let (group, point) = if self.columns.form.has_decimal_comma { ('.', ',') } else { (',', '.') };
        let (whole, decimals) = text.split_once(point).map_or((text, None), |(whole, rest)| (whole, Some(rest)));
        let mut groups = whole.split(group).skip(1);
        if groups.any(|digits| digits.len() != 3) || decimals.is_some_and(|rest| rest.contains(group)) {
            return None;
        }
        let whole = whole.replace(group, "");
        minor_units(&decimals.map_or(whole.clone(), |decimals| format!("{whole}.{decimals}")))
    }
}

/// The network of a provider, such as `MTN_MOMO_GHA` or `Telecel`. `None` for other texts, because
/// the column is optional.
fn network(provider: &str) -> Option<Network> {
    Network::meant_by(provider.strip_suffix("_GHA").unwrap_or(provider))
}

fn is_one_of(text: &str, values: &[String]) -> bool {
    values.iter().any(|value| value.eq_ignore_ascii_case(text))
}

/// Whether a spreadsheet program has made a number of an id, such as `2.33E+11`.
fn is_rounded(id: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && !text.is_empty();
    id.split_once("E+").is_some_and(|(digits, power)| is_number(digits) && is_number(power))
}
