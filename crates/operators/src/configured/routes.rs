//! Reads `[routes.live]` and `[routes.test]`.

use toml::{Table, Value};
use tua_contract::Network;
use tua_domain::{
    Kind, Mode,
    routing::{OperatorName, Routes},
};

/// Reads the routes of a mode: for each network a list for both directions, or a table with a list
/// for each.
pub(super) fn read_routes(
    mode: Mode,
    table: Table,
    routes: &mut Routes,
) -> Result<(), Vec<String>> {
    let mut faults = Vec::new();
    for (network, value) in table {
        let route = format!("routes.{}.{network}", mode.as_str());
        let Some(network) = Network::parse(&network) else {
            faults.push(format!(
                "{route}: there is no such network; there are MTN, TELECEL and AIRTELTIGO"
            ));
            continue;
        };
        let by_kind: Vec<(Kind, Value)> = match value {
            Value::Table(mut table) => {
                let both = [("charge", Kind::Charge), ("payout", Kind::Payout)];
                let found = both
                    .into_iter()
                    .filter_map(|(key, kind)| Some((kind, table.remove(key)?)))
                    .collect();
                faults.extend(
                    table
                        .keys()
                        .map(|key| format!("{route}.{key}: there are only charge and payout")),
                );
                found
            }
            list => Kind::ALL.iter().map(|kind| (*kind, list.clone())).collect(),
        };
        let mut own = Vec::new();
        for (kind, value) in by_kind {
            match read_names(&value) {
                Ok(names) => drop(routes.insert((mode, network, kind), names)),
                Err(fault) => own.push(format!("{route}: {fault}")),
            }
        }
        own.dedup();
        faults.extend(own);
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn read_names(value: &Value) -> Result<Vec<OperatorName>, String> {
    const FORM: &str = "must be a list of operators' names such as [\"mtn\", \"paystack\"], in \
        order of preference";
    let names = value.as_array().filter(|names| !names.is_empty()).ok_or(FORM)?;
    let names = names.iter().map(|name| name.as_str().ok_or(FORM)?.parse());
    names.collect()
}
