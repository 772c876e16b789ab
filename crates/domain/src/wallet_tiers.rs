//! What wallets may move in a day, by their registration: the rules of the Bank of Ghana of 1 March
//! 2024 (docs/reference/payouts.md#limits-of-wallets). Nobody but the operator knows the level of a
//! wallet, so these only warn.

/// The limits of a day in pesewas, from the lowest level of registration to the highest, with what
/// exceeds each.
const DAILY_LIMITS: [(i64, TierWarning); 3] = [
    (2_500_000, TierWarning::AboveEveryLevel),
    (1_500_000, TierWarning::HighestLevelOnly),
    (300_000, TierWarning::AboveLowestLevel),
];

/// What a sum in one day means for the wallet that gets or pays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TierWarning {
    /// More than GHS 3,000: a wallet of the lowest level cannot take it.
    AboveLowestLevel,
    /// More than GHS 15,000: only a wallet of the highest level can.
    HighestLevelOnly,
    /// More than GHS 25,000: no personal wallet can.
    AboveEveryLevel,
}

impl TierWarning {
    /// The warning about a sum in pesewas that one wallet moves in one day; `None` where every
    /// wallet may.
    #[must_use]
    pub fn about(pesewas: i64) -> Option<Self> {
        DAILY_LIMITS.into_iter().find(|(limit, _)| pesewas > *limit).map(|(_, warning)| warning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_itself_is_still_allowed() {
        for (pesewas, expected) in [
            (300_000, None),
            (300_001, Some(TierWarning::AboveLowestLevel)),
            (1_500_000, Some(TierWarning::AboveLowestLevel)),
            (1_500_001, Some(TierWarning::HighestLevelOnly)),
            (2_500_000, Some(TierWarning::HighestLevelOnly)),
            (2_500_001, Some(TierWarning::AboveEveryLevel)),
        ] {
            assert_eq!(TierWarning::about(pesewas), expected, "{pesewas}");
        }
    }
}
