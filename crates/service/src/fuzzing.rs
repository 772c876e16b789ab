//! Every parser of bytes that come from elsewhere, for fuzzing. Each panics where it takes what the
//! contract forbids, or does not read back what it wrote.

use std::str::from_utf8;
use tua_companion::{catalogue::Catalogue, order::Order, upstream::CheckoutRequest};
use tua_contract::{Amount, Code, Phone};
use tua_domain::{Mode, encrypted_secret::EncryptedSecret, listing::Cursor, secret::ServerKey};
use tua_operators::statement_columns::StatementColumns;
use tua_tables::{
    payout_file::{FileFault, NetworkNames, PayoutFile, line_counts},
    statement_file::StatementSource,
    table_file::{TableFile, TableForm},
};
use tua_web::http;
use tua_webhooks::endpoint_url::parse_url;

/// A parser, and what must be so of everything that it takes.
pub type Target = fn(&[u8]);

/// All of them, by name.
pub const TARGETS: [(&str, Target); 13] = [
    ("amount", amount),
    ("body", http::fuzzing::body),
    ("catalogue", catalogue),
    ("code", code),
    ("config", config),
    ("cursor", cursor),
    ("event", event),
    ("headers", http::fuzzing::headers),
    ("order", order),
    ("phone", phone),
    ("query", http::fuzzing::query),
    ("table", table),
    ("webhook", webhook),
];

/// Runs one of them.
///
/// # Panics
/// Where there is no such parser, and where it is wrong.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    #[expect(clippy::expect_used, reason = "a fuzz target that runs nothing would always pass")]
    target.expect("a known target").1(bytes);
}

fn amount(bytes: &[u8]) {
    let Ok(text) = from_utf8(bytes) else { return };
    let Ok(amount) = Amount::parse(text) else { return };
    assert!((1..=100_000_000_000).contains(&amount.pesewas()));
    assert_eq!(Amount::parse(&amount.to_string()), Ok(amount));
    assert!(
        serde_json::from_str::<serde_json::Number>(text).is_ok() || text.contains(['e', 'E']),
        "no JSON number"
    );
}

fn phone(bytes: &[u8]) {
    let Ok(text) = from_utf8(bytes) else { return };
    for phone in [Phone::parse(text), Phone::parse_typed(text)].into_iter().flatten() {
        let digits = phone.as_str();
        assert!(
            digits.len() == 10
                && digits.starts_with('0')
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        );
        assert_eq!(Phone::parse(digits), Ok(phone.clone()));
    }
}

fn code(bytes: &[u8]) {
    let Ok(text) = from_utf8(bytes) else { return };
    let Ok(code) = Code::parse(text) else { return };
    let code = code.expose();
    assert!(
        (4..=10).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
    );
}

fn cursor(bytes: &[u8]) {
    let Some(cursor) = from_utf8(bytes).ok().and_then(Cursor::read) else { return };
    assert_eq!(Cursor::read(&cursor.write()), Some(cursor));
}

fn event(bytes: &[u8]) {
    let Some(event) = from_utf8(bytes).ok().and_then(tua_sql::event_json::read) else { return };
    assert_eq!(tua_sql::event_json::read(&tua_sql::event_json::write(&event)), Some(event));
}

