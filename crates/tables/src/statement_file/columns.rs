//! Where the columns of a statement are.

use crate::table_file::{ColumnTwice, Header, quoted_names};
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
    /// A sentence with all that are missing and those that there are, or with the two that have one
    /// name.
    pub(super) fn find(form: &StatementColumns, header: &Header) -> Result<Self, String> {
        let position = |names: &[String]| position(header, names);
        let operator_id = position(&form.operator_id)?;
        let reference = position(&form.reference)?;
        let time = position(&form.time)?;
        let amount = AmountColumns::find(form, header)?;
        let mut missing = Vec::new();
        if operator_id.or(reference).is_none() {
            missing.push(alternatives(&[&form.operator_id[..], &form.reference].concat()));
        }
        missing.extend(time.is_none().then(|| alternatives(&form.time)));
        if amount.is_none() {
            let both = [quoted_names(&form.money_in), quoted_names(&form.money_out)];
            missing.push(format!(
                "{}, nor one of {} with one of {}",
                alternatives(&form.amount),
                both[0],
                both[1]
            ));
        }
        match (time, amount) {
            (Some(time), Some(amount)) if missing.is_empty() => Ok(Self {
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
            _ => Err(format!(
                "the header has no column {}; it has {}. It may be another operator's statement, \
                 or its columns are to be set in [operators.NAME.statement]",
                missing.join(", nor "),
                header.found()
            )),
        }
    }
}

impl AmountColumns {
    fn find(form: &StatementColumns, header: &Header) -> Result<Option<Self>, String> {
        let amount = position(header, &form.amount)?;
        let in_and_out = position(header, &form.money_in)?.zip(position(header, &form.money_out)?);
        match (amount, in_and_out) {
            (Some(_), Some((money_in, money_out))) => Err(format!(
                "the header has a column for the amount, and columns {} and {} for money in and \
                 money out; say in [operators.NAME.statement] which count: amount = [], or \
                 money-in = []",
                money_in + 1,
                money_out + 1
            )),
            (Some(column), None) => Ok(Some(Self::One(column))),
            (None, in_and_out) => {
                Ok(in_and_out.map(|(money_in, money_out)| Self::InAndOut { money_in, money_out }))
            }
        }
    }
}

/// The column with the first of these names that the header has.
fn position(header: &Header, names: &[String]) -> Result<Option<usize>, String> {
    for name in names {
        let found = header.column(|column| column.eq_ignore_ascii_case(name.trim()));
        let found = found.map_err(|ColumnTwice { name, columns: [first, second] }| {
            format!(
                "columns {first} and {second} have the same name {name:?}; delete the wrong one"
            )
        })?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn alternatives(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(" or ")
}
