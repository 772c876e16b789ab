use super::*;
use crate::{
    ConnectedOperatorId, Transfer,
    callback_request::CallbackRequest,
    capabilities::{Capabilities, Service},
    connected_operator::{ConnectedOperator, ConnectedRoutes},
    encrypted_secret::EncryptedSecret,
    ports::{
        CallbackRefusal, CancelResponse, CodeResponse, Order, SendPermit, SendResponse, SentOrder,
        StatusResponse, VerifiedCallback,
    },
    transfer::TransferTerms,
};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp, civil::date};
use std::time::{Duration, Instant};
use tua_contract::{Code, Phone};

/// An operator that is never called.
#[derive(Debug)]
struct Idle(Capabilities, Availability);

#[async_trait]
impl Operator for Idle {
    fn capabilities(&self) -> Capabilities {
        self.0.clone()
    }

    fn availability(&self, _: Network, _: Kind) -> Availability {
        self.1
    }

    async fn send(&self, _: &Order, _: &SendPermit) -> SendResponse {
        SendResponse::NotSent
    }

    async fn submit_code(&self, _: &SentOrder, _: &Code) -> CodeResponse {
        CodeResponse::Unanswered
    }

    async fn query_status(&self, _: &SentOrder) -> StatusResponse {
        StatusResponse::Unanswered
    }

    async fn cancel(&self, _: &SentOrder) -> CancelResponse {
        CancelResponse::NotConfirmed
    }

    async fn verify_callback(
        &self,
        _: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        Err(CallbackRefusal::WrongSignature)
    }
}

fn amount(pesewas: i64) -> Amount {
    Amount::from_pesewas(pesewas).unwrap()
}

fn up_to(pesewas: i64) -> Capabilities {
    let amounts = amount(100)..=amount(pesewas);
    let service = Service { network: Network::Mtn, kind: Kind::Charge, amounts };
    Capabilities { services: vec![service], ..Capabilities::serving(&[], &[]) }
}

fn entry(name: &str, capabilities: Capabilities, availability: Availability) -> OperatorEntry {
    let pin = PinnedOperator {
        name: name.parse().unwrap(),
        fingerprint: OperatorFingerprint::of(&[name]),
    };
    OperatorEntry::new(pin, Mode::Live, Arc::new(Idle(capabilities, availability)))
}

fn operators(entries: Vec<OperatorEntry>) -> Operators {
    let names = entries.iter().map(|entry| entry.pin.name.clone()).collect();
    let routes = Routes::from([((Mode::Live, Network::Mtn, Kind::Charge), names)]);
    let operators = Operators::new(entries.into_iter().map(Arc::new).collect(), routes);
    operators.replace_connected(Vec::new(), Vec::new());
    operators
}

fn choose(operators: &Operators, pesewas: i64) -> Result<String, RouteError> {
    let transfer = Transfer {
        kind: Kind::Charge,
        amount: amount(pesewas),
        network: Network::Mtn,
        phone: Phone::parse("0241234567").unwrap(),
    };
    let account = AccountId::new("acc_one");
    let day = date(2026, 1, 1);
    let mode = Mode::Live;
    let account = &account;
    let terms = transfer.terms();
    let request =
        RouteRequest { mode, account, terms, is_phone_typed_by_payer: true, preferred: None, day };
    operators.choose(request).map(|chosen| chosen.operator.unwrap().name.to_string())
}

fn service(operators: &Operators) -> NetworkService {
    let account = AccountId::new("acc_one");
    let network = Network::Mtn;
    let kind = Kind::Charge;
    let request = NetworkServiceRequest {
        mode: Mode::Live,
        account: &account,
        network,
        kind,
        is_phone_typed_by_payer: true,
    };
    operators.network_service(request)
}

