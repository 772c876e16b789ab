//! A line of a statement, from the cells of a record.

use super::{
    columns::{AmountColumns, Columns},
    fault::{self, CURRENCY, CellName},
};
use crate::table_file::{
    Cell, DecimalSign, Direction, Record, Sum, restored_integer, typed_number,
};
use jiff::{Timestamp, civil, fmt::strtime, tz::TimeZone};
use sha2::{Digest, Sha256};
use tua_contract::Network;
use tua_domain::{
    TransactionId,
    file_lines::{FileFault, LeftOut},
    statement::{LineKind, StatementLine},
};
use tua_operators::statement_columns::StatementColumns;
use tua_use_cases::statements::ReadRow;

/// The longest number that a spreadsheet program keeps.
const EXACT_DIGITS: usize = 15;

/// The cells of a line.
pub(super) struct LineCells<'a> {
    pub(super) columns: &'a Columns,
    pub(super) form: &'a StatementColumns,
    pub(super) record: &'a Record<'a>,
}

/// The status of a line, in the groups of the settings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineStatus {
    /// The money of the line has moved.
    Moved,
    /// The line reverses an earlier one.
    Returned,
    /// No money moved, so the line has no entry.
    LeftOut,
}

impl LineCells<'_> {
    /// The line with a key that its contents give; [`ReadRow::LeftOut`] for one about no money that
    /// moved.
    ///
    /// # Errors
    /// All faults of the line.
    pub(super) fn read(&self, number: u32) -> Result<ReadRow, Vec<FileFault>> {
        let mut faults = Vec::new();
        let line_status = self.line_status().map_err(|fault| faults.push(fault)).ok();
        let typed_kind = self.typed_kind().map_err(|fault| faults.push(fault)).ok();
        if matches!(line_status, Some(LineStatus::LeftOut))
            || matches!(typed_kind, Some(TypedKind::Other))
        {
            return Ok(ReadRow::LeftOut(LeftOut::NotMoved));
        }
        faults.extend(self.currency().err());
        let at = self.time().map_err(|fault| faults.push(fault)).ok();
        let sum = self.moved().map_err(|fault| faults.push(fault)).ok();
        let fee_pesewas = self.fee().map_err(|fault| faults.push(fault)).ok().flatten();
        let operator_id =
            self.id(self.columns.operator_id).map_err(|fault| faults.push(fault)).ok();
        let reference = self.id(self.columns.reference).map_err(|fault| faults.push(fault)).ok();
        let network = self.network().map_err(|fault| faults.push(fault)).ok().flatten();
        if let (Some(None), Some(None)) = (&operator_id, &reference) {
            faults.push(fault::plain(
                "no-id",
                "it has neither the operator's id nor a reference; lines below the table are left \
                 out by the setting footer",
            ));
        }
        let is_reversal = line_status == Some(LineStatus::Returned);
        let kind = sum.zip(typed_kind).map(|(sum, kind)| kind.checked(sum, is_reversal));
        let kind = kind.transpose().map_err(|fault| faults.push(fault)).ok().flatten();
        match (kind, at, sum, operator_id, reference) {
            (Some(kind), Some(at), Some(sum), Some(operator_id), Some(reference))
                if faults.is_empty() =>
            {
                let mut line = StatementLine {
                    number,
                    key: [0; 32],
                    at,
                    kind,
                    is_reversal,
                    operator_transaction_id: operator_id,
                    network,
                    referenced: reference.as_deref().and_then(TransactionId::of_written_reference),
                    pesewas: sum.pesewas,
                    fee_pesewas,
                };
                line.key = contents(&line, reference.as_deref());
                Ok(ReadRow::Moved(line))
            }
            _ => Err(faults),
        }
    }

    fn cell(&self, column: Option<usize>) -> &Cell<'_> {
        match column {
            Some(column) => self.record.cell(column),
            None => Cell::missing(),
        }
    }

    /// A text without what nobody sees.
    fn text(&self, column: Option<usize>, name: CellName) -> Result<String, FileFault> {
        let value = self.cell(column).value().map_err(|fault| fault::of_cell(name, fault))?;
        Ok(typed_number(value))
    }

    fn line_status(&self) -> Result<LineStatus, FileFault> {
        let Some(column) = self.columns.status else { return Ok(LineStatus::Moved) };
        let status = self.text(Some(column), CellName::Status)?;
        let form = self.form;
        let statuses = [
            (&form.successful, LineStatus::Moved),
            (&form.reversed, LineStatus::Returned),
            (&form.other_statuses, LineStatus::LeftOut),
        ];
        let found = statuses.into_iter().find(|(names, _)| is_one_of(&status, names));
        found
            .map(|(_, line_status)| line_status)
            .ok_or_else(|| fault::not_in_settings(CellName::Status, &status))
    }

    fn typed_kind(&self) -> Result<TypedKind, FileFault> {
        let Some(column) = self.columns.kind else { return Ok(TypedKind::BySign) };
        let kind = self.text(Some(column), CellName::Kind)?;
        let form = self.form;
        let kinds = [
            (&form.charges, TypedKind::Is(LineKind::Charge)),
            (&form.payouts, TypedKind::Is(LineKind::Payout)),
            (&form.refunds, TypedKind::Is(LineKind::Refund)),
            (&form.other_types, TypedKind::Other),
        ];
        let found = kinds.into_iter().find(|(names, _)| is_one_of(&kind, names));
        found.map(|(_, kind)| kind).ok_or_else(|| fault::not_in_settings(CellName::Kind, &kind))
    }

    fn currency(&self) -> Result<(), FileFault> {
        let currency = self.text(self.columns.currency, CellName::Currency)?;
        if currency.is_empty() || currency.eq_ignore_ascii_case(CURRENCY) {
            return Ok(());
        }
        Err(fault::of_currency(&currency))
    }

    fn time(&self) -> Result<Timestamp, FileFault> {
        let cell = self.record.cell(self.columns.time);
        let text = self.text(Some(self.columns.time), CellName::Time)?;
        if cell.is_number() {
            let sentence =
                format!("the time {text:?} is a number; format the column as date and time");
            return Err(fault::about("time-number", &text, sentence));
        }
        let utc = |local: civil::DateTime| {
            local.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
        };
        let usual = || text.parse().ok().or_else(|| utc(text.parse().ok()?));
        let formatted = |format: &String| {
            let parsed = strtime::parse(format, &text).ok()?;
            let local = parsed.to_datetime().ok().or_else(|| Some(parsed.to_date().ok()?.into()));
            parsed.to_timestamp().ok().or_else(|| utc(local?))
        };
        // A time of a sheet does not have the form of the file's texts: its day and month could
        // change places.
        let at = match &self.form.time_format {
            Some(format) if !cell.is_time() => formatted(format),
            _ => usual(),
        };
        at.ok_or_else(|| {
            let sentence = format!("the time {text:?} is not in the form of the settings");
            fault::about("time", &text, sentence)
        })
    }

    /// What moved, and which way if the file says it.
    fn moved(&self) -> Result<Sum, FileFault> {
        let sum = match self.columns.amount {
            AmountColumns::One(column) => self.sum(column, CellName::Amount)?,
            AmountColumns::InAndOut { money_in, money_out } => {
                self.in_or_out(money_in, money_out)?
            }
        };
        match sum {
            Some(sum) if sum.pesewas > 0 => Ok(sum),
            Some(_) => Err(fault::plain("zero-amount", "the amount is 0")),
            None => Err(fault::plain("no-amount", "it has no amount")),
        }
    }

    fn in_or_out(&self, money_in: usize, money_out: usize) -> Result<Option<Sum>, FileFault> {
        let moved =
            |column, name| self.sum(column, name).map(|sum| sum.filter(|sum| sum.pesewas > 0));
        match (moved(money_in, CellName::MoneyIn)?, moved(money_out, CellName::MoneyOut)?) {
            (Some(_), Some(_)) => {
                Err(fault::plain("both-ways", "it has both money in and money out"))
            }
            (Some(Sum { direction: Some(Direction::Out), .. }), None) => {
                let text = self.record.cell(money_in).as_written();
                let sentence = format!("the money in {text:?} is negative");
                Err(fault::about("money-in-negative", text, sentence))
            }
            (None, Some(Sum { direction: Some(Direction::In), .. })) => {
                let text = self.record.cell(money_out).as_written();
                let sentence = format!("the money out {text:?} says money in");
                Err(fault::about("money-out-in", text, sentence))
            }
            (Some(sum), None) => Ok(Some(Sum { direction: Some(Direction::In), ..sum })),
            (None, Some(sum)) => Ok(Some(Sum { direction: Some(Direction::Out), ..sum })),
            (None, None) => Ok(None),
        }
    }

    fn fee(&self) -> Result<Option<i64>, FileFault> {
        let Some(column) = self.columns.fee else { return Ok(None) };
        match self.sum(column, CellName::Fee)? {
            Some(Sum { direction: Some(Direction::In), .. }) => {
                let text = self.record.cell(column).as_written();
                Err(fault::about("fee-in", text, format!("the fee {text:?} says money in")))
            }
            fee => Ok(fee.map(|fee| fee.pesewas)),
        }
    }

    /// A sum; `None` where the cell is empty.
    fn sum(&self, column: usize, name: CellName) -> Result<Option<Sum>, FileFault> {
        let cell = self.record.cell(column);
        if cell.is_empty() {
            return Ok(None);
        }
        let text = cell.value().map_err(|fault| fault::of_cell(name, fault))?;
        let sign = match (cell.is_number(), self.form.has_decimal_comma) {
            (true, _) | (false, false) => DecimalSign::Point,
            (false, true) => DecimalSign::Comma,
        };
        Sum::parse(text, sign).map(Some).map_err(|fault| fault::of_sum(name, text, fault))
    }

    /// The network of a provider, such as `MTN_MOMO_GHA` or `Telecel`. `None` for other texts,
    /// because the column is optional.
    fn network(&self) -> Result<Option<Network>, FileFault> {
        let provider = self.text(self.columns.network, CellName::Network)?;
        Ok(Network::meant_by(provider.strip_suffix("_GHA").unwrap_or(&provider)))
    }

    /// An id, as the operator writes it.
    fn id(&self, column: Option<usize>) -> Result<Option<String>, FileFault> {
        let cell = self.cell(column);
        let text = self.text(column, CellName::Id)?;
        let text = text.trim_start_matches('\'');
        // An id may have letters; only a sign makes an exponent of an E.
        let is_exponent = text.contains("E+") || text.contains("e+");
        let is_number = is_exponent || !text.contains(['e', 'E']);
        let restored = if is_number { restored_integer(text).ok() } else { Some(text.into()) };
        match restored {
            Some(id) if !(cell.is_number() && id.len() > EXACT_DIGITS) => {
                Ok(Some(id.into_owned()).filter(|id| !id.is_empty()))
            }
            _ => {
                let sentence = format!(
                    "the id {text:?} was rounded by a spreadsheet program; use the file as \
                     downloaded, or format the column as text"
                );
                Err(fault::about("id-rounded", text, sentence))
            }
        }
    }
}

