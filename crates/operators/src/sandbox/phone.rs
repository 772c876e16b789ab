//! The simulated phone: the prompts that a payer's phone would show.

use super::{
    Sandbox,
    orders::{Decision, Received},
    script::RIGHT_CODE,
};
use jiff::SignedDuration;
use tua_domain::ports::StoreError;

/// How long the phone shows a prompt.
const PROMPT_LIFE: SignedDuration = SignedDuration::from_mins(30);

/// A prompt on the phone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// The order that it is about.
    pub received: Received,
    /// The voucher to type into the checkout; `None` where the prompt asks for a decision.
    pub voucher: Option<&'static str>,
}

impl Sandbox {
    /// The prompts, newest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn prompts(&self) -> Result<Vec<Prompt>, StoreError> {
        let received = self.orders.orders_since(self.clock.now() - PROMPT_LIFE).await?;
        Ok(received.into_iter().filter_map(|received| self.prompt(received)).collect())
    }

    fn prompt(&self, received: Received) -> Option<Prompt> {
        if self.script().waits_for_tap(&received) {
            Some(Prompt { received, voucher: None })
        } else if self.script().waits_for_voucher(&received) {
            Some(Prompt { received, voucher: Some(RIGHT_CODE) })
        } else {
            None
        }
    }

    /// Approves or declines a prompt. Returns `false` where there is none with this reference.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn tap(&self, reference: &str, decision: Decision) -> Result<bool, StoreError> {
        let waiting = self
            .orders
            .find_order(reference)
            .await?
            .is_some_and(|received| self.script().waits_for_tap(&received));
        if !waiting {
            return Ok(false);
        }
        let decided = self.orders.decide(reference, decision, self.clock.now()).await?;
        if let Some(received) = &decided {
            self.plan_callback(received);
        }
        Ok(decided.is_some())
    }
}
