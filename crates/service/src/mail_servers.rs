//! Puts together what sends with the mail servers of accounts.

use std::sync::Arc;
use tua_config::Config;
use tua_domain::{
    key_ring::KeyRing,
    mail_server::MailServerRules,
    ports::{self, Clock},
    public_url::PublicUrl,
};
use tua_mail::{account_mailer::AccountMailer, smtp::AddressRule};
use tua_use_cases::{MailServers, MailSource};
use tua_webhooks::address::AddressPolicy;

/// The use case on this store, by the rules for addresses of webhooks.
pub(crate) fn mail_servers(
    config: &Config,
    public_url: &PublicUrl,
    keys: &KeyRing,
    store: Arc<dyn ports::MailServers>,
    clock: Arc<dyn Clock>,
) -> MailServers {
    let (rules, rule): (_, AddressRule) = if config.allow_private_webhooks {
        (MailServerRules::AllowPrivate, |address| AddressPolicy::AllowPrivate.allows(address))
    } else {
        (MailServerRules::Public, |address| AddressPolicy::PublicOnly.allows(address))
    };
    MailServers {
        store,
        mailer: Arc::new(AccountMailer { public_url: public_url.clone(), rule }),
        keys: keys.clone(),
        clock,
        source: match config.mail {
            Some(_) => MailSource::Settings,
            None => MailSource::Accounts,
        },
        rules,
    }
}
