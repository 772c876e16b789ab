//! Who pays: networks in the proportions of Ghana, and numbers whose last four digits choose the
//! outcome (docs/reference/test-mode.md#phone-numbers).

use super::randomness::{generator, happens, weighted};
use fastrand::Rng;
use tua_contract::{Network, Phone};

/// The topic of the generators of regular customers.
const TOPIC: u64 = 2;

/// How many customers come again and again.
const REGULARS: u64 = 140;

/// How many sales of a hundred are to a regular customer.
const REGULAR_PERCENT: u32 = 55;

/// The share of each network in a hundred payers: MTN, Telecel, AirtelTigo.
const SHARES: [u32; 3] = [71, 20, 9];

/// The endings of numbers whose charges fail, with how often each of them does: a balance that is
/// too small, no approval in time, a wrong PIN, a refusal, a limit of the wallet, no such wallet.
const FAILURES: [(&str, u32); 6] =
    [("0001", 38), ("0003", 22), ("0004", 15), ("0002", 14), ("0005", 7), ("0006", 4)];

/// The ending of a number whose charges stay pending.
const PENDING: &str = "0007";

/// Somebody with a wallet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Payer {
    pub(crate) network: Network,
    pub(crate) phone: Phone,
}

/// A customer of the shop, whose charges succeed.
pub(super) fn customer(rng: &mut Rng) -> Option<Payer> {
    if happens(rng, REGULAR_PERCENT) {
        // The smaller of two: some come more often than others.
        let number = rng.u64(0..REGULARS).min(rng.u64(0..REGULARS));
        stranger(&mut generator(TOPIC, number))
    } else {
        stranger(rng)
    }
}

/// A payer whose charge fails, for one of the usual reasons.
pub(super) fn failing(rng: &mut Rng) -> Option<Payer> {
    let (ending, _) = FAILURES[weighted(rng, &FAILURES.map(|(_, weight)| weight))];
    with_ending(rng, ending)
}

/// A payer who has not approved yet.
pub(super) fn undecided() -> Option<Payer> {
    Some(Payer { network: Network::Mtn, phone: Phone::parse(&format!("024418{PENDING}")).ok()? })
}

fn stranger(rng: &mut Rng) -> Option<Payer> {
    // None of the numbers that choose an outcome: they end in 0001 to 0022.
    let ending = rng.u32(1000..=9999).to_string();
    with_ending(rng, &ending)
}

fn with_ending(rng: &mut Rng, ending: &str) -> Option<Payer> {
    let network = Network::ALL[weighted(rng, &SHARES)];
    let prefixes: &[&str] = match network {
        Network::Mtn => &["024", "054", "055", "059", "053"],
        Network::Telecel => &["020", "050"],
        Network::AirtelTigo => &["027", "026", "057"],
    };
    let prefix = prefixes[rng.usize(0..prefixes.len())];
    let middle = rng.u32(100..=999);
    Some(Payer { network, phone: Phone::parse(&format!("{prefix}{middle}{ending}")).ok()? })
}
