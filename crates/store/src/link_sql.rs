//! The queries of payment links, which both engines share.

/// The columns of a link.
macro_rules! link_columns {
    () => {
        "payment_links.id, account_id, mode, code, title, description, amount, min_amount, \
         max_amount, uses, reference,
         metadata, payment_links.created_at, expires_at, closed_at, used_at, created_by"
    };
}

/// Selects links with the figures of their payments. They are counted from an index of each link's
/// charges alone.
macro_rules! select_links {
    () => {
        concat!(
            "SELECT ",
            crate::link_sql::link_columns!(),
            ", (SELECT count(*) FROM transactions
                WHERE link_id = payment_links.id AND status = 'SUCCESSFUL') AS payments,
               (SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM transactions
                WHERE link_id = payment_links.id AND status = 'SUCCESSFUL') AS paid_pesewas,
               (SELECT count(*) FROM transactions
                WHERE link_id = payment_links.id AND status = 'PENDING') AS pending
             FROM payment_links "
        )
    };
}

/// Selects a link as its page shows it.
macro_rules! select_public_link {
    () => {
        concat!(
            "SELECT ",
            crate::link_sql::link_columns!(),
            ", accounts.name AS merchant, accounts.accent, accounts.logo, accounts.receipts, \
             accounts.suspended_at,
               (SELECT count(*) FROM mail_switch) AS mail,
               CASE WHEN uses = 'single' THEN (SELECT count(*) FROM transactions
                    WHERE link_id = payment_links.id AND status = 'PENDING') ELSE 0 END AS pending
             FROM payment_links JOIN accounts ON accounts.id = account_id "
        )
    };
}

pub(super) use {link_columns, select_links, select_public_link};
