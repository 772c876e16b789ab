//! Messages with alerts: what happened, whether money moved, what to do next, and the page for it.

use super::{
    messages::{Content, Link, Section, cedis},
    texts::text,
};
use tua_domain::{
    BatchId, Kind, Mode,
    mail::{Alert, AlertKind},
    review::Case,
    routing::written_operator_name,
};
use tua_use_cases::{AlertDetails, AlertMail, AlertSubject};

/// In the keys of the texts about a review that is no longer needed.
const NO_CASE: &str = "decided";

/// In the keys of the texts about what waits for an approval.
const PAYOUT: &str = "payout";
const REFUND: &str = "refund";
const BATCH: &str = "batch";

/// As those, about what waits no more.
const DECIDED: &str = "decided";
const DECIDED_BATCH: &str = "decided-batch";

/// An alert with the values of the placeholders in its texts.
pub(super) struct AlertContext<'a> {
    alert: &'a Alert,
    /// The beginning of the keys of its texts, after `alert-`.
    texts: String,
    arguments: Vec<(&'static str, String)>,
}

/// What the texts name things by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// What the merchant calls them.
    Merchant,
    /// Their ids.
    Ids,
}

/// The values of the placeholders in the texts of an alert.
fn alert_context(details: &AlertDetails, names: Names) -> AlertContext<'_> {
    let AlertDetails { alert, subject } = details;
    let named = alert.subject.as_str();
    let arguments = match subject {
        AlertSubject::Payment { payment, .. } => {
            let reference = payment.as_ref().filter(|_| names == Names::Merchant);
            let reference = reference.map_or(named, |one| one.order.reference.as_str()).to_owned();
            let amount = payment.as_ref().map(|one| cedis(one.order.transfer.amount));
            vec![("reference", reference), ("amount", amount.unwrap_or_default())]
        }
        AlertSubject::Endpoint(host) => vec![("host", host.clone().unwrap_or_default())],
        AlertSubject::Batch { .. } | AlertSubject::Person => Vec::new(),
        AlertSubject::Operator => operator_arguments(named),
        AlertSubject::Key(name) => {
            let name = name.as_deref().filter(|_| names == Names::Merchant);
            vec![("key", name.unwrap_or(named).to_owned())]
        }
    };
    let texts = match (alert.kind, subject) {
        (AlertKind::Review, AlertSubject::Payment { case, .. }) => {
            format!("review-{}", case.map_or(NO_CASE, Case::as_str))
        }
        (AlertKind::ApprovalWaiting, subject) => approval_texts(approval_case(subject)),
        (AlertKind::OperatorRefuses, _) => {
            let kind = named.rsplit(' ').next().and_then(Kind::parse).unwrap_or(Kind::Charge);
            refusal_texts(kind)
        }
        (kind, _) => kind.as_str().to_ascii_lowercase().replace('_', "-"),
    };
    AlertContext { alert, texts, arguments }
}

/// The operator, and the network where the alert is about one.
fn operator_arguments(subject: &str) -> Vec<(&'static str, String)> {
    let mut parts = subject.split(' ');
    let operator = parts.next().map(|name| ("operator", written_operator_name(name).to_owned()));
    let network = parts.next().map(|network| ("network", network.to_owned()));
    operator.into_iter().chain(network).collect()
}

/// The texts about an operator that refuses all charges, or all payouts, of a network.
fn refusal_texts(kind: Kind) -> String {
    format!("operator-refuses-{}", kind.as_str().to_ascii_lowercase())
}

/// What waits for an approval, or waited for one until it was decided or ended.
fn approval_case(subject: &AlertSubject) -> &'static str {
    match subject {
        AlertSubject::Batch { is_waiting: true } => BATCH,
        AlertSubject::Batch { is_waiting: false } => DECIDED_BATCH,
        AlertSubject::Payment { payment: Some(payment), .. } if payment.state.is_unapproved() => {
            payment.order.refund.as_ref().map_or(PAYOUT, |_| REFUND)
        }
        _ => DECIDED,
    }
}

/// The texts about a payout, refund or batch that waits for an approval.
fn approval_texts(what: &str) -> String {
    format!("approval-waiting-{what}")
}

/// The message with these alerts.
pub(super) fn content(language: &str, mail: &AlertMail, dashboard_url: &str) -> Content {
    let shown: Vec<AlertContext<'_>> =
        mail.alerts.iter().map(|one| alert_context(one, Names::Merchant)).collect();
    content_of(language, &mail.account, &shown, mail.count, dashboard_url)
}

