//! Where the columns of a statement are.

use super::fault;
use crate::table_file::{Header, quoted_names};
use tua_domain::file_lines::FileFault;
use tua_operators::statement_columns::StatementColumns;

/// Where the columns of a file are.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) operator_id: Option<usize>,
    pub(super) reference: Option<usize>,
    pub(super) time: usize,
    pub(super) amount: AmountColumns,
    pub(super) fee: Option<usize>,
    pub(super) currency: Option<usize>,
    pub(super) status: Option<usize>,
    pub(super) kind: Option<usize>,
    pub(super) network: Option<usize>,
}

/// Where the sums are.
#[derive(Clone, Copy, Debug)]
pub(super) enum AmountColumns {
    /// In one column, with a sign or a type.
    One(usize),
    /// Money in and money out apart.
    InAndOut { money_in: usize, money_out: usize },
}

impl Columns {
    /// Finds the columns in a header.
    ///
    /// # Errors
    /// All that are missing and those that there are, or the two that have one name.
    pub(super) fn find(form: &StatementColumns, header: &Header) -> Result<Self, FileFault> {
        let position = |names: &[String]| position(header, names);
        let operator_id = position(&form.operator_id)?;
        let reference = position(&form.reference)?;
        let time = position(&form.time)?;
        let amount = AmountColumns::find(form, header)?;
        match (time, amount) {
            (Some(time), Some(amount)) if operator_id.or(reference).is_some() => Ok(Self {
                operator_id,
                reference,
                time,
                amount,
                fee: position(&form.fee)?,
                currency: position(&form.currency)?,
                status: position(&form.status)?,
                kind: position(&form.kind)?,
                network: position(&form.network)?,
            }),
            _ => {
                let is_missing = MissingColumns {
                    id: operator_id.or(reference).is_none(),
                    time: time.is_none(),
                    amount: amount.is_none(),
                };
                Err(is_missing.fault(form, header))
            }
        }
    }
}

/// Which columns a header lacks.
struct MissingColumns {
    id: bool,
    time: bool,
    amount: bool,
}

impl MissingColumns {
    fn fault(&self, form: &StatementColumns, header: &Header) -> FileFault {
        let ids = [&form.operator_id[..], &form.reference].concat();
        let in_and_out = [quoted_names(&form.money_in), quoted_names(&form.money_out)];
        let mut sentences = Vec::new();
        // The same in signs, for every language: `/` for "or", `+` for "with".
        let mut signs = Vec::new();
        for (is_missing, names) in [(self.id, &ids), (self.time, &form.time)] {
            if is_missing {
                sentences.push(alternatives(names, " or "));
                signs.push(alternatives(names, " / "));
            }
        }
        if self.amount {
            let [money_in, money_out] = &in_and_out;
            sentences.push(format!(
                "{}, nor one of {money_in} with one of {money_out}",
                alternatives(&form.amount, " or ")
            ));
            signs.push(format!("{} / {money_in} + {money_out}", alternatives(&form.amount, " / ")));
        }
        let sentence = format!(
            "the header has no column {}; it has {}. It may be another operator's statement, or \
             its columns are to be set in [operators.NAME.statement]",
            sentences.join(", nor "),
            header.found()
        );
        let values = [("missing", signs.join("; ")), ("found", header.found())];
        FileFault::new("no-column", values, sentence)
    }
}

impl AmountColumns {
    fn find(form: &StatementColumns, header: &Header) -> Result<Option<Self>, FileFault> {
        let amount = position(header, &form.amount)?;
        let in_and_out = position(header, &form.money_in)?.zip(position(header, &form.money_out)?);
        match (amount, in_and_out) {
            (Some(_), Some((money_in, money_out))) => {
                let money_in = money_in + 1;
                let money_out = money_out + 1;
                let sentence = format!(
                    "the header has a column for the amount, and columns {money_in} and \
                     {money_out} for money in and money out; say in [operators.NAME.statement] \
                     which count: amount = [], or money-in = []"
                );
                let values = [("in", money_in.to_string()), ("out", money_out.to_string())];
                Err(FileFault::new("amount-twice", values, sentence))
            }
            (Some(column), None) => Ok(Some(Self::One(column))),
            (None, in_and_out) => {
                Ok(in_and_out.map(|(money_in, money_out)| Self::InAndOut { money_in, money_out }))
            }
        }
    }
}

/// The column with the first of these names that the header has.
fn position(header: &Header, names: &[String]) -> Result<Option<usize>, FileFault> {
    for name in names {
        let found = header.column(|column| column.eq_ignore_ascii_case(name.trim()));
        let found = found.map_err(|twice| fault::of_column_twice(&twice))?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn alternatives(names: &[String], or: &str) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(or)
}
