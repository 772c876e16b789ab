//! A file of payouts to fill in, in the language of the page.

use super::{language::Language, security_headers, visitor::Visitor};
use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};

/// The numbers have spaces, so that a spreadsheet program keeps their first digit.
const ENGLISH: &str = "Phone,Amount,Network,Name,Reference,Note\r\n\
    024 123 4567,150.00,MTN,Ama Mensah,MARCH-1,Salary of March\r\n\
    020 123 4567,80.50,,Kofi Boateng,MARCH-2,\r\n";
/// As a French spreadsheet program writes it.
const FRENCH: &str = "Téléphone;Montant;Réseau;Nom;Référence;Motif\r\n\
    024 123 4567;150,00;MTN;Ama Mensah;MARS-1;Salaire de mars\r\n\
    020 123 4567;80,50;;Kofi Boateng;MARS-2;\r\n";

/// Without it, Excel reads another encoding.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// `GET /payouts/upload/example`.
pub(super) async fn download(visitor: Visitor) -> Response {
    let text = example(visitor.person.language);
    let mut response = format!("{BYTE_ORDER_MARK}{text}").into_response();
    let headers = response.headers_mut();
    security_headers::add(headers);
    let media_type = HeaderValue::from_static("text/csv; charset=utf-8; header=present");
    headers.insert(header::CONTENT_TYPE, media_type);
    let name = HeaderValue::from_static("attachment; filename=\"payouts.csv\"");
    headers.insert(header::CONTENT_DISPOSITION, name);
    response
}

const fn example(language: Language) -> &'static str {
    match language {
        Language::English => ENGLISH,
        Language::French => FRENCH,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tua_contract::Network;
    use tua_tables::{
        payout_file::{NetworkNames, PayoutFile},
        table_file::{TableFile, TableForm},
    };

    #[test]
    fn each_example_is_a_file_of_payouts_without_faults() {
        for language in [Language::English, Language::French] {
            let bytes = format!("{BYTE_ORDER_MARK}{}", example(language)).into_bytes();
            let form = TableForm::default();
            let table = TableFile::read(bytes, &form).unwrap();
            let file = PayoutFile::read(&table, &form, NetworkNames::Confirmed).unwrap();
            let payouts = file.payouts().unwrap_or_else(|| panic!("{:?}", file.lines));
            let [first, second] = &payouts[..] else { panic!("{payouts:?}") };
            assert_eq!(first.transfer.amount.pesewas(), 15_000);
            assert_eq!(second.transfer.amount.pesewas(), 8_050);
            assert!(first.reference.is_some() && first.details.payee_note.is_some());
            assert_eq!(second.transfer.network, Network::Telecel);
            assert!(file.lines.iter().all(|line| !line.cells.name.is_empty()));
        }
    }
}
