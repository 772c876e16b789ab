//! The [`MailServers`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::Timestamp;
use tua_domain::{
    AccountId,
    account_mail_server::{AccountMailServer, MailServerChange},
    audit::AuditContext,
    ports::{ChangeMailServerError, MailServers, StoreError},
};
use tua_sql::queries::mail_servers;

both_engines! {
    impl MailServers {
        async fn mail_server(
            &self,
            account: &AccountId,
        ) -> Result<AccountMailServer, StoreError> {
            self.read(account.clone(), async |db, account| mail_servers::find(db, account).await)
                .await
        }

        async fn mail_servers(&self) -> Result<Vec<AccountMailServer>, StoreError> {
            self.read((), async |db, ()| mail_servers::list(db).await).await
        }

        async fn has_mail_servers(&self) -> Result<bool, StoreError> {
            self.read((), async |db, ()| mail_servers::has_any(db).await).await
        }

        async fn change_mail_server(
            &self,
            account: &AccountId,
            version: u32,
            change: MailServerChange,
            by: &AuditContext,
        ) -> Result<AccountMailServer, ChangeMailServerError> {
            let input = (account.clone(), change, by.clone());
            self.try_write(InDoubt::Surface, input, async move |db, (account, change, by)| {
                mail_servers::change(db, account, version, change, by).await
            })
            .await
        }

        async fn begin_mail_server_test(
            &self,
            account: &AccountId,
            tested_until: Timestamp,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Surface, account.clone(), async move |db, account| {
                mail_servers::begin_test(db, account, tested_until, now).await
            })
            .await
        }

        async fn reseal_mail_server(
            &self,
            resealed: &AccountMailServer,
        ) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, resealed.clone(), async |db, resealed| {
                mail_servers::reseal(db, resealed).await
            })
            .await
        }
    }
}
