//! Tables that people download in the language of the page.

use super::{
    batch_files::hidden,
    batches::{browser, path},
};
use reqwest::Method;
use tua_domain::people::Role;
use tua_test_support::{Response, dashboard::Browser, payout_controls::Merchant};

async fn in_french(browser: &Browser, path: &str) -> Response {
    let request = browser.request(Method::GET, path).header("accept-language", "fr");
    Response::read(request.send().await.unwrap()).await.is(200)
}

/// The cells of a line of a file for Excel in French, by the names of the columns.
fn cell<'a>(file: &'a str, name: &str) -> &'a str {
    let mut lines = file.trim_start_matches('\u{feff}').lines();
    let mut columns = lines.next().unwrap().split(';');
    let at = columns.position(|column| column == name).unwrap_or_else(|| panic!("{name}: {file}"));
    lines.next().unwrap().split(';').nth(at).unwrap()
}

/// The results of a batch of one payout that a person began with a file.
#[tokio::test(flavor = "multi_thread")]
async fn csv_for_excel_is_in_the_language_of_the_page_with_names_of_recipients() {
    let merchant = Merchant::start().await;
    let finance = browser(&merchant, Role::Finance).await;
    let csv = "Téléphone;Montant;Réseau;Nom\n0244112301;1 234,50;MTN;Kossi Améyo\n";
    let check = path(&merchant, "/payouts/upload");
    let checked = finance.post_file(&check, &[("csv", csv)]).await.is(200).text;
    let id = hidden(&checked, "id").to_owned();
    let confirm = path(&merchant, "/payouts/upload/confirm");
    finance.post_file(&confirm, &[("id", &*id), ("csv", csv)]).await.is(303);
    let results = path(&merchant, &format!("/payouts/batches/{id}/results"));

    let french = in_french(&finance, &format!("{results}?excel=1")).await.text;
    assert_eq!(cell(&french, "Nom"), "Kossi Améyo");
    assert_eq!(cell(&french, "Numéro"), "\"=\"\"0244112301\"\"\"");
    assert_eq!(cell(&french, "Montant"), "1234,50");
    assert_eq!(cell(&french, "Type"), "Versement");
    assert_eq!(cell(&french, "Données du commerçant"), "", "the name is nowhere else");
    let created = cell(&french, "Créé (UTC)");
    assert!(created.len() == 19 && !created.contains('T'), "{created}");
    let again = finance.post_file(&check, &[("csv", &french)]).await.is(200).text;
    assert!(again.contains("Pay 1 person GH₵1,234.50"), "its own file is read: {again}");

    let english = finance.get(&format!("{results}?excel=1")).await.is(200).text;
    assert!(english.starts_with("\u{feff}Payment,Created (UTC),"), "{english}");
    assert!(english.contains(",1234.50,") && english.contains(",Kossi Améyo,"), "{english}");
    let plain = in_french(&finance, &results).await.text;
    assert!(plain.starts_with("transactionId,createdAt,"), "for programs: {plain}");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_files_are_in_the_language_of_the_page() {
    let merchant = Merchant::start().await;
    let owner = browser(&merchant, Role::Owner).await;
    let days = "from=2020-01-01&to=2099-12-31";
    let home = path(&merchant, &format!("/home/export/excel-csv?{days}"));
    let totals = in_french(&owner, &home).await;
    let name = totals.header("content-disposition");
    assert!(name.contains("-totaux-test-2020-01-01-au-2099-12-31.csv"), "{name}");
    assert!(totals.text.starts_with("\u{feff}Jour;Compte;Mode;"), "{}", totals.text);
    let month = in_french(&owner, &path(&merchant, "/reports/month.xlsx")).await;
    let name = month.header("content-disposition");
    assert!(name.contains("-rapport-mensuel-test-"), "{name}");
}

/// Names and notes come from people, and a spreadsheet program must not compute them.
#[tokio::test(flavor = "multi_thread")]
async fn no_name_or_note_of_a_download_is_a_formula() {
    let merchant = Merchant::start().await;
    let finance = browser(&merchant, Role::Finance).await;
    // Apostrophes mark texts in a file that is uploaded.
    let csv = "Phone,Amount,Network,Name,Note\n0244112301,1,MTN,'@SUM(A1),'=HYPERLINK(1)\n\
               0244112302,1,MTN,'-Ama,'+233 44\n";
    let check = path(&merchant, "/payouts/upload");
    let checked = finance.post_file(&check, &[("csv", csv)]).await.is(200).text;
    let id = hidden(&checked, "id").to_owned();
    let confirm = path(&merchant, "/payouts/upload/confirm");
    finance.post_file(&confirm, &[("id", &*id), ("csv", csv)]).await.is(303);
    let results = path(&merchant, &format!("/payouts/batches/{id}/results"));
    let english = finance.get(&format!("{results}?excel=1")).await.is(200).text;
    let french = in_french(&finance, &format!("{results}?excel=1")).await.text;
    let programs = finance.get(&results).await.is(200).text;
    for text in ["@SUM(A1)", "=HYPERLINK(1)", "-Ama", "+233 44"] {
        for (file, divider) in [(&english, ','), (&french, ';')] {
            assert!(file.contains(&format!("{divider}'{text}")), "{text}: {file}");
            assert!(!file.contains(&format!("{divider}{text}")), "{text}: {file}");
        }
    }
    assert!(programs.contains(",'=HYPERLINK(1)") && programs.contains(",'+233 44"), "{programs}");
}
