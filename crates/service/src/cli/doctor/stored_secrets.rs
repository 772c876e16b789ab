//! Checks that the server keys decrypt what people stored: credentials of connected operators,
//! addresses of alert channels, and mail servers of accounts. Names those that cannot be decrypted
//! by their ids.

use super::{alert_channels, report::Report};
use tua_config::Config;
use tua_domain::{
    alert_channel::{AlertChannel, ChannelTarget},
    connected_operator::ConnectedOperator,
    key_ring::KeyRing,
};
use tua_metrics::StoreMetrics;
use tua_use_cases::StoredSecrets;

const CHECK: &str = "stored secrets";

/// Checks them. The database must exist.
pub(super) async fn check(report: &mut Report, config: &Config) {
    let opened = async {
        let store = config.database.open(StoreMetrics::default()).await?.store;
        let stored = StoredSecrets::read(store.as_ref()).await;
        let stored = stored.map_err(|error| error.to_string())?;
        // Opening the key ring would register the first key of a new database.
        let keys = if stored.is_empty() {
            None
        } else {
            Some(config.open_key_ring(store.as_ref()).await?)
        };
        Ok::<_, String>((stored, keys))
    };
    match opened.await {
        Err(fault) => report.fault(CHECK, fault, "check the database and the server key"),
        Ok((_, None)) => {}
        Ok((stored, Some(keys))) => check_all(report, &stored, &keys),
    }
}

fn check_all(report: &mut Report, stored: &StoredSecrets, keys: &KeyRing) {
    let mut lost = 0;
    for operator in stored.operators.iter().filter(|one| is_used(one) && !is_readable(one, keys)) {
        lost += 1;
        let ConnectedOperator { id, name, account, .. } = operator;
        let message = format!(
            "no server key that is there decrypts the credentials of the operator {id} ({name}) of \
             {account}: its payments wait"
        );
        let remedy = "put the server key back that encrypted them, or enter them again in the \
            dashboard (page Operators)";
        report.fault(CHECK, message, remedy);
    }
    for server in stored.mail_servers.iter().filter(|one| !one.is_readable(keys)) {
        lost += 1;
        let message = format!(
            "no server key that is there decrypts the mail server of {}: nothing is sent with it",
            server.account
        );
        let remedy = "put the server key back that encrypted it, or an owner enters it again in \
            the dashboard (page Settings)";
        report.fault(CHECK, message, remedy);
    }
    for channel in &stored.channels {
        let AlertChannel { id, scope, .. } = channel;
        if ChannelTarget::decrypt(&channel.target, keys).is_none() {
            lost += 1;
            let message = format!(
                "no server key that is there decrypts the address of the alert channel {id} of {}",
                scope.account
            );
            let remedy = "put the server key back that encrypted it, or add the channel again in \
                the dashboard (page Settings)";
            report.fault(CHECK, message, remedy);
        } else {
            alert_channels::check_deliveries(report, channel);
        }
    }
    if lost == 0 {
        report.ok(CHECK, "the server keys decrypt all of them");
    }
}

/// Whether its credentials are still needed: a removed one that was never in force needs none.
fn is_used(operator: &ConnectedOperator) -> bool {
    operator.retired_at.is_none() || operator.in_force().is_some()
}

fn is_readable(operator: &ConnectedOperator, keys: &KeyRing) -> bool {
    let mut sealed = [Some(&operator.credentials), operator.replacement.as_ref()].into_iter();
    sealed.all(|one| one.is_none_or(|one| operator.unseal(keys, one).is_some()))
}
