//! Tariffs: what an operator charges for a payment by the merchant's contract with it, and who
//! bears that (docs/reference/quotes.md).

use super::{Kind, string_enum};
use jiff::civil::Date;
use std::{fmt, str::FromStr};
use tua_contract::{Amount, Network};

string_enum! {
    /// Who bears the fee of a charge.
    pub enum Bearer {
        /// The operator keeps it back from what it collects.
        Merchant = "merchant",
        /// The payer pays it in addition to the amount.
        Payer = "payer",
    }
}

/// A percentage from 0 to 100 with at most four decimals, held exactly: in millionths of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Percentage(u32);

/// Millionths of the whole in one per cent, and in the whole.
const PER_CENT: u32 = 10_000;
const WHOLE: i64 = 1_000_000;

impl FromStr for Percentage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || {
            format!(
                "{text:?} is not a percentage from 0 to 100 with at most 4 decimals, such as 1.95"
            )
        };
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(whole) || !is_digits(decimals) || whole.len() > 3 || decimals.len() > 4 {
            return Err(fault());
        }
        let number = |digits: &str| digits.parse::<u32>().map_err(|_| fault());
        let millionths = number(whole)? * PER_CENT + number(&format!("{decimals:0<4}"))?;
        if millionths <= 100 * PER_CENT { Ok(Self(millionths)) } else { Err(fault()) }
    }
}

/// Writes the percentage with at most four decimals: `1.95`.
impl fmt::Display for Percentage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.0 / PER_CENT;
        let decimals = self.0 % PER_CENT;
        let decimals = format!("{decimals:04}");
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            decimals => write!(f, "{whole}.{decimals}"),
        }
    }
}

impl Percentage {
    /// This part of an amount in pesewas, rounded to the next pesewa; half a pesewa is rounded up.
    const fn of(self, amount: Amount) -> i64 {
        // At most 10^11 · 10^6, which an i64 holds.
        (amount.pesewas() * self.0 as i64 + WHOLE / 2) / WHOLE
    }
}

/// The fee of one operator for payments of one direction on some networks, from a day on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tariff {
    /// Whether the fee is of charges or of payouts.
    pub kind: Kind,
    /// The networks to which the fee applies, at least one.
    pub networks: Vec<Network>,
    /// The part of the amount.
    pub percent: Percentage,
    /// What is added to it, in pesewas; not negative.
    pub fixed_pesewas: i64,
    /// The smallest fee, in pesewas.
    pub min_pesewas: Option<i64>,
    /// The largest fee, in pesewas; not below the smallest.
    pub cap_pesewas: Option<i64>,
    /// Who bears it; of a payout always the merchant.
    pub bearer: Bearer,
    /// The first day, in UTC.
    pub from: Date,
}

impl Tariff {
    /// The fee of an amount, in pesewas: the percentage of it and the fixed part, but not below
    /// `min` nor above `cap`.
    #[must_use]
    pub fn fee_pesewas(&self, amount: Amount) -> i64 {
        let fee = self.percent.of(amount) + self.fixed_pesewas;
        let fee = self.min_pesewas.map_or(fee, |min| fee.max(min));
        self.cap_pesewas.map_or(fee, |cap| fee.min(cap))
    }

    fn is_about(&self, kind: Kind, network: Network) -> bool {
        self.kind == kind && self.networks.contains(&network)
    }

    /// Whether both could apply to one payment, so that neither is newer than the other.
    fn overlaps(&self, other: &Self) -> bool {
        self.from == other.from
            && self.networks.iter().any(|network| other.is_about(self.kind, *network))
    }
}

/// The tariffs of one operator. Of those about a direction and network, the one with the latest
/// first day applies.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tariffs(Vec<Tariff>);

impl Tariffs {
    /// Tariffs of which exactly one applies at any time.
    ///
    /// # Errors
    /// The position of a tariff that begins on the same day as an earlier one, for the same
    /// direction and network.
    pub fn new(tariffs: Vec<Tariff>) -> Result<Self, usize> {
        let is_repeated = |(index, tariff): &(usize, &Tariff)| {
            tariffs[..*index].iter().any(|one| one.overlaps(tariff))
        };
        match tariffs.iter().enumerate().find(is_repeated) {
            Some((index, _)) => Err(index),
            None => Ok(Self(tariffs)),
        }
    }

    /// The tariffs, in the order of the settings.
    #[must_use]
    pub fn all(&self) -> &[Tariff] {
        &self.0
    }

    /// The tariff that applies on a day, if any.
    #[must_use]
    pub fn on(&self, kind: Kind, network: Network, day: Date) -> Option<&Tariff> {
        let begun =
            self.0.iter().filter(|tariff| tariff.is_about(kind, network) && tariff.from <= day);
        begun.max_by_key(|tariff| tariff.from)
    }

    /// What a payment costs on a day. `None` if the payer would pay more than an amount can be.
    #[must_use]
    pub fn price(&self, kind: Kind, network: Network, amount: Amount, day: Date) -> Option<Price> {
        let Some(tariff) = self.on(kind, network, day) else {
            return Some(Price::without_tariff(amount));
        };
        let fee = tariff.fee_pesewas(amount);
        let payer_pays = match tariff.bearer {
            Bearer::Merchant => amount,
            Bearer::Payer => Amount::from_pesewas(amount.pesewas() + fee).ok()?,
        };
        Some(Price { payer_pays, fee_pesewas: Some(fee) })
    }
}

/// What a payment costs besides its amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Price {
    /// What the operator is asked for: the amount, and the fee if the payer bears it.
    pub payer_pays: Amount,
    /// The operator's fee by the tariff, in pesewas; `None` without a tariff.
    pub fee_pesewas: Option<i64>,
}

impl Price {
    /// The price of an amount for which there is no tariff.
    #[must_use]
    pub const fn without_tariff(amount: Amount) -> Self {
        Self { payer_pays: amount, fee_pesewas: None }
    }

    /// The part of the fee that the payer bears, in pesewas.
    #[must_use]
    pub const fn payers_fee_pesewas(&self, amount: Amount) -> i64 {
        self.payer_pays.pesewas() - amount.pesewas()
    }

    /// What is left for the merchant of what the payer pays, in pesewas; `None` where the fee is
    /// not known. Not positive where the fee is as large as the amount.
    #[must_use]
    pub fn merchant_receives_pesewas(&self) -> Option<i64> {
        self.fee_pesewas.map(|fee| self.payer_pays.pesewas() - fee)
    }
}

#[cfg(test)]
mod tests;
