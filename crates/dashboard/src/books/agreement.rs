//! What was compared with statements, and what did not agree, in words.

use super::{
    model::{DayLine, OperatorLines, OperatorStatements, Tone},
    words::{counted, days, text},
};
use crate::{formats, language::Language};
use jiff::civil::Date;
use std::ops::RangeInclusive;
use tua_domain::{
    books::agreement::{DayAgreement, OperatorAgreement},
    routing::SANDBOX,
};

/// The lines about an operator. `period`: the days of the report.
pub(super) fn lines(
    language: Language,
    known: &OperatorStatements,
    period: &RangeInclusive<Date>,
) -> OperatorLines {
    let only = |operator: String, key: &str| OperatorLines {
        operator,
        lines: vec![neutral(text(language, key, &[]))],
        compare: None,
    };
    match known {
        OperatorStatements::Sandbox => {
            only(formats::operator(language, SANDBOX), "books-sandbox-agreement")
        }
        OperatorStatements::Hidden(name) => only(formats::operator(language, name), "books-hidden"),
        OperatorStatements::Former(name) => only(formats::operator(language, name), "books-former"),
        OperatorStatements::Known(agreement) => {
            let name = agreement.operator.name.as_str();
            let address = format!(
                "/statements/period?operator={name}&from={}&to={}",
                period.start(),
                period.end()
            );
            OperatorLines {
                lines: compared_lines(language, agreement),
                operator: formats::operator(language, name),
                compare: Some(address),
            }
        }
    }
}

fn compared_lines(language: Language, agreement: &OperatorAgreement) -> Vec<DayLine> {
    if agreement.days.is_empty() {
        return vec![neutral(text(language, "books-no-ended-day", &[]))];
    }
    let mut lines = vec![first_line(language, agreement)];
    let name = &agreement.operator.name;
    lines.extend(agreement.differing().into_iter().map(|(day, exceptions)| DayLine {
        tone: Tone::Bad,
        text: counted(language, "books-differs", &days(language, &[day]), exceptions),
        href: Some(format!("/statements/days/{name}/{day}")),
    }));
    for (wanted, tone, key) in [
        (DayAgreement::Changed, Tone::Bad, "books-changed"),
        (DayAgreement::NothingToCompare, Tone::Neutral, "books-empty-days"),
        (DayAgreement::OpenWithStatement, Tone::Neutral, "books-open-with"),
        (DayAgreement::OpenWithoutStatement, Tone::Neutral, "books-open-without"),
    ] {
        let found = agreement.of(|one| one == wanted);
        if !found.is_empty() {
            let text = text(language, key, &[("days", &days(language, &found))]);
            lines.push(DayLine { tone, text, href: None });
        }
    }
    lines
}

/// Whether something was compared, and whether all of that agrees.
fn first_line(language: Language, agreement: &OperatorAgreement) -> DayLine {
    let compared = agreement.compared();
    if compared.is_empty() {
        return neutral(text(language, "books-not-compared", &[]));
    }
    let values = [("days", &*days(language, &compared))];
    if agreement.agrees() {
        let text = text(language, "books-agrees", &values);
        DayLine { tone: Tone::Good, text, href: None }
    } else {
        neutral(text(language, "books-compared", &values))
    }
}

const fn neutral(text: String) -> DayLine {
    DayLine { tone: Tone::Neutral, text, href: None }
}
