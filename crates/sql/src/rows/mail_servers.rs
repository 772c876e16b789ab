//! Rows of mail servers of accounts.

use crate::columns::{Columns, maybe_secret, maybe_text, number, text, time};
use tua_domain::{
    AccountId,
    account_mail_server::{AccountMailServer, SealedMailServer},
};

pub(crate) fn mail_server<R: Columns>(row: &R) -> Result<AccountMailServer, R::Error> {
    let server = |column, shown_column| {
        let shown = maybe_text(row, shown_column)?.unwrap_or_default();
        let settings = maybe_secret(row, column)?;
        Ok::<_, R::Error>(settings.map(|settings| SealedMailServer { shown, settings }))
    };
    Ok(AccountMailServer {
        account: AccountId::new(text(row, "account_id")?),
        in_force: server("in_force", "in_force_shown")?,
        waiting: server("waiting", "waiting_shown")?,
        version: number(row, "version")?,
        changed_at: time(row, "changed_at")?,
    })
}
