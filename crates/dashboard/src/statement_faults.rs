//! The faults of statement files, in the language of the page.

use super::{formats, language::Language, texts};
use fluent_bundle::FluentArgs;
use tua_domain::file_lines::FileFault;

/// All faults of a line, one sentence each.
pub(super) fn texts(language: Language, faults: &[FileFault]) -> String {
    faults.iter().map(|fault| text(language, fault)).collect::<Vec<_>>().join(" ")
}

/// A fault as a sentence. What the file says stays as it is.
pub(super) fn text(language: Language, fault: &FileFault) -> String {
    let mut arguments = FluentArgs::new();
    for (name, value) in &fault.values {
        let shown = match *name {
            "cell" => cell_name(language, value),
            "operator" => formats::operator(language, value),
            "day" => formats::written_day(language, value),
            _ => value.clone(),
        };
        arguments.set(*name, shown);
    }
    let of_statements = format!("statement-fault-{}", fault.code);
    // The faults of the rows of any table.
    let of_rows = format!("line-{}", fault.code);
    texts::text(language, &of_statements, &arguments)
        .or_else(|| texts::text(language, &of_rows, &arguments))
        .unwrap_or_else(|| {
            tracing::error!(code = fault.code, "the text of a fault is missing");
            fault.to_string()
        })
}

/// The name of a cell of a line, such as "the amount".
fn cell_name(language: Language, code: &str) -> String {
    let key = format!("statement-cell-{code}");
    texts::text(language, &key, &FluentArgs::new()).unwrap_or_else(|| code.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_in_the_language_of_the_page() {
        let values = [("cell", "amount".to_owned()), ("text", "10.555".to_owned())];
        let sum = FileFault::new("not-a-sum", values, "the amount is not a sum");
        let row = FileFault::new("too-few-cells", [("column", "0".to_owned())], "too few");
        let both = [sum, row];
        assert_eq!(
            texts(Language::French, &both),
            "«\u{a0}10.555\u{a0}» n’est pas une somme en pesewas entiers\u{a0}: le montant. La ligne a moins de \
             colonnes que la première, la fin du fichier manque peut-être."
        );
        let english = texts(Language::English, &both);
        assert!(english.starts_with("“10.555” is no sum of whole pesewas: the amount. "));
    }

    #[test]
    fn an_unknown_fault_stays_as_the_command_line_says_it() {
        let fault = FileFault::new("of-tomorrow", [], "it is new");
        assert_eq!(text(Language::French, &fault), "it is new");
    }
}
