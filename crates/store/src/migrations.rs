//! The versions of the schema. Both engines have them under the same names.

/// The SQL of each version for an engine, passed to a function. A released migration is never
/// edited; a change is a new migration at the end.
macro_rules! migrations {
    ($engine:literal, $migration:path) => {
        $crate::migrations::migrations!(
            $engine, $migration,
            "01-init" "02-mail" "03-quotes" "04-closed-days" "05-identities" "06-people"
            "07-abandoned-statements" "08-moot-mail" "09-closed-accounts" "10-failures"
            "11-claims-and-revocations" "12-people-apart" "13-refusals" "14-statement-days"
            "15-refund-days" "16-alerts" "17-connected-operators" "18-ledger-day-sums"
            "19-mail-servers" "20-checkout-lists" "21-fewer-writes" "22-sandbox-clock"
            "23-sandbox-clocks-ahead" "24-till-pin" "25-incomplete-records"
            "26-emails-without-case" "27-webhook-responses" "28-single-payouts" "29-fee-days"
            "30-unknown-fees" "31-last-sign-ins" "32-new-device-alerts" "33-phone-times"
            "34-audit-of-requests" "35-sandbox-fees" "36-questions-and-late-fees"
            "37-links-by-age"
        )
    };
    ($engine:literal, $migration:path, $($name:literal)*) => {
        &[$($migration(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"), "/migrations/", $engine, "/", $name, ".sql"
        )))),*]
    };
}
pub(crate) use migrations;
