//! `tua payout batch check` and `create` (docs/reference/payouts.md#a-file-on-the-command-line).

use serde_json::{Value, json};
use std::{fs, path::Path};
use tua_test_support::{
    binary::{RunningService, account, json, not_found, refused, run, tua},
    payout_batches::{lines, outcomes, read},
    test_database::query_number,
};

/// As a spreadsheet program writes it where the decimal sign is a comma.
const FILE: &[u8] = "\u{feff}Phone number;Network;Amount;Note\r\n0241234567;mtn;10.50;March\r\n\
    +233 24 123 4568;MTN;5;\r\n\
    0241234567;MTN;10.5;\r\n"
    .as_bytes();
const TARIFF: &str = "[[sandbox.tariffs]]\ndirection = \"payout\"\nfixed = \"0.50\"\n";

/// A folder with an account and a file of payouts.
pub(super) struct Fixture {
    folder: tempfile::TempDir,
    account: String,
    v2: String,
}

impl Fixture {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (account, _, v2) = account(folder.path());
        fs::write(folder.path().join("tua.toml"), TARIFF).unwrap();
        Self { folder, account, v2 }
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn write(&self, file: impl AsRef<[u8]>) {
        fs::write(self.path().join("march.csv"), file).unwrap();
    }

    /// The arguments of a command about the file.
    pub(super) fn batch<'a>(&'a self, command: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
        let about =
            ["payout", "batch", command, "--account", &self.account, "--mode", "test", "march.csv"];
        [&about[..], rest].concat()
    }

    fn set(&self, limits: &[&str]) {
        json(
            self.path(),
            &[&["account", "set", "--account", &self.account, "--mode", "test"][..], limits]
                .concat(),
        );
    }

    /// The exit code and the report of a check.
    pub(super) fn check(&self) -> (Option<i32>, Value) {
        let output = run(self.path(), &self.batch("check", &["--json", "--config", "tua.toml"]));
        (
            output.status.code(),
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}")),
        )
    }

    pub(super) fn create(&self, key: &str) -> Value {
        json(self.path(), &self.batch("create", &["--yes", "--idempotency-key", key]))
    }

    pub(super) fn refused(&self, rest: &[&str]) -> String {
        refused(tua(self.path()).args(self.batch("create", rest)))
    }

    pub(super) fn payouts(&self) -> i64 {
        query_number(self.path(), "SELECT count(*) FROM transactions WHERE kind = 'PAYOUT'")
    }
}

/// The codes of the findings of each line.
pub(super) fn codes(report: &Value, of: &str) -> Vec<(i64, Vec<String>)> {
    let codes = |line: &Value| {
        let found = line[of]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["code"].as_str().unwrap().to_owned())
            .collect();
        (line["line"].as_i64().unwrap(), found)
    };
    report["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(codes)
        .filter(|(_, found): &(i64, Vec<String>)| !found.is_empty())
        .collect()
}

pub(super) fn found(line: i64, codes: &[&str]) -> (i64, Vec<String>) {
    (line, codes.iter().map(|code| (*code).to_owned()).collect())
}

#[tokio::test]
async fn a_file_is_checked_then_begun_once_and_sent_by_the_running_service() {
    let fixture = Fixture::new();
    fixture.write(FILE);
    let (code, report) = fixture.check();
    assert_eq!(
        (code, &report["canBegin"], &report["count"]),
        (Some(0), &json!(true), &json!(3)),
        "{report}"
    );
    assert_eq!((&report["total"], &report["fees"]), (&json!("26.00"), &json!("1.50")));
    assert_eq!(codes(&report, "warnings"), [found(4, &["repeats-line"])]);
    assert!(!report.to_string().contains("0241234567"), "numbers are masked: {report}");
    let unconfirmed = fixture.refused(&["--idempotency-key", "march"]);
    assert!(
        unconfirmed.contains("--yes begins its 3 payouts of GHS 26.00 in all"),
        "{unconfirmed}"
    );
    assert!(fixture.refused(&["--yes"]).contains("--idempotency-key"));
    assert_eq!(fixture.payouts(), 0, "neither a check nor a command without --yes begins anything");

    let begun = fixture.create("march");
    assert_eq!(
        (&begun["count"], &begun["total"], &begun["replayed"]),
        (&json!(3), &json!("26.00"), &json!(false))
    );
    assert_eq!(
        (&begun["warnings"][0]["line"], &begun["askedBy"]),
        (&json!(4), &json!("command-line")),
        "{begun}"
    );
    let unsent =
        "SELECT count(*) FROM transactions WHERE handed_over_at IS NULL AND send_at IS NOT NULL";
    assert_eq!(query_number(fixture.path(), unsent), 3);
    let again = fixture.create("march");
    assert_eq!((&again["batchId"], &again["replayed"]), (&begun["batchId"], &json!(true)));
    assert_eq!(fixture.payouts(), 3);
    let other = fixture.refused(&["--yes", "--idempotency-key", "march", "--reference", "April"]);
    assert!(other.contains("another request"), "{other}");

    let serving = RunningService::start(fixture.path(), |command| {
        command.args(["--sandbox-speed", "100"]);
    });
    let shop = serving.actor(&fixture.v2);
    let id = begun["batchId"].as_str().unwrap();
    for line in lines(&read(&shop, id).await) {
        shop.until(&line, |status| status["status"] == "SUCCESSFUL").await;
    }
    let shown = json(fixture.path(), &["payout", "batch", "show", id]);
    assert_eq!(
        (&shown["status"], &shown["askedBy"]),
        (&json!("COMPLETED"), &json!("command-line"))
    );
    let (_, report) = fixture.check();
    let repeated = "repeats-payout";
    assert_eq!(
        codes(&report, "warnings"),
        [found(2, &[repeated]), found(3, &[repeated]), found(4, &["repeats-line"])]
    );
    let audit = json(fixture.path(), &["audit", "list"]);
    let entries: Vec<&Value> =
        audit.as_array().unwrap().iter().filter(|entry| entry["subject"] == *id).collect();
    let [entry] = &entries[..] else { panic!("{audit}") };
    assert_eq!(
        (&entry["action"], &entry["source"]),
        (&json!("payout_batch.begun"), &json!("command-line"))
    );
}

