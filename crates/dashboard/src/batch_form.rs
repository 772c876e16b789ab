//! The form with a file of payouts: what was sent, and what is wrong with it.

use super::{
    error::DashboardError, file_form::FileForm, repeatable_form::RepeatableForm, table_upload,
    visitor::Visitor,
};
use axum::{http::StatusCode, response::Response};
use minijinja::context;
use tua_domain::{
    BatchId,
    payout_batch::{AskedBy, NewBatch},
    transfer::REFERENCE_MAX_CHARS,
};
use tua_tables::{
    payout_file::{FILE_MAX_BYTES, FileFault, NetworkNames, PayoutFile},
    table_file::{TableFault, TableFile, TableForm, quoted_names},
};
use tua_use_cases::BatchRequest;

/// The form of a batch, as the person filled it in.
#[derive(Debug, Default)]
pub(super) struct BatchForm {
    pub(super) csv: String,
    pub(super) reference: String,
    /// How lines below the table begin, divided by semicolons; empty if there are none.
    pub(super) footer: String,
}

impl BatchForm {
    /// The file as text, or the text that was pasted where no file was chosen. The rows of a
    /// workbook become lines, so that a person can correct them on the page.
    ///
    /// # Errors
    /// [`ReadError`].
    pub(super) async fn read(form: &FileForm) -> Result<Self, ReadError> {
        let field = |name| form.text(name).unwrap_or_default().trim().to_owned();
        let reference = field("reference");
        let footer = field("footer");
        let file = form.file("file").filter(|bytes| !bytes.is_empty()).map(<[u8]>::to_vec);
        let bytes = file.unwrap_or_else(|| form.text("csv").unwrap_or_default().into_bytes());
        let sheet = Some(field("sheet")).filter(|sheet| !sheet.is_empty());
        let table_form = TableForm { sheet, ..TableForm::default() };
        let read = table_upload::read(move || as_text(bytes, &table_form)).await;
        let csv = match read.map_err(ReadError::Failed)? {
            Ok(csv) => csv,
            Err(fault) => {
                let fault = if fault == TableFault::Empty {
                    FileFault::Empty
                } else {
                    FileFault::Table(fault)
                };
                let form_values = Self { csv: String::new(), reference, footer };
                return Err(ReadError::Refused(form_values, FormFault::of_file(&fault)));
            }
        };
        let is_reference = reference.chars().count() <= REFERENCE_MAX_CHARS
            && !reference.contains(char::is_control);
        let form_values = Self { csv, reference, footer };
        if is_reference {
            Ok(form_values)
        } else {
            Err(ReadError::Refused(form_values, FormFault::from("upload-reference")))
        }
    }

    /// Its lines. Other names of networks are taken, because the person sees how they were read
    /// before the batch begins.
    ///
    /// # Errors
    /// [`FileFault`].
    pub(super) fn lines(&self) -> Result<PayoutFile, FileFault> {
        let footers: Vec<String> = self.footer.split(';').map(str::to_owned).collect();
        let form = TableForm::default().with_footers(&footers);
        let table = TableFile::read(self.csv.clone().into_bytes(), &form)?;
        PayoutFile::read(&table, &form, NetworkNames::Confirmed)
    }

    /// The batch of its lines; `None` while one has a fault.
    pub(super) fn batch(
        &self,
        visitor: &Visitor,
        id: BatchId,
        file: &PayoutFile,
    ) -> Option<NewBatch> {
        let reference = Some(self.reference.clone()).filter(|text| !text.is_empty());
        let request = BatchRequest { lines: file.payouts()?, reference };
        let asked_by = AskedBy::Person(visitor.person.session.user.id.clone());
        Some(request.into_batch(id, visitor.scope.clone(), asked_by))
    }

    /// The form that confirms the batch, with its id.
    pub(super) fn repeatable<'a>(&'a self, id: &'a BatchId) -> RepeatableForm<'a> {
        RepeatableForm {
            action: "/payouts/upload/confirm".to_owned(),
            media_type: "multipart/form-data",
            fields: vec![
                ("id", id.as_str()),
                ("reference", &self.reference),
                ("footer", &self.footer),
                ("csv", &self.csv),
            ],
            records: "/payouts".to_owned(),
        }
    }
}

/// A file as text. The page sends the text of a workbook back, with the other fields.
fn as_text(bytes: Vec<u8>, form: &TableForm) -> Result<String, TableFault> {
    const MAX_BYTES: usize = FILE_MAX_BYTES - (16 << 10);
    let table = TableFile::read(bytes, form)?;
    let is_workbook = table.is_workbook();
    let text = table.into_text();
    if is_workbook && text.len() > MAX_BYTES { Err(TableFault::TooLarge) } else { Ok(text) }
}

/// Why the form could not be read.
pub(super) enum ReadError {
    /// What was sent is shown again with its fault.
    Refused(BatchForm, FormFault),
    /// It could not be read now.
    Failed(DashboardError),
}

impl ReadError {
    pub(super) fn response(self, visitor: &Visitor) -> Result<Response, DashboardError> {
        match self {
            Self::Refused(form_values, fault) => Ok(form(visitor, &form_values, &fault)),
            Self::Failed(error) => Err(error),
        }
    }
}

/// A fault of the form, with the values of its text.
#[derive(Debug, Default)]
pub(super) struct FormFault {
    /// The key of its text; empty if nothing is.
    key: String,
    /// Names that it is about, such as the columns that the file has.
    names: String,
    /// The columns that it lacks, as [`FileFault::MissingColumns`] has them.
    missing: Vec<&'static str>,
    /// Whether the person has to choose a sheet.
    is_about_sheets: bool,
}

impl From<&str> for FormFault {
    fn from(key: &str) -> Self {
        Self { key: key.to_owned(), ..Self::default() }
    }
}

impl FormFault {
    pub(super) fn of_file(fault: &FileFault) -> Self {
        let names = match fault {
            FileFault::Table(fault) => quoted_names(fault.sheets()),
            FileFault::Header { line, .. } => line.to_string(),
            FileFault::MissingColumns { found, .. } => found.clone(),
            FileFault::ColumnTwice(twice) => format!("{:?}", twice.name),
            FileFault::TooMany | FileFault::Empty => String::new(),
        };
        let missing = match fault {
            FileFault::MissingColumns { missing, .. } => missing.clone(),
            _ => Vec::new(),
        };
        let is_about_sheets =
            matches!(fault, FileFault::Table(fault) if !fault.sheets().is_empty());
        Self { key: format!("upload-{}", fault.code()), names, missing, is_about_sheets }
    }
}

/// The form, with what was typed.
pub(super) fn form(visitor: &Visitor, form_values: &BatchForm, fault: &FormFault) -> Response {
    let status =
        if fault.key.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let values = context! {
        csv => &form_values.csv,
        reference => &form_values.reference,
        footer => &form_values.footer,
        fault => &fault.key,
        fault_names => &fault.names,
        fault_missing => &fault.missing,
        asks_for_sheet => fault.is_about_sheets,
        notice => "",
    };
    visitor.page_with(status, "batch_upload.html", values)
}