/// A file of payouts, and a statement. No line disappears, and no amount is read that is none.
fn table(bytes: &[u8]) {
    let form = TableForm::default();
    let Ok(table) = TableFile::read(bytes.to_vec(), &form) else { return };
    let lines = table.rows().count() as u64;
    if let Ok(file) = PayoutFile::read(&table, &form, NetworkNames::Confirmed) {
        assert_eq!(
            line_counts(&file, &file.checked(None)).in_file(),
            lines,
            "a line has disappeared"
        );
        let payouts = file.lines.iter().filter_map(|line| line.payout.as_ref());
        assert!(
            payouts
                .clone()
                .all(|payout| (1..=100_000_000_000).contains(&payout.transfer.amount.pesewas()))
        );
        assert!(file.lines.iter().all(|line| line.payout.is_some() == line.faults.is_empty()));
        let transfers = |file: &PayoutFile| {
            let transfers = file.payouts()?.into_iter().map(|payout| payout.transfer);
            Some(
                transfers
                    .map(|one| (one.phone.as_str().to_owned(), one.network, one.amount))
                    .collect::<Vec<_>>(),
            )
        };
        let copy = TableFile::read(table.into_text().into_bytes(), &form).map_err(FileFault::from);
        let copied = copy.and_then(|copy| PayoutFile::read(&copy, &form, NetworkNames::Confirmed));
        let is_equal = |copied: PayoutFile| {
            transfers(&file).is_none() || transfers(&copied) == transfers(&file)
        };
        assert!(copied.is_ok_and(is_equal), "the page would confirm other payouts than it shows");
    }
    if let Ok(source) = StatementSource::read(bytes, &StatementColumns::default()) {
        assert_eq!(source.lines().count() as u64, lines, "a line has disappeared");
    }
}

