//! The [`ConnectedOperators`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use tua_domain::{
    AccountId, ConnectedOperatorId,
    audit::AuditContext,
    connected_operator::{ConnectedOperator, OperatorChange},
    ports::{ConnectOperatorError, ConnectedOperators, StoreError},
};
use tua_sql::queries::connected_operators;

both_engines! {
    impl ConnectedOperators {
        async fn connected_operators(
            &self,
            account: Option<&AccountId>,
        ) -> Result<Vec<ConnectedOperator>, StoreError> {
            self.read(account.cloned(), async |db, account| {
                connected_operators::list(db, account.as_ref()).await
            })
            .await
        }

        async fn connect_operator(
            &self,
            new: &ConnectedOperator,
            by: &AuditContext,
        ) -> Result<(), ConnectOperatorError> {
            self.try_write(InDoubt::Surface, (new.clone(), by.clone()), async |db, (new, by)| {
                connected_operators::add(db, new, by).await
            })
            .await
        }

        async fn change_connected_operator(
            &self,
            id: &ConnectedOperatorId,
            version: u32,
            change: OperatorChange,
            by: &AuditContext,
        ) -> Result<ConnectedOperator, ConnectOperatorError> {
            let input = (id.clone(), change, by.clone());
            self.try_write(InDoubt::Surface, input, async move |db, (id, change, by)| {
                connected_operators::change(db, id, version, change, by).await
            })
            .await
        }

        async fn reseal_connected_operator(
            &self,
            resealed: &ConnectedOperator,
        ) -> Result<(), StoreError> {
            self.write(InDoubt::Retry, resealed.clone(), async |db, resealed| {
                connected_operators::reseal(db, resealed).await
            })
            .await
        }
    }
}