#[test]
fn the_first_that_can_take_the_payment_is_chosen() {
    use Availability::{Down, Operational};
    let both = operators(vec![
        entry("one", up_to(500), Operational),
        entry("two", up_to(900), Operational),
    ]);
    assert_eq!(choose(&both, 500).unwrap(), "one");
    assert_eq!(choose(&both, 501).unwrap(), "two", "outside the first one's limits");
    assert_eq!(choose(&both, 901), Err(RouteError::AmountOutOfRange(amount(100)..=amount(900))));
    assert_eq!(choose(&both, 99), Err(RouteError::AmountOutOfRange(amount(100)..=amount(900))));
    let first_down =
        operators(vec![entry("one", up_to(900), Down), entry("two", up_to(500), Operational)]);
    assert_eq!(choose(&first_down, 500).unwrap(), "two");
    assert_eq!(
        choose(&first_down, 501),
        Err(RouteError::NetworkUnavailable),
        "the first one would take it later"
    );
    assert_eq!(service(&first_down).availability, Availability::Degraded);
    assert_eq!(service(&first_down).permitted_range, Some(amount(100)..=amount(900)));
}

#[test]
fn an_open_breaker_sends_payments_to_the_next_one_and_then_to_nobody() {
    let both = operators(vec![
        entry("one", up_to(500), Availability::Operational),
        entry("two", up_to(500), Availability::Operational),
    ]);
    for (entry, expected) in
        both.entries().iter().zip([Ok("two".to_owned()), Err(RouteError::NetworkUnavailable)])
    {
        for _ in 0..breaker::FAILURES_TO_OPEN {
            entry.charges.failed(Timestamp::UNIX_EPOCH);
        }
        assert_eq!(choose(&both, 100), expected);
    }
    assert_eq!(service(&both).availability, Availability::Down);
}

#[test]
fn other_accounts_draining_entries_and_unverified_numbers_are_not_served() {
    let served = || entry("one", up_to(500), Availability::Operational);
    let others = OperatorEntry { accounts: Some(vec![AccountId::new("acc_two")]), ..served() };
    let draining = OperatorEntry { is_draining: true, ..served() };
    for refused in [others, draining] {
        let operators = operators(vec![refused]);
        assert_eq!(choose(&operators, 100), Err(RouteError::NoOperator(Mode::Live)));
        assert_eq!(
            service(&operators),
            NetworkService {
                network_end: None,
                availability: Availability::Down,
                permitted_range: None
            }
        );
    }
    let careful = Capabilities { needs_verified_numbers: true, ..up_to(500) };
    let unverified = entry("one", careful.clone(), Availability::Operational);
    assert_eq!(choose(&operators(vec![unverified]), 100), Err(RouteError::NoOperator(Mode::Live)));
    let accepting = entry("one", careful, Availability::Operational);
    let accepting = OperatorEntry { accepts_unverified_numbers: true, ..accepting };
    assert_eq!(choose(&operators(vec![accepting]), 100).unwrap(), "one");
}

#[test]
fn a_pin_is_served_by_the_entry_with_its_fingerprint_under_any_name() {
    let renamed = PinnedOperator {
        name: "old-name".parse().unwrap(),
        fingerprint: OperatorFingerprint::of(&["one"]),
    };
    let operators = operators(vec![entry("one", up_to(500), Availability::Operational)]);
    assert!(operators.serving(Mode::Live, Some(&renamed)).is_some());
    let other = PinnedOperator {
        name: "one".parse().unwrap(),
        fingerprint: OperatorFingerprint::of(&["two"]),
    };
    assert!(
        operators.serving(Mode::Live, Some(&other)).is_none(),
        "the same name, but another merchant"
    );
    assert!(
        operators.serving(Mode::Live, None).is_none(),
        "live mode is never served by the sandbox"
    );
}