/// A webhook's address, an encrypted secret, and networks of proxies.
fn webhook(bytes: &[u8]) {
    let encrypted = EncryptedSecret::from_bytes(bytes.to_vec());
    let key = ServerKey::parse(&"A".repeat(43));
    assert!(key.is_ok_and(|key| encrypted.decrypt(&key).is_none()), "a secret was forged");
    let Ok(text) = from_utf8(bytes) else { return };
    let _ = (tua_net::client::parse_trusted(text), ServerKey::parse(text));
    for mode in [Mode::Test, Mode::Live] {
        let Ok(url) = parse_url(text, mode, false) else { continue };
        assert!(url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
        assert!(url.scheme() == "https" || (mode == Mode::Test && url.scheme() == "http"));
        let private = ["127.", "10.", "169.254.", "192.168.", "0.", "[::1]"];
        let host = url.host_str().unwrap_or_default();
        let is_address = matches!(url.host(), Some(url::Host::Ipv4(_) | url::Host::Ipv6(_)));
        assert!(
            mode == Mode::Test
                || !is_address
                || !private.iter().any(|start| host.starts_with(start))
        );
        let reserved = [
            "168.63.129.16",
            "192.88.99.",
            "[64:ff9b:",
            "[2002:",
            "[2001:0:",
            "[fe80:",
            "[ff02:",
            "[::a",
        ];
        assert!(!is_address || !reserved.iter().any(|start| host.starts_with(start)), "{host}");
        assert!(!text.contains(char::is_control));
    }
}

fn config(bytes: &[u8]) {
    let Ok(text) = from_utf8(bytes) else { return };
    let Ok(written) = tua_config::parse(text) else { return };
    if let Ok(config) = tua_config::Config::resolve(written, None, None) {
        assert!((0.001..=1_000_000.0).contains(&config.sandbox_speed));
        assert!(!config.database.to_string().is_empty());
        let rates = config.limits.rates();
        for share in [rates.connections_per_address, rates.polls_per_address] {
            assert!((1..=1_000_000).contains(&share));
        }
    }
}

fn catalogue(bytes: &[u8]) {
    let Ok(text) = from_utf8(bytes) else { return };
    let Ok(catalogue) = Catalogue::parse(text) else { return };
    assert!(catalogue.items.keys().all(|sku| (1..=32).contains(&sku.len())));
    assert!(catalogue.donation.is_none_or(|donation| donation.min <= donation.max));
}

fn order(bytes: &[u8]) {
    let shop = "[items.a]\nname = \"A\"\nprice = \"1.10\"\n[items.b]\nname = \"B\"\n\
        price = \"900000000\"\n\
        [donation]\nname = \"D\"\nmin = \"1\"\nmax = \"5000\"\n";
    let Ok(catalogue) = Catalogue::parse(shop) else { return };
    let Ok(order) = Order::read(bytes, &catalogue) else { return };
    let request = serde_json::to_vec(&CheckoutRequest::new(&order, "shop-0123456789abcdef"))
        .unwrap_or_default();
    // The metadata of a page is for the service to check.
    let has_metadata =
        serde_json::to_string(&order.metadata).is_ok_and(|metadata| metadata != "{}");
    assert!(
        has_metadata || http::fuzzing::is_checkout(&request),
        "the service refuses a cart that the companion accepts"
    );
    let sum: i64 =
        order.lines.iter().map(|line| line.price.pesewas() * i64::from(line.quantity)).sum();
    assert_eq!(order.total.pesewas(), sum);
    assert!(
        (1..=30).contains(&order.lines.len())
            && order.lines.iter().all(|line| (1..=999).contains(&line.quantity))
    );
    for line in &order.lines {
        let known = catalogue.items.get(&line.sku).map(|item| item.price);
        assert!(
            known.map_or(line.sku == "donation", |price| price == line.price),
            "a page set its own price"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What each of them reads, so that more than the first byte of it is tried.
    const SEEDS: [&str; 18] = [
        r#"{"amount":10.50,"phoneNumber":"0241234567","network":"MTN","reference":"a","metadata":{"a":[1,1e9]}}"#,
        r#"{"amount":10.5,"email":"ama@example.com","returnUrl":"https://shop.example/"}"#,
        r#"{"transactionId":"txn_1","otp":"1234"}"#,
        r#"{"items":[{"sku":"a","quantity":3},{"sku":"donation","amount":2.5}],"email":"ama@example.com","metadata":{"b":1}}"#,
        r#"{"kind":"moved","status":"PENDING","next_action":"WAIT","failure":null}"#,
        "[items.a]\nname = \"A\"\nprice = \"1.10\"\n",
        "listen = \"127.0.0.1:1\"\nsandbox-speed = \"2\"\n[limits]\n\
         address = { quota = 7, window = 9 }\n\
         polls-per-address = 3\n",
        "https://shop.example:8443/hooks?shop=1",
        "http://[::ffff:127.0.0.1]/",
        "status=PENDING&limit=7&createdAfter=2026-11-21T10:00:00Z&cursor=MTc2MyB0eG5fMQ",
        "MTc2MyB0eG5fMQ",
        "\u{0}wait=5\n\u{1}wait=30, respond-async\n\u{3}tua_test_v2_x\n\u{4}Bearer x",
        "+233 24 123 4567",
        "0241234567",
        "1e-2",
        "\u{feff}phone;network;amount;note\r\n=\"0241234567\";AT Money;1 500,00;\"a;b\"\r\n\r\n\
         2.33241234567E+11;MTN;(5);\r\n",
        "Transaction ID,Type,Amount,Completed,Fee\nx,DEPOSIT,-1.50,2026-11-22T10:00:00Z,0.1 DR\n",
        "10.0.0.0/8, ::1",
    ];

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let mutated = (
            prop::sample::select(&SEEDS[..]),
            prop::collection::vec((any::<u8>(), 0..200_usize, 0..3_u8), 0..6),
        );
        let mutated = mutated.prop_map(|(seed, changes)| {
            let mut bytes = seed.as_bytes().to_vec();
            for (byte, at, how) in changes {
                let at = at % (bytes.len() + 1);
                match (how, at < bytes.len()) {
                    (0, true) => bytes[at] = byte,
                    (1, true) => drop(bytes.remove(at)),
                    _ => bytes.insert(at, byte),
                }
            }
            bytes
        });
        prop_oneof![1 => prop::collection::vec(any::<u8>(), 0..300), 4 => mutated]
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 1500,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn no_bytes_break_a_parser_or_get_past_it(bytes in bytes()) {
            for (_, target) in TARGETS {
                target(&bytes);
            }
        }
    }

    #[test]
    fn every_seed_is_fine() {
        for (_, target) in TARGETS {
            SEEDS.iter().for_each(|seed| target(seed.as_bytes()));
        }
    }
}
