//! The filter of a list in the query of its address, so that it is visible, can be shared, and is
//! never remembered.

use super::fields::typed_day;
use minijinja::{Value, context};
use tua_contract::{FailureCode, Network, Status};
use tua_domain::{
    listing::Cursor,
    refund::TransactionType,
    reporting::{Attention, FilterTotals, Position, ReportFilter, Search},
};
use url::form_urlencoded::{Serializer, parse};

/// A list's filter and position, with what was not understood.
#[derive(Clone, Debug, Default)]
pub(super) struct ListQuery {
    pub(super) filter: ReportFilter,
    pub(super) position: Position,
    /// The names of parameters that were not understood. They do not narrow the list.
    pub(super) unknown: Vec<String>,
}

impl ListQuery {
    /// Reads a query. An empty value is no filter: forms send all their fields.
    pub(super) fn read(query: Option<&str>) -> Self {
        let mut list = Self::default();
        for (name, value) in parse(query.unwrap_or_default().as_bytes()) {
            if !value.trim().is_empty() && !list.apply_parameter(&name, value.trim()) {
                list.unknown.push(name.into_owned());
            }
        }
        list
    }

    /// Reads one parameter; returns whether it was understood.
    fn apply_parameter(&mut self, name: &str, value: &str) -> bool {
        let filter = &mut self.filter;
        let cursor = |value| Cursor::read(value);
        match name {
            "q" => set(&mut filter.search, Search::parse(value)),
            "type" => set(&mut filter.types, TransactionType::parse(value).map(|one| vec![one])),
            "status" => set(&mut filter.status, Status::parse(value)),
            "network" => set(&mut filter.network, Network::parse(value)),
            "failure" => set(&mut filter.failure, FailureCode::parse(value)),
            "attention" => set(&mut filter.attention, Attention::parse(value)),
            "from" => set(&mut filter.from, typed_day(value)),
            "to" => set(&mut filter.to, typed_day(value)),
            "after" => {
                cursor(value).map(|cursor| self.position = Position::After(cursor)).is_some()
            }
            "before" => {
                cursor(value).map(|cursor| self.position = Position::Before(cursor)).is_some()
            }
            _ => false,
        }
    }

    /// Whether the first day is after the last one, so that nothing can match.
    pub(super) fn is_reversed(&self) -> bool {
        self.filter.from.zip(self.filter.to).is_some_and(|(from, to)| from > to)
    }

    /// The query of this filter, of its first page.
    pub(super) fn address(&self) -> String {
        query(&parameters(&self.filter))
    }

    /// The query of another page of this filter.
    pub(super) fn address_of_page(&self, name: &'static str, cursor: &Cursor) -> String {
        let mut all = parameters(&self.filter);
        all.push((name, cursor.write()));
        query(&all)
    }

    /// The tabs of a list that is not counted, one for each status.
    pub(super) fn plain_tabs() -> Vec<Value> {
        let tab = |status: Option<Status>| {
            let query = address_of(&ReportFilter { status, ..ReportFilter::default() });
            context! { status => status.map_or("", Status::as_str), query }
        };
        std::iter::once(None).chain(Status::ALL.map(Some)).map(tab).collect()
    }

    /// The same filter with another status, as a tab of the list. `totals` are those of the filter
    /// with any status.
    pub(super) fn tab(&self, status: Option<Status>, totals: &FilterTotals) -> Value {
        let query = address_of(&ReportFilter { status, ..self.filter.clone() });
        let count = status.map_or_else(|| totals.payments(), |one| totals.with_status(one));
        let is_capped = totals.is_capped();
        context! { status => status.map_or("", Status::as_str), query, count, is_capped }
    }

    /// What narrows the list, each with the query without it.
    pub(super) fn chips(&self) -> Vec<Value> {
        let all = parameters(&self.filter);
        let chip = |(name, value): &(&'static str, String)| {
            let others: Vec<_> = all.iter().filter(|(other, _)| other != name).cloned().collect();
            let text = match *name {
                "q" | "from" | "to" => String::new(),
                name => format!("{name}-{value}"),
            };
            context! { key => format!("filter-{name}"), text, value, remove => query(&others) }
        };
        all.iter().map(chip).collect()
    }

    /// The values of the form's fields.
    pub(super) fn fields(&self) -> Value {
        let all = parameters(&self.filter);
        let of =
            |name: &str| all.iter().find(|(one, _)| *one == name).map_or("", |(_, value)| value);
        context! {
            q => of("q"), kind => of("type"), status => of("status"), network => of("network"),
            failure => of("failure"), attention => of("attention"),
            from => of("from"), to => of("to"),
        }
    }
}

/// The query of the list with this filter. Every figure links to the list that it counts.
pub(super) fn address_of(filter: &ReportFilter) -> String {
    query(&parameters(filter))
}

fn set<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    let is_known = value.is_some();
    if is_known {
        *field = value;
    }
    is_known
}

fn parameters(filter: &ReportFilter) -> Vec<(&'static str, String)> {
    let text = |text: &'static str| text.to_owned();
    let all = [
        ("q", filter.search.as_ref().map(|search| search.text().to_owned())),
        ("type", only_type(filter).map(|one| text(one.as_str()))),
        ("status", filter.status.map(|status| text(status.as_str()))),
        ("network", filter.network.map(|network| text(network.as_str()))),
        ("failure", filter.failure.map(|failure| text(failure.as_str()))),
        ("attention", filter.attention.map(|attention| text(attention.as_str()))),
        ("from", filter.from.map(|day| day.to_string())),
        ("to", filter.to.map(|day| day.to_string())),
    ];
    all.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))).collect()
}

/// The type, where the filter has one alone: a form chooses one or all.
fn only_type(filter: &ReportFilter) -> Option<TransactionType> {
    match filter.types.as_deref() {
        Some([one]) => Some(*one),
        _ => None,
    }
}

fn query(parameters: &[(&'static str, String)]) -> String {
    Serializer::new(String::new()).extend_pairs(parameters).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_read_back_from_its_address() {
        let address = "q=024+123&type=PAYOUT&status=FAILED&network=MTN&failure=not_sent\
                       &attention=flagged&from=2026-01-01\
                       &to=2026-01-31";
        let list = ListQuery::read(Some(address));
        assert_eq!(
            (list.address(), list.unknown.len(), list.chips().len()),
            (address.to_owned(), 0, 8)
        );
        let list = ListQuery::read(Some("status=DONE&to=tomorrow&colour=red&from=&after=x"));
        assert_eq!(list.unknown, ["status", "to", "colour", "after"]);
        assert_eq!(list.filter, ReportFilter::default());
    }
}