/// The message with these alerts, of `count` in all.
fn content_of(
    language: &str,
    account: &str,
    shown: &[AlertContext<'_>],
    count: u32,
    dashboard_url: &str,
) -> Content {
    let mut sections: Vec<Section> =
        shown.iter().map(|one| one.section(language, dashboard_url)).collect();
    let subject = match (sections.as_slice(), count) {
        ([only], 1) => format!("{account}: {}", only.heading),
        _ => {
            text(language, "alerts-subject", &[("account", account), ("count", &count.to_string())])
        }
    };
    let more = count.saturating_sub(u32::try_from(shown.len()).unwrap_or(u32::MAX));
    if more > 0 {
        let heading = text(language, "alerts-more", &[("count", &more.to_string())]);
        sections.push(Section { heading, ..Section::default() });
    }
    Content {
        sections,
        link: Some(Link {
            label: text(language, "alerts-change", &[]),
            address: format!("{dashboard_url}/dashboard/security#alerts"),
        }),
        footer: Some(text(language, "alerts-footer", &[("account", account)])),
        ..Content::new(language, subject)
    }
}

impl<'a> AlertContext<'a> {
    /// As a message to a channel has it: with ids where e-mail has what the merchant wrote.
    pub(super) fn with_ids(details: &'a AlertDetails) -> Self {
        alert_context(details, Names::Ids)
    }

    pub(super) fn section(&self, language: &str, dashboard_url: &str) -> Section {
        let arguments: Vec<(&'static str, &str)> =
            self.arguments.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let of_kind =
            |part: &str| text(language, &format!("alert-{}-{part}", self.texts), &arguments);
        let mut paragraphs = vec![of_kind("what"), of_kind("money"), of_kind("next")];
        if self.alert.scope.mode == Mode::Test {
            paragraphs.insert(0, text(language, "alert-test", &[]));
        }
        let scope = &self.alert.scope;
        let address = format!(
            "{dashboard_url}/dashboard/accounts/{}/{}{}",
            scope.account,
            scope.mode.as_str(),
            self.page()
        );
        Section {
            heading: of_kind("heading"),
            paragraphs,
            link: Some(Link { label: text(language, "alert-link", &[]), address }),
        }
    }

    fn page(&self) -> String {
        match self.alert.kind {
            AlertKind::Review | AlertKind::Conflict | AlertKind::Dispute => {
                format!("/payments/{}", self.alert.subject)
            }
            AlertKind::ApprovalWaiting if BatchId::parse(&self.alert.subject).is_some() => {
                format!("/payouts/batches/{}", self.alert.subject)
            }
            AlertKind::ApprovalWaiting if self.texts == approval_texts(DECIDED) => {
                format!("/payments/{}", self.alert.subject)
            }
            AlertKind::ApprovalWaiting => "/payouts".to_owned(),
            AlertKind::EndpointDisabled | AlertKind::EndpointFailing => "/webhooks".to_owned(),
            AlertKind::OperatorDown
            | AlertKind::OperatorRefuses
            | AlertKind::OperatorRecovered
            | AlertKind::FloatLow => "/operators".to_owned(),
            AlertKind::KeyExposed => "/keys".to_owned(),
            AlertKind::NewDevice => "/people".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use tua_domain::{AccountId, Scope};
    use tua_use_cases::MAX_ALERTS_IN_MESSAGE;

    fn alert(kind: AlertKind) -> Alert {
        let scope = Scope { account: AccountId::new("acc_1"), mode: Mode::Live };
        Alert { scope, kind, subject: "subject".to_owned(), occurred_at: Timestamp::UNIX_EPOCH }
    }

    #[test]
    fn every_kind_has_all_texts_and_a_page_in_both_languages() {
        let names = ["reference", "amount", "host", "operator", "network", "key"];
        let pending =
            Case::ALL.iter().filter(|case| !matches!(case, Case::Conflict | Case::Dispute));
        let cases = pending.map(|case| case.as_str()).chain([NO_CASE]);
        let reviews = cases.map(|case| (AlertKind::Review, format!("review-{case}")));
        let refusals =
            Kind::ALL.iter().map(|kind| (AlertKind::OperatorRefuses, refusal_texts(*kind)));
        let approvals = [PAYOUT, REFUND, BATCH, DECIDED, DECIDED_BATCH]
            .map(|what| (AlertKind::ApprovalWaiting, approval_texts(what)));
        let has_one_text = |kind: &&AlertKind| {
            !matches!(
                kind,
                AlertKind::Review | AlertKind::OperatorRefuses | AlertKind::ApprovalWaiting
            )
        };
        let others = AlertKind::ALL.iter().filter(has_one_text);
        let others =
            others.map(|kind| (*kind, kind.as_str().to_ascii_lowercase().replace('_', "-")));
        for (kind, texts) in reviews.chain(refusals).chain(approvals).chain(others) {
            let alert = alert(kind);
            let arguments = names.map(|name| (name, "value".to_owned())).to_vec();
            let shown = AlertContext { alert: &alert, texts, arguments };
            for language in ["en", "fr"] {
                let section = shown.section(language, "https://pay.example");
                let texts = section.paragraphs.iter().chain([&section.heading]);
                assert!(
                    texts.clone().all(|text| text.contains(' ') && !text.contains("alert-")),
                    "{section:?}"
                );
                let address = section.link.unwrap().address;
                assert!(
                    address.starts_with("https://pay.example/dashboard/accounts/acc_1/live/"),
                    "{address}"
                );
            }
        }
    }

    #[test]
    fn what_waits_no_more_is_not_to_be_approved() {
        let alert = alert(AlertKind::ApprovalWaiting);
        for (is_waiting, heading) in [(true, "waits for an approval"), (false, "waited")] {
            let subject = AlertSubject::Batch { is_waiting };
            let details = AlertDetails { alert: alert.clone(), subject };
            let section = AlertContext::with_ids(&details).section("en", "https://pay.example");
            assert!(section.heading.contains(heading), "{section:?}");
            assert_eq!(section.paragraphs.join(" ").contains("Approve or decline"), is_waiting);
        }
    }

    #[test]
    fn a_storm_is_one_message_with_a_number() {
        let alert = alert(AlertKind::Review);
        let shown: Vec<AlertContext<'_>> = (0..MAX_ALERTS_IN_MESSAGE)
            .map(|_| AlertContext {
                alert: &alert,
                texts: "review-undecided".into(),
                arguments: vec![("reference", "A-1".into()), ("amount", "5".into())],
            })
            .collect();
        let content = content_of("en", "Adom", &shown, 1000, "https://pay.example");
        assert_eq!(content.subject, "Adom: 1000 things need attention");
        assert_eq!(content.sections.last().unwrap().heading, "980 more are in the dashboard");
    }
}
