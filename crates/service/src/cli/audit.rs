//! `tua audit`: lists and verifies the log of administrative changes.

use super::{context::Common, fault::Fault, output, use_cases::UseCases};
use clap::Subcommand;
use serde::Serialize;
use serde_json::value::RawValue;
use std::process::ExitCode;
use tua_domain::audit::{AuditEntry, AuditLogFault};
use tua_use_cases::AuditLogState;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the entries, oldest first
    List {
        /// Only the entries after the one with this number
        #[arg(long, value_name = "SEQ", default_value_t = 0)]
        after: u64,
    },
    /// Verify that no entry was altered, inserted or deleted; exit code 1 if one was, 2 if a server
    /// key is missing
    Verify,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AuditRow<'a> {
    seq: u64,
    at: String,
    actor: &'a str,
    source: &'a str,
    action: &'a str,
    subject: &'a str,
    before: Option<&'a RawValue>,
    after: Option<&'a RawValue>,
    key_version: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AuditVerification {
    valid: bool,
    entries: u64,
    /// The number of the first entry that does not verify.
    first_bad_seq: Option<u64>,
    /// The seal of the last entry. Who keeps it elsewhere can tell whether the whole log was
    /// replaced.
    seal: Option<String>,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<ExitCode, Fault> {
        let use_cases = UseCases::open(&common).await?;
        match self {
            Self::List { after } => {
                list(&use_cases, &common, after).await.map(|()| ExitCode::SUCCESS)
            }
            Self::Verify => verify(&use_cases, &common).await,
        }
    }
}

async fn list(use_cases: &UseCases, common: &Common, after: u64) -> Result<(), Fault> {
    let entries = use_cases.audit_log.list(after).await?;
    let listed: Vec<AuditRow<'_>> = entries.iter().map(AuditRow::new).collect();
    let line = |one: &AuditRow<'_>| {
        let values = |value: Option<&RawValue>| value.map_or("-", RawValue::get).to_owned();
        format!(
            "{}  {}  {}  {}  {}  {}  {} -> {}",
            one.seq,
            one.at,
            one.actor,
            one.source,
            one.action,
            one.subject,
            values(one.before),
            values(one.after)
        )
    };
    output::print_list(common, &listed, line, "There are no entries.")
}

async fn verify(use_cases: &UseCases, common: &Common) -> Result<ExitCode, Fault> {
    let keys = use_cases.key_ring(common).await?.audit_keys();
    report(common, use_cases.audit_log.verify(&keys).await?)
}

fn report(common: &Common, state: AuditLogState) -> Result<ExitCode, Fault> {
    match state {
        AuditLogState::Intact { entries, head } => {
            let seal = hex::encode(head.seal);
            let text = format!("{entries} entries, unbroken. The seal of the last one is {seal}.");
            let verified =
                AuditVerification { valid: true, entries, first_bad_seq: None, seal: Some(seal) };
            output::print(common, &verified, &text).map(|()| ExitCode::SUCCESS)
        }
        AuditLogState::Broken(broken @ AuditLogFault::At(seq)) => {
            let text = format!(
                "{broken}: it was altered, inserted or deleted. The entries before it are as they \
                 were."
            );
            print_broken(common, seq, &text)
        }
        AuditLogState::Broken(emptied @ AuditLogFault::Emptied) => print_broken(
            common,
            1,
            &format!("{emptied}. Compare the database with its last backup."),
        ),
        AuditLogState::Broken(missing @ AuditLogFault::KeyMissing { .. }) => {
            Err(format!("audit: {missing}; give it in TUA_SERVER_KEY").into())
        }
    }
}

/// Prints that the log is broken at this entry, which may be missing. Entries are counted from 1.
fn print_broken(common: &Common, seq: u64, text: &str) -> Result<ExitCode, Fault> {
    let entries = seq.saturating_sub(1);
    let verified =
        AuditVerification { valid: false, entries, first_bad_seq: Some(seq), seal: None };
    output::print(common, &verified, text).map(|()| ExitCode::FAILURE)
}

impl<'a> AuditRow<'a> {
    fn new(entry: &'a AuditEntry) -> Self {
        let json = |text: &'a Option<String>| {
            text.as_deref().and_then(|text| serde_json::from_str(text).ok())
        };
        Self {
            seq: entry.seq,
            at: output::time(entry.at),
            actor: &entry.actor,
            source: &entry.source,
            action: &entry.action,
            subject: &entry.subject,
            before: json(&entry.before),
            after: json(&entry.after),
            key_version: entry.key_version,
        }
    }
}
