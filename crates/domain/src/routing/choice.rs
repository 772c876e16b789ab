//! Chooses the operator of a new payment.

use super::{
    ChosenRoute, EntrySource, NetworkEnd, OperatorEntry, Operators, PinnedOperator, RouteError,
    RouteRequest, hull,
};
use crate::{
    AccountId, Mode,
    capabilities::{Availability, any_amount},
    tariff::Tariffs,
    transfer::TransferTerms,
};
use std::{ops::RangeInclusive, sync::Arc};
use tua_contract::Amount;

impl Operators {
    /// Chooses the operator of a new payment: the first of the route that does the direction, whose
    /// breaker is closed, that reports itself available and whose limits allow what the payer would
    /// pay.
    ///
    /// # Errors
    /// [`RouteError`].
    pub fn choose(&self, request: RouteRequest<'_>) -> Result<ChosenRoute, RouteError> {
        let TransferTerms { kind, network, amount } = request.terms;
        if self.ended.end_of(network) == Some(NetworkEnd::Retired) {
            return Err(RouteError::NetworkEnded(network));
        }
        let network = self.sent_as(network);
        let price = |tariffs: &Tariffs| tariffs.price(kind, network, amount, request.day);
        let route = self.route(request.mode, request.account, network, kind);
        let preferred = request.preferred.and_then(|pin| self.preferred(pin, &request));
        let route = match (preferred, route) {
            (Some(preferred), route) => Some(preferred_first(preferred, route)),
            (None, route) => route,
        };
        let Some(route) = route else {
            let permitted_range = any_amount();
            return match (request.mode, &self.sandbox, price(&self.sandbox_tariffs)) {
                (Mode::Test, Some(_), Some(price)) => {
                    Ok(ChosenRoute { operator: None, price, permitted_range })
                }
                (Mode::Test, Some(_), None) => Err(RouteError::AmountOutOfRange(permitted_range)),
                _ => Err(self.unserved_error(request.mode, request.account)),
            };
        };
        let mut limits: Option<RangeInclusive<Amount>> = None;
        let mut is_one_down = false;
        for entry in &route {
            let capabilities = entry.operator.capabilities();
            let Some(amounts) = capabilities.amounts(network, kind) else { continue };
            if !entry.may_prompt(&capabilities, kind, request.is_phone_typed_by_payer) {
                continue;
            }
            let Some(price) =
                price(&entry.tariffs).filter(|price| amounts.contains(&price.payer_pays))
            else {
                limits =
                    Some(limits.map_or_else(|| amounts.clone(), |limits| hull(&limits, &amounts)));
                continue;
            };
            if entry.availability(network, kind) == Availability::Down {
                is_one_down = true;
                continue;
            }
            return Ok(ChosenRoute {
                operator: Some(entry.pin.clone()),
                price,
                permitted_range: amounts,
            });
        }
        match limits {
            Some(limits) if !is_one_down => Err(RouteError::AmountOutOfRange(limits)),
            None if !is_one_down => Err(self.unserved_error(request.mode, request.account)),
            _ => Err(RouteError::NetworkUnavailable),
        }
    }

    /// Whether the operators that people connected are known now: they are loaded, and not too long
    /// ago.
    #[must_use]
    pub fn knows_connected(&self) -> bool {
        self.connected.is_known()
    }

    /// Why no operator of the route of a payment does its network and direction: none is set up,
    /// unless those that people connected are not known now, or the account has one whose
    /// credentials this process cannot use.
    #[must_use]
    pub fn unserved_error(&self, mode: Mode, account: &AccountId) -> RouteError {
        let is_unusable =
            || self.connected.unusable().iter().any(|stored| stored.account == *account);
        if !self.knows_connected() || mode == Mode::Live && is_unusable() {
            RouteError::NetworkUnavailable
        } else {
            RouteError::NoOperator(mode)
        }
    }

    /// The operator of the charge whose refund this is, if it may pay the refund out: one of the
    /// settings only where it is in the route; one that people connected also where it was removed,
    /// or was given no payouts, since the money of the charge is at its account.
    fn preferred(
        &self,
        pin: &PinnedOperator,
        request: &RouteRequest<'_>,
    ) -> Option<Arc<OperatorEntry>> {
        let network = self.sent_as(request.terms.network);
        let entry = self.entry_of(pin)?;
        let may_pay_out = match &entry.source {
            EntrySource::Settings => self
                .route(request.mode, request.account, network, request.terms.kind)?
                .iter()
                .any(|routed| routed.pin.fingerprint == pin.fingerprint),
            EntrySource::Dashboard(_) => {
                let capabilities = entry.operator.capabilities();
                entry.is_of(request.mode, request.account)
                    && capabilities.amounts(network, request.terms.kind).is_some()
            }
        };
        may_pay_out.then_some(entry)
    }
}

/// The route with this operator at its beginning.
fn preferred_first(
    preferred: Arc<OperatorEntry>,
    route: Option<Vec<Arc<OperatorEntry>>>,
) -> Vec<Arc<OperatorEntry>> {
    let others = route.into_iter().flatten();
    let others: Vec<_> =
        others.filter(|entry| entry.pin.fingerprint != preferred.pin.fingerprint).collect();
    std::iter::once(preferred).chain(others).collect()
}