#[test]
fn all_faults_of_a_file_are_named_at_once_and_nothing_is_begun() {
    let fixture = Fixture::new();
    fixture.write(
        "phone,network,amount,reference\n0241234567,MTN,5,\n+2.33E+11,MTN,5,\n\n\
         0241234568,Glo,\"0,500\",\n0241234569,MTN,0,\n\
         0241234570,MTN,5,\n",
    );
    let (code, report) = fixture.check();
    assert_eq!(
        (code, &report["canBegin"], &report["total"]),
        (Some(1), &json!(false), &Value::Null)
    );
    let faults = [
        found(3, &["phone-shortened"]),
        found(5, &["network", "amount-comma"]),
        found(6, &["amount"]),
    ];
    assert_eq!(codes(&report, "faults"), faults);
    let said = fixture.refused(&["--yes", "--idempotency-key", "k"]);
    for part in [
        "file march.csv: line 3: ",
        "last digits are lost",
        "line 5: ",
        "; line 6: ",
        "Nothing was begun",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(fixture.payouts(), 0);
    fixture.write(format!("phone,network,amount\n{}", "x,MTN,5\n".repeat(30)));
    let said = fixture.refused(&["--yes", "--idempotency-key", "k"]);
    assert!(
        said.contains("line 21: ")
            && !said.contains("line 22: ")
            && said.contains("and 10 more lines"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_none_of_payouts_is_refused() {
    let fixture = Fixture::new();
    let row = "0241234567,MTN,5\n";
    for (file, text) in [
        (b"phone,network,amount\n\0,MTN,5\n".to_vec(), "UTF-8"),
        (b"MSISDN,Amount\n".to_vec(), "it lacks network, and has \"MSISDN\", \"Amount\""),
        (b"PK\x03\x04".to_vec(), "no workbook that can be read"),
        (row.as_bytes().to_vec(), "the first line must name the columns"),
        (b"phone,network,amount\n".to_vec(), "it has no lines"),
        (b"phone,number,network,amount\n".to_vec(), "two columns"),
        (
            format!("phone,network,amount\n{}", row.repeat(1001)).into_bytes(),
            "more than 1000 lines",
        ),
        (vec![b'x'; (1 << 20) + 1], "more than 1 MiB"),
    ] {
        fixture.write(file);
        for command in ["check", "create"] {
            let rest: &[&str] =
                if command == "check" { &[] } else { &["--yes", "--idempotency-key", "k"] };
            let said = refused(tua(fixture.path()).args(fixture.batch(command, rest)));
            assert!(said.contains("march.csv") && said.contains(text), "{said}");
        }
    }
    fs::remove_file(fixture.path().join("march.csv")).unwrap();
    assert!(fixture.refused(&["--yes", "--idempotency-key", "k"]).contains("march.csv"));
    fixture.write(FILE);
    let other =
        ["payout", "batch", "check", "--account", "acc_none", "--mode", "test", "march.csv"];
    assert!(not_found(tua(fixture.path()).args(other)).contains("acc_none"));
    assert_eq!(fixture.payouts(), 0);
}

#[tokio::test]
async fn limits_count_and_a_large_sum_waits_for_an_approval() {
    let fixture = Fixture::new();
    fixture.write(FILE);
    let create = ["--yes", "--idempotency-key", "k"];
    fixture.set(&["--payout-limit", "10"]);
    assert_eq!(codes(&fixture.check().1, "faults"), [found(2, &["limit"]), found(4, &["limit"])]);
    let said = fixture.refused(&create);
    assert!(
        said.contains("line 2: ") && said.contains("line 4: ") && !said.contains("line 3: "),
        "{said}"
    );
    fixture.set(&["--payout-limit", "none", "--payout-daily-limit", "25.99"]);
    let (code, report) = fixture.check();
    assert_eq!((code, report["faults"].as_array().unwrap().len()), (Some(1), 1), "{report}");
    assert!(fixture.refused(&create).contains("25.99"));
    json(fixture.path(), &["account", "suspend", &fixture.account]);
    fixture.set(&["--payout-daily-limit", "26", "--payout-approval-above", "25"]);
    assert_eq!(fixture.check().1["faults"], json!(["this account is suspended"]));
    assert!(fixture.refused(&create).contains("this account is suspended"));
    assert_eq!(fixture.payouts(), 0);
    json(fixture.path(), &["account", "resume", &fixture.account]);
    assert_eq!(fixture.check().1["needsApproval"], json!(true));
    let begun = fixture.create("k");
    assert_eq!(begun["nextAction"], "APPROVE_IN_DASHBOARD");
    // The batch itself has used up the limit of the day.
    assert_eq!(fixture.create("k")["batchId"], begun["batchId"]);
    let id = begun["batchId"].as_str().unwrap();
    assert_eq!(json(fixture.path(), &["payout", "approve", id, "--as", "Kofi"])["changed"], 3);
    let serving = RunningService::start(fixture.path(), |command| {
        command.args(["--sandbox-speed", "100"]);
    });
    let shop = serving.actor(&fixture.v2);
    for line in lines(&read(&shop, id).await) {
        shop.until(&line, |status| status["status"] == "SUCCESSFUL").await;
    }
    assert_eq!(outcomes(&read(&shop, id).await), ["SUCCESSFUL"; 3]);
}
