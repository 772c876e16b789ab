//! Asks operators for the names of recipients, before money is sent to them.

use super::Networks;
use futures_util::{StreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use std::{collections::HashMap, sync::Arc};
use tua_contract::{Network, Phone};
use tua_domain::{
    Scope, Transfer,
    calendar::day_of,
    recipient_name::{RecipientName, RegisteredName},
    routing::{OperatorEntry, RouteRequest},
    transfer::TransferTerms,
};

/// How many names are asked for at most. It also bounds how many numbers somebody can try out with
/// one file.
pub(crate) const MAX_NAMES: usize = 50;

/// How long all of them may take.
pub const TIME_LIMIT: SignedDuration = SignedDuration::from_secs(3);

/// How many operators' responses are awaited at the same time.
const AT_ONCE: usize = 8;

type Wallet = (Network, Phone);

impl Networks {
    /// The name of the recipient of each payout, in the same order. Each wallet is asked for once.
    /// Nothing is stored.
    pub async fn recipient_names(
        &self,
        scope: &Scope,
        payouts: &[&Transfer],
    ) -> Vec<RecipientName> {
        let deadline = self.clock.now() + TIME_LIMIT;
        let mut names: HashMap<Wallet, RecipientName> = HashMap::new();
        let mut asked: Vec<(Wallet, Arc<OperatorEntry>)> = Vec::new();
        for payout in payouts {
            let wallet = self.wallet(payout);
            if names.contains_key(&wallet) {
                continue;
            }
            let name = match self.names_operator(scope, payout, wallet.0) {
                None => RecipientName::NotOffered,
                Some(_) if asked.len() == MAX_NAMES => RecipientName::NotAsked,
                Some(operator) => {
                    asked.push((wallet.clone(), operator));
                    RecipientName::Unknown
                }
            };
            names.insert(wallet, name);
        }
        let found = stream::iter(asked).map(|(wallet, operator)| async move {
            let name = self.recipient_name(&operator, &wallet, deadline).await;
            (wallet, name)
        });
        names.extend(found.buffer_unordered(AT_ONCE).collect::<Vec<_>>().await);
        let name = |payout: &&Transfer| names.get(&self.wallet(payout)).cloned();
        payouts.iter().map(|payout| name(payout).unwrap_or(RecipientName::Unknown)).collect()
    }

    /// The wallet that the payout would be sent to.
    fn wallet(&self, payout: &Transfer) -> Wallet {
        (self.operators.sent_as(payout.network), payout.phone.clone())
    }

    /// The operator that is asked for a name: the one that would pay, or else another one of the
    /// account.
    fn names_operator(
        &self,
        scope: &Scope,
        payout: &Transfer,
        network: Network,
    ) -> Option<Arc<OperatorEntry>> {
        let mode = scope.mode;
        let account = &scope.account;
        let day = day_of(self.clock.now());
        let terms = TransferTerms { kind: payout.kind, network, amount: payout.amount };
        let request = RouteRequest {
            mode,
            account,
            terms,
            is_phone_typed_by_payer: false,
            preferred: None,
            day,
        };
        let chosen = self.operators.choose(request).ok().and_then(|chosen| chosen.operator);
        let chosen = chosen.and_then(|pin| self.operators.entry_of(&pin));
        let others = self.operators.of_account(mode, account);
        let has_names = |entry: &Arc<OperatorEntry>| {
            let capabilities = entry.operator.capabilities();
            let serves = |one: &tua_domain::capabilities::Service| one.network == network;
            capabilities.has_account_names && capabilities.services.iter().any(serves)
        };
        chosen.into_iter().chain(others).find(has_names)
    }

    async fn recipient_name(
        &self,
        operator: &OperatorEntry,
        (network, phone): &Wallet,
        deadline: Timestamp,
    ) -> RecipientName {
        let answer = tokio::select! {
            biased;
            () = self.clock.sleep_until(deadline) => return RecipientName::Unknown,
            answer = operator.operator.account_name(*network, phone) => answer,
        };
        // Why there is no name is not logged: an operator's response may have one.
        match answer {
            Ok(Some(name)) => RecipientName::Registered(RegisteredName::new(&name)),
            Ok(None) => RecipientName::NoWallet,
            Err(_) => RecipientName::Unknown,
        }
    }
}
