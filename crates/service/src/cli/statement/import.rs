//! `tua statement import`.

use super::report::Comparison;
use crate::{
    actor,
    cli::{Common, open_existing_database, output},
    clock::SystemClock,
    config::{Config, RawSettings},
    domain::{
        audit::Source,
        ports::Clock,
        statement::StatementFilter,
        use_cases::statements::{CheckedFile, check_statement, import_statement, verify_statements},
    },
    operators::configured::ConfiguredOperator,
    statement_file::{self, StatementFile},
};
use clap::Args;
use jiff::civil::Date;
use serde::Serialize;
use std::path::PathBuf;

/// How many faults one line of an error has.
const SHOWN_FAULTS: usize = 20;

#[derive(Args, Debug)]
pub(in crate::cli) struct Import {
    /// The operator's name in the settings
    #[arg(long, env = "TUA_OPERATOR", value_name = "NAME")]
    operator: String,
    /// The settings file with the operators, and the columns of their statements
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The first day that the file may have, in UTC
    #[arg(long, env = "TUA_FROM", value_name = "DAY", requires = "to")]
    from: Option<Date>,
    /// The last day that it may have
    #[arg(long, env = "TUA_TO", value_name = "DAY", requires = "from")]
    to: Option<Date>,
    /// The file: CSV in UTF-8
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Imported {
    statement_id: String,
    operator: String,
    /// Whether the same file was imported before, so that nothing changed.
    repeated: bool,
    /// The first and the last day of the lines.
    from: Option<String>,
    to: Option<String>,
    /// Lines about money that moved.
    lines: u64,
    /// Those of them that no earlier statement has.
    inserted: u64,
    /// Lines of failed payments and of other types.
    left_out: u64,
    /// Pending transactions that the operator is asked about now.
    asked: u64,
    #[serde(flatten)]
    comparison: Comparison,
}

impl Import {
    pub(super) async fn run(self, common: &Common) -> Result<(), String> {
        let config = Config::resolve(RawSettings::default(), common.database.clone(), self.config.as_deref());
        let config = config.map_err(|faults| faults.join("; "))?;
        let operator = find(&config, &self.operator)?;
        let named = |fault: &dyn std::fmt::Display| format!("statement {}: {fault}", self.file.display());
        let open = || StatementFile::open(&self.file, &operator.statement).map_err(|fault| named(&fault));
        let digest = statement_file::digest(&self.file).map_err(|error| named(&error))?;
        let lines = open()?;
        let store = open_existing_database(config.database.clone()).await?;
        let store = store.as_ref();
        let period = self.from.zip(self.to).map(|(from, to)| from..=to);
        let checked = check_statement(store, &operator.pin, period, lines).await.map_err(|error| error.to_string())?;
        refuse_faults(&checked).map_err(|fault| named(&fault))?;
        let keys = config.open_key_ring(store).await?;
        let by = actor::audit_context(Source::CommandLine, common.name.as_deref(), &keys, SystemClock.now());
        let imported = import_statement(store, &operator.pin, digest, open()?, &by).await;
        let imported = imported.map_err(|error| named(&error))?;
        if statement_file::digest(&self.file).map_err(|error| named(&error))? != digest {
            return Err(named(&"the file was changed while it was imported; import it again"));
        }
        let filter = StatementFilter { statement: Some(imported.id.clone()), ..StatementFilter::default() };
        let found = verify_statements(store, &filter).await.map_err(|error| error.to_string())?;
        let imported = Imported {
            statement_id: imported.id.to_string(),
            operator: self.operator.clone(),
            repeated: imported.is_repeated,
            from: checked.days.map(|(from, _)| from.to_string()),
            to: checked.days.map(|(_, to)| to.to_string()),
            lines: checked.lines,
            inserted: imported.inserted,
            left_out: checked.left_out,
            asked: imported.asked,
            comparison: Comparison::new(&found),
        };
        output::print(common, &imported, &imported.text())
    }
}

fn find<'a>(config: &'a Config, name: &str) -> Result<&'a ConfiguredOperator, String> {
    let found = config.operators.operators.iter().find(|operator| operator.pin.name.as_str() == name);
    found.ok_or_else(|| format!("operator {name}: the settings have no such operator; see --config"))
}

/// One line with the first faults of a file.
fn refuse_faults(checked: &CheckedFile) -> Result<(), String> {
    if checked.faults == 0 {
        return Ok(());
    }
    let shown = checked.listed.iter().take(SHOWN_FAULTS);
    let mut faults: Vec<String> = shown.map(|one| format!("line {}: {}", one.number, one.fault)).collect();
    let others = checked.faults - faults.len() as u64;
    if others > 0 {
        faults.push(format!("{others} more lines have faults"));
    }
    Err(format!("nothing was stored: {}", faults.join("; ")))
}

impl Imported {
    fn text(&self) -> String {
        let what = match self.repeated {
            true => "was imported before; nothing changed".to_owned(),
            false => format!(
                "{} lines, {} of them new, {} left out; the operator is asked about {} pending transactions",
                self.lines, self.inserted, self.left_out, self.asked
            ),
        };
        format!("{}  {}: {what}\n{}", self.statement_id, self.operator, self.comparison.text())
    }
}
