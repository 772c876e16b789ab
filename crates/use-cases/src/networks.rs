//! Which networks are served now, and at what price.

use super::float_shortage::{FloatShortage, float_shortages};
use std::sync::Arc;
use tua_contract::{Amount, Network};
use tua_domain::{
    Checkout, Kind, Scope, Transaction,
    calendar::day_of,
    ports::{Clock, OpenError, ReservedFloats},
    quote::{NetworkForPayers, QUOTE_VALIDITY, Quote},
    routing::{
        NetworkService, NetworkServiceRequest, OperatorEntry, Operators, RouteError, RouteRequest,
    },
    transfer::TransferTerms,
};

/// Reads how networks are served.
#[derive(Clone, Debug)]
pub struct Networks {
    /// The operators of the settings, with their routes and tariffs.
    pub operators: Operators,
    /// Decides which tariffs apply.
    pub clock: Arc<dyn Clock>,
}

impl Networks {
    /// How each network is served for this account and mode: charges, and payouts. MTN, TELECEL and
    /// AIRTELTIGO, in this order. `is_phone_typed_by_payer`: payers type the number.
    #[must_use]
    pub fn services(
        &self,
        scope: &Scope,
        is_phone_typed_by_payer: bool,
    ) -> [(Network, NetworkService, NetworkService); 3] {
        let mode = scope.mode;
        let account = &scope.account;
        let service = |network, kind| {
            self.operators.network_service(NetworkServiceRequest {
                mode,
                account,
                network,
                kind,
                is_phone_typed_by_payer,
            })
        };
        Network::ALL.map(|network| {
            (network, service(network, Kind::Charge), service(network, Kind::Payout))
        })
    }

    /// What a payment would cost if it began now. Nothing is begun or stored.
    /// `is_phone_typed_by_payer`: the payer types the number.
    ///
    /// # Errors
    /// [`RouteError`].
    pub fn quote(
        &self,
        scope: &Scope,
        terms: TransferTerms,
        is_phone_typed_by_payer: bool,
    ) -> Result<Quote, RouteError> {
        let now = self.clock.now();
        let mode = scope.mode;
        let account = &scope.account;
        let day = day_of(now);
        let chosen = self.operators.choose(RouteRequest {
            mode,
            account,
            terms,
            is_phone_typed_by_payer,
            preferred: None,
            day,
        })?;
        Ok(Quote {
            terms,
            price: chosen.price,
            operator: chosen.operator.filter(|pin| !pin.is_sandbox()).map(|pin| pin.name),
            permitted_range: chosen.permitted_range,
            expires_at: now + QUOTE_VALIDITY,
        })
    }

    /// How each network is served for the charges of a session's payer, in the same order, and at
    /// what price for its amount. `latest`: the session's latest charge.
    #[must_use]
    pub fn for_payers(
        &self,
        checkout: &Checkout,
        latest: Option<&Transaction>,
    ) -> [NetworkForPayers; 3] {
        let scope = &checkout.scope;
        let amount = checkout.terms.amount;
        self.services(scope, true).map(|(network, charges, _)| {
            let quote =
                self.quote(scope, TransferTerms { kind: Kind::Charge, network, amount }, true).ok();
            let chosen = || {
                let name = quote.as_ref()?.operator.as_ref()?;
                self.operators.named_in(scope.mode, &scope.account, name.as_str())
            };
            let waited_for = self.prompting(latest, network);
            let prompted =
                waited_for.as_ref().map_or_else(|| self.operators.sent_as(network), |_| network);
            let prompting = waited_for.or_else(chosen);
            NetworkForPayers {
                network,
                end: charges.network_end,
                availability: charges.availability,
                prompt_instructions: prompting
                    .map(|entry| entry.operator.prompt_instructions(prompted))
                    .unwrap_or_default(),
                price: quote.map(|quote| quote.price),
            }
        })
    }

    /// The operator whose prompt a payer on this network waits for.
    fn prompting(
        &self,
        latest: Option<&Transaction>,
        network: Network,
    ) -> Option<Arc<OperatorEntry>> {
        let charge = latest.filter(|charge| {
            !charge.state.is_final() && charge.order.transfer.network == network
        })?;
        self.operators.entry_of(charge.operator.as_ref()?)
    }

    /// The operators whose last known float does not cover these payouts and their fees besides
    /// what is reserved, if all of them were sent now. Those that no operator would take now are
    /// left out.
    #[must_use]
    pub fn float_shortages(
        &self,
        scope: &Scope,
        payouts: impl IntoIterator<Item = (Network, Amount)>,
        reserved: &ReservedFloats,
    ) -> Vec<FloatShortage> {
        let mode = scope.mode;
        let account = &scope.account;
        let day = day_of(self.clock.now());
        let payouts = payouts.into_iter().filter_map(|(network, amount)| {
            let terms = TransferTerms { kind: Kind::Payout, network, amount };
            let request = RouteRequest {
                mode,
                account,
                terms,
                is_phone_typed_by_payer: false,
                preferred: None,
                day,
            };
            let chosen = self.operators.choose(request).ok()?;
            Some((
                chosen.operator?,
                amount.pesewas() + chosen.price.fee_pesewas.unwrap_or_default(),
            ))
        });
        float_shortages(&self.operators, payouts, reserved)
    }

    /// Refuses a session that nobody could pay: any network must be configured for the charges of
    /// payers with a checkout token. One that is down now still counts.
    ///
    /// # Errors
    /// [`OpenError::NoOperator`], or [`OpenError::NetworkUnavailable`] where an operator may be set
    /// up that this process does not know or cannot use now.
    pub(crate) fn require_charges(&self, scope: &Scope) -> Result<(), OpenError> {
        let services = self.services(scope, true);
        if services.iter().any(|(_, charges, _)| charges.permitted_range.is_some()) {
            return Ok(());
        }
        Err(match self.operators.unserved_error(scope.mode, &scope.account) {
            RouteError::NoOperator(mode) => OpenError::NoOperator(mode),
            _ => OpenError::NetworkUnavailable,
        })
    }
}
