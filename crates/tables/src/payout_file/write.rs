//! Writes a file of payouts, which a person can check and confirm again.

use crate::export::ExportError;
use tua_domain::TransactionOrder;
use tua_use_cases::payees::typed_name;

/// These payouts as CSV that this module reads.
///
/// # Errors
/// [`ExportError::File`].
pub fn write_payouts<'a>(
    payouts: impl IntoIterator<Item = &'a TransactionOrder>,
) -> Result<String, ExportError> {
    let fault = |error: csv::Error| ExportError::File(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record(["phoneNumber", "network", "amount", "reference", "note", "name"])
        .map_err(fault)?;
    for payout in payouts {
        let transfer = &payout.transfer;
        let note = payout.details.payee_note.as_deref().unwrap_or_default();
        let amount = transfer.amount.to_string();
        writer
            .write_record([
                transfer.phone.as_str(),
                transfer.network.as_str(),
                &amount,
                &payout.reference,
                note,
                &typed_name(payout).unwrap_or_default(),
            ])
            .map_err(fault)?;
    }
    let bytes = writer.into_inner().map_err(|error| ExportError::File(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| ExportError::File(error.to_string()))
}
