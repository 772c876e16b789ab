//! The places in which messages are sent at the same time.

use std::collections::HashMap;
use tokio::task::{Id, JoinSet};
use tracing::error;
use tua_domain::{AccountId, mail::MailOutcome};

/// The messages that are being sent, each with the account that it is about.
#[derive(Default, Debug)]
pub(super) struct MailPlaces {
    tasks: JoinSet<MailOutcome>,
    accounts: HashMap<Id, Option<AccountId>>,
}

impl MailPlaces {
    /// The number of free places of `max`.
    pub(super) fn free(&self, max: usize) -> usize {
        max.saturating_sub(self.accounts.len())
    }

    /// The accounts of which a message is being sent.
    pub(super) fn accounts(&self) -> Vec<AccountId> {
        self.accounts.values().flatten().cloned().collect()
    }

    /// Takes a place for a message until `delivery` has ended.
    pub(super) fn begin(
        &mut self,
        account: Option<AccountId>,
        delivery: impl Future<Output = MailOutcome> + Send + 'static,
    ) {
        let task = self.tasks.spawn(delivery);
        self.accounts.insert(task.id(), account);
    }

    /// Waits until a message has left its place. Returns what came of it; `None` if no message is
    /// being sent.
    pub(super) async fn next_ended(&mut self) -> Option<MailOutcome> {
        let ended = self.tasks.join_next_with_id().await?;
        let (id, outcome) = ended.unwrap_or_else(|failed| {
            error!(%failed, "an e-mail was not sent; it is tried again after its lease");
            (failed.id(), MailOutcome::NotTaken("its task failed".to_owned()))
        });
        self.accounts.remove(&id);
        Some(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

    #[tokio::test]
    async fn a_place_is_free_again_after_its_message_also_if_its_task_fails() {
        let mut places = MailPlaces::default();
        assert_eq!(places.next_ended().await, None, "nothing is being sent");
        let slow = AccountId::new("acc_slow");
        places.begin(Some(slow.clone()), pending());
        places.begin(Some(AccountId::new("acc_1")), async { MailOutcome::Sent });
        assert_eq!(places.free(2), 0);
        assert_eq!(places.next_ended().await, Some(MailOutcome::Sent));
        assert_eq!((places.free(2), places.accounts()), (1, vec![slow.clone()]));
        places.begin(None, async { panic!("a fault of ours") });
        assert!(matches!(places.next_ended().await, Some(MailOutcome::NotTaken(_))));
        assert_eq!((places.free(2), places.accounts()), (1, vec![slow]));
    }
}