/// What the type of a line says.
#[derive(Clone, Copy)]
enum TypedKind {
    /// Money that moved in this way.
    Is(LineKind),
    /// Something else than a payment.
    Other,
    /// Nothing, because the file has no types: the sign of the sum decides.
    BySign,
}

impl TypedKind {
    /// The kind of a line that moved this sum. A sum that went out is never money that came in.
    fn checked(self, sum: Sum, is_reversal: bool) -> Result<LineKind, FileFault> {
        let is_out = sum.direction == Some(Direction::Out);
        match self {
            Self::BySign if is_out && is_reversal => Err(fault::plain(
                "direction",
                "the amount is negative and the money was returned, so it is not certain which way \
                 it went; a column with the type is needed",
            )),
            Self::BySign if is_out => Ok(LineKind::Payout),
            Self::BySign | Self::Other => Ok(LineKind::Charge),
            Self::Is(LineKind::Charge) if is_out && !is_reversal => Err(fault::plain(
                "negative-charge",
                "the amount is negative, but the type is one of money that came in",
            )),
            Self::Is(kind @ (LineKind::Payout | LineKind::Refund))
                if sum.direction == Some(Direction::In) && !is_reversal =>
            {
                let kind = kind.as_str();
                let sentence = format!("the amount is money that came in, but the type is {kind}");
                Err(fault::about("incoming-payout", kind, sentence))
            }
            Self::Is(kind) => Ok(kind),
        }
    }
}

fn is_one_of(text: &str, values: &[String]) -> bool {
    values.iter().any(|value| value.trim().eq_ignore_ascii_case(text))
}

/// The SHA-256 of what a line says.
fn contents(line: &StatementLine, reference: Option<&str>) -> [u8; 32] {
    let text = format!(
        "{}\n{}\n{}\n{}\n{:?}\n{:?}\n{:?}",
        line.kind.as_str(),
        line.is_reversal,
        line.at.as_microsecond(),
        line.pesewas,
        line.fee_pesewas,
        line.operator_transaction_id,
        reference,
    );
    Sha256::digest(text).into()
}
