//! Which transactions a list contains.

use super::Search;
use crate::{LinkId, calendar::start_of_day, refund_values::TransactionType, string_enum};
use jiff::{Timestamp, civil::Date};
use tua_contract::{FailureCode, Network, Status};

string_enum! {
    /// Why somebody should look at a transaction.
    pub enum Attention {
        /// A review must decide: the transaction is pending and its outcome unknown, or it is final
        /// and the operator contradicts it or the payer disputes it.
        Flagged = "flagged",
        /// Pending, and no review decides yet: it is unknown whether the operator has the order, or
        /// the payment has been pending for long.
        Uncertain = "uncertain",
        /// Pending: a payout or refund that waits for an approval.
        Unapproved = "unapproved",
        /// Pending, and none of the others: it needs no person.
        InProgress = "in-progress",
    }
}

/// What a transaction must match. The default matches all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReportFilter {
    /// Only transactions that match the search text; `None` for all.
    pub search: Option<Search>,
    /// Only transactions of these types; `None` for all types.
    pub types: Option<Vec<TransactionType>>,
    /// Only transactions with this status; `None` for every status.
    pub status: Option<Status>,
    /// Only transactions on this network; `None` for every network.
    pub network: Option<Network>,
    /// Only transactions that failed with this code; `None` for all.
    pub failure: Option<FailureCode>,
    /// Only charges of this link; `None` for all.
    pub link: Option<LinkId>,
    /// Only transactions that are no line of a batch.
    pub is_single: bool,
    /// Only transactions that somebody should look at for this reason; `None` for all.
    pub attention: Option<Attention>,
    /// Created on this day or later, in Ghana's zone (UTC).
    pub from: Option<Date>,
    /// Created on this day or earlier, in Ghana's zone (UTC).
    pub to: Option<Date>,
    /// Created before this time, which ends the period within its last day; `None` for the whole
    /// day.
    pub until: Option<Timestamp>,
}

impl ReportFilter {
    /// This filter, without payouts: for people who may not see whom the shop pays.
    #[must_use]
    pub fn without_payouts(self) -> Self {
        let types = self.types.unwrap_or_else(|| TransactionType::ALL.to_vec());
        let types = types.into_iter().filter(|one| *one != TransactionType::Payout).collect();
        Self { types: Some(types), ..self }
    }

    /// Whether transactions of this type can be in the list.
    #[must_use]
    pub fn has_type(&self, wanted: TransactionType) -> bool {
        self.types.as_ref().is_none_or(|types| types.contains(&wanted))
    }

    /// Whether the totals of days have the numbers of this filter: they are counted by day, type,
    /// network and final status.
    #[must_use]
    pub fn has_day_totals(&self) -> bool {
        let Self { search, failure, attention, status, until, link, is_single, .. } = self;
        search.is_none()
            && link.is_none()
            && !is_single
            && until.is_none()
            && failure.is_none()
            && attention.is_none()
            && *status != Some(Status::Pending)
    }

    /// The first moment of the period.
    #[must_use]
    pub fn since(&self) -> Option<Timestamp> {
        self.from.and_then(start_of_day)
    }

    /// The first moment after the period.
    #[must_use]
    pub fn before(&self) -> Option<Timestamp> {
        let end = self.to.and_then(|day| day.tomorrow().ok()).and_then(start_of_day);
        end.into_iter().chain(self.until).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::day_of;

    #[test]
    fn a_period_contains_its_last_day() {
        let day = jiff::civil::date(2026, 2, 28);
        let filter = ReportFilter { from: Some(day), to: Some(day), ..ReportFilter::default() };
        assert_eq!(filter.since().unwrap().to_string(), "2026-02-28T00:00:00Z");
        assert_eq!(filter.before().unwrap().to_string(), "2026-03-01T00:00:00Z");
        assert_eq!(day_of(filter.since().unwrap()), day);
    }

    #[test]
    fn a_period_that_ends_within_a_day_is_not_in_the_totals_of_days() {
        let day = jiff::civil::date(2026, 2, 28);
        let until: Timestamp = "2026-02-28T09:30:00Z".parse().unwrap();
        let days = ReportFilter { from: Some(day), to: Some(day), ..ReportFilter::default() };
        let filter = ReportFilter { until: Some(until), ..days.clone() };
        assert_eq!(filter.before(), Some(until));
        assert!(days.has_day_totals() && !filter.has_day_totals());
        let until = Some("2026-03-02T00:00:00Z".parse().unwrap());
        assert_eq!(ReportFilter { until, ..days.clone() }.before(), days.before());
    }
}
