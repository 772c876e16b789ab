//! Due work. It is kept in the store, leased, and survives a restart.
//!
//! | module | does |
//! |---|---|
//! | [`reconcile`] | asks operators for the status of pending transactions |
//! | [`callbacks`] | handles operators' callbacks |
//! | [`webhooks`] | sends webhooks that are due |
//! | [`channels`] | sends alerts that wait for chats and servers |
//! | [`mail`] | sends e-mail that is due |
//! | [`mail_servers`] | encrypts mail servers of accounts again after a change of the server key |
//! | [`prune`] | deletes what is past its retention time |
//! | [`nodes`] | exchanges changes with the other nodes on the same database |
//! | [`connected_operators`] | loads the operators that people connect in the dashboard |
//! | [`external_writes`] | finds what the command line wrote into the same SQLite file |
//! | [`test_settings`] | ends `--limits off` and `--sandbox-phone` once a live key exists |

mod bulkheads;
pub mod callbacks;
pub mod channels;
pub mod connected_operators;
pub mod exchanges;
pub mod external_writes;
pub mod mail;
mod mail_places;
pub mod mail_servers;
pub mod nodes;
pub mod operators;
pub mod prune;
pub mod reconcile;
pub mod sandbox_clocks;
pub mod test_settings;
pub mod webhooks;
