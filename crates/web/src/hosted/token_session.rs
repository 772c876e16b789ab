//! The session that the token of a hosted page belongs to.

use super::{facts, page_error::PageError, server_flow::TokenState, state::HostedState};
use tua_domain::{
    Caller, Checkout, CheckoutSummary, checkout::EndedCheckout, ports::StoreError,
    quote::NetworkForPayers, refund::RefundForPayer, secret::SecretDigest,
};
use tua_net::Client;
use tua_use_cases::FoundCheckout;

/// The session of a token, also of one that has ended.
#[derive(Clone, Debug)]
pub(super) struct TokenSession {
    pub(super) checkout: Checkout,
    pub(super) summary: CheckoutSummary,
    /// What the token still shows once it has expired or its session was closed; `None` before.
    pub(super) ended: Option<EndedCheckout>,
    /// The refunds of its charge.
    pub(super) refunds: Vec<RefundForPayer>,
    /// How each network of `Network::ALL` is served, in its order.
    pub(super) networks: [NetworkForPayers; 3],
}

impl TokenSession {
    async fn new(
        FoundCheckout { checkout, summary, ended }: FoundCheckout,
        state: &HostedState,
    ) -> Result<Self, StoreError> {
        let networks = state.checkouts.networks.for_payers(&checkout, summary.latest.as_ref());
        let refunds = state.checkouts.refunds(&summary).await?;
        Ok(Self { checkout, summary, ended, refunds, networks })
    }

    /// Finds the session of a token, and counts the request as the API does: by its session,
    /// expired or not, or by its address where there is none.
    pub(super) async fn find_and_count(
        state: &HostedState,
        client: Client,
        token: Option<&String>,
    ) -> Result<Option<Self>, PageError> {
        let found = match token.map(|token| SecretDigest::of(token)) {
            Some(token) => {
                state.limiter.check_address(client.limited_address(), &token)?;
                match state.checkouts.find_by_token(token).await? {
                    Some(found) => {
                        state.limiter.note_valid(token);
                        Some(Self::new(found, state).await?)
                    }
                    None => None,
                }
            }
            None => None,
        };
        match &found {
            Some(found) if found.ended.is_some() => {
                state.limiter.count_expired_token(&found.checkout.id)?
            }
            Some(found) => state.limiter.count_request(&found.caller()).map(drop)?,
            None => state.limiter.count_bad_credential(client.limited_address())?,
        }
        Ok(found)
    }

    /// The caller that the token authenticates.
    pub(super) fn caller(&self) -> Caller {
        Caller::Token(Box::new(self.checkout.clone()))
    }

    /// What the state machine gets about the token.
    pub(super) fn token_state(&self) -> TokenState {
        match &self.ended {
            Some(ended) => TokenState::ended(ended),
            None => TokenState::Valid(Box::new(facts::session(
                &self.checkout,
                &self.summary,
                &self.networks,
            ))),
        }
    }
}