/// An operator that people of `acc_one` connected, with these credentials in force since `since`.
fn connected(routes: &str, capabilities: Capabilities, since: Timestamp) -> LoadedOperator {
    let stored = ConnectedOperator {
        id: ConnectedOperatorId::new("opr_one".to_owned()),
        account: AccountId::new("acc_one"),
        name: "mtn".parse().unwrap(),
        connector: "mtn-momo".to_owned(),
        credentials: EncryptedSecret::from_bytes(Vec::new()),
        replacement: None,
        routes: ConnectedRoutes::of_row(routes),
        supersedes: None,
        version: 1,
        created_at: since,
        checked_at: Some(since),
        retired_at: None,
    };
    let entry = OperatorEntry {
        source: EntrySource::Dashboard(stored.id.clone()),
        pin: stored.pin(),
        accounts: Some(vec![stored.account.clone()]),
        credentials_since: Some(since),
        ..entry("mtn", capabilities, Availability::Operational)
    };
    LoadedOperator { stored, entry: Arc::new(entry) }
}

#[test]
fn a_list_of_connected_operators_that_is_too_old_serves_nothing_new() {
    let operators = Operators::default();
    let one = connected("MTN:CHARGE", up_to(500), Timestamp::UNIX_EPOCH);
    let pin = one.entry.pin.clone();
    operators.replace_connected(vec![one.clone()], Vec::new());
    assert_eq!(choose(&operators, 500).unwrap(), "mtn");
    let long_ago = Instant::now().checked_sub(Duration::from_secs(61)).unwrap();
    operators.connected.replace_at(vec![one], Vec::new(), long_ago);
    assert_eq!(choose(&operators, 500), Err(RouteError::NetworkUnavailable));
    assert!(operators.entry_of(&pin).is_some(), "its pending payments go on");
}

#[test]
fn an_operator_whose_credentials_cannot_be_used_here_is_still_set_up() {
    let operators = Operators::default();
    let one = connected("MTN:CHARGE", up_to(500), Timestamp::UNIX_EPOCH);
    let fingerprint = one.entry.pin.fingerprint.clone();
    operators.replace_connected(Vec::new(), vec![one.stored]);
    assert_eq!(choose(&operators, 500), Err(RouteError::NetworkUnavailable));
    assert_eq!(operators.fingerprints(), [fingerprint]);
    let other = AccountId::new("acc_other");
    assert_eq!(operators.unserved_error(Mode::Live, &other), RouteError::NoOperator(Mode::Live));
}

#[test]
fn an_order_near_or_before_a_change_of_credentials_may_have_been_sent_with_earlier_ones() {
    let since = Timestamp::UNIX_EPOCH;
    let one = connected("", up_to(500), since).entry;
    assert!(one.may_have_earlier_credentials(since - SignedDuration::from_secs(1)));
    assert!(one.may_have_earlier_credentials(since + SignedDuration::from_secs(60)));
    assert!(!one.may_have_earlier_credentials(since + SignedDuration::from_mins(5)));
    let of_settings = entry("one", up_to(500), Availability::Operational);
    assert!(!of_settings.may_have_earlier_credentials(since));
}

#[test]
fn an_operator_of_the_refunded_charge_is_first_also_where_it_serves_nothing_new() {
    let operators = operators(vec![entry("one", up_to(500), Availability::Operational)]);
    let removed = connected("", up_to(500), Timestamp::UNIX_EPOCH);
    let pin = removed.entry.pin.clone();
    operators.replace_connected(vec![removed], Vec::new());
    let account = AccountId::new("acc_one");
    let other = AccountId::new("acc_two");
    let chosen = |account: &AccountId| {
        let terms =
            TransferTerms { kind: Kind::Charge, network: Network::Mtn, amount: amount(100) };
        let request = RouteRequest {
            mode: Mode::Live,
            account,
            terms,
            is_phone_typed_by_payer: false,
            preferred: Some(&pin),
            day: date(2026, 1, 1),
        };
        operators.choose(request).unwrap().operator.unwrap().name.to_string()
    };
    assert_eq!(chosen(&account), "mtn");
    assert_eq!(chosen(&other), "one", "it serves its own account alone");
}
