//! What shops ask for, and what they were told.

use tua_contract::{Amount, Network, Status};
use tua_domain::{
    BatchId, Checkout, Kind, SecretKey, Transaction, TransactionId,
    link::{Link, LinkUses},
};

/// The wallet of most payers.
pub const WALLET: &str = "0241234567";

/// A wallet without money: its operator refuses every charge.
pub const EMPTY_WALLET: &str = "0249999999";

/// A payment that a shop wants exactly once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Purchase {
    /// The key of every request for it.
    pub key: String,
    /// Whether it collects or pays.
    pub kind: Kind,
    /// The network of the wallet.
    pub network: Network,
    /// The phone number of the wallet.
    pub wallet: &'static str,
    /// What the shop requests.
    pub amount: Amount,
    /// The number of the payment whose money returns, where it is a refund.
    pub refund_of: Option<usize>,
    /// The number of the checkout session, where its payer asks for it.
    pub session: Option<usize>,
    /// How often it was asked for.
    pub asks: u32,
    /// How often the shop has read that it is pending.
    pub pending_reads: u32,
    /// The number of the batch that it is a line of.
    pub batch: Option<usize>,
    /// The number of the revoked key with which somebody else asks for it.
    pub stolen_key: Option<usize>,
    /// What the shop knows of it.
    pub known: Option<Known>,
}

impl Purchase {
    /// A payment that nobody has asked for.
    #[must_use]
    pub const fn new(key: String, kind: Kind, network: Network, amount: Amount) -> Self {
        Self {
            key,
            kind,
            network,
            wallet: WALLET,
            amount,
            refund_of: None,
            session: None,
            batch: None,
            stolen_key: None,
            asks: 0,
            pending_reads: 0,
            known: None,
        }
    }
}

/// What a shop has read about a payment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The id of the transaction.
    pub id: TransactionId,
    /// The highest version that the shop has read.
    pub version: u32,
    /// The status that the shop read last.
    pub status: Status,
}

/// A batch of payouts.
#[derive(Clone, Debug)]
pub struct ShopBatch {
    /// The key of every request for it.
    pub key: String,
    /// The numbers of its payouts.
    pub lines: Vec<usize>,
    /// How often it was asked for.
    pub asks: u32,
    /// Its id, once the shop has it.
    pub id: Option<BatchId>,
}

/// A payment link.
#[derive(Clone, Debug)]
pub struct ShopLink {
    /// The key of every request for it.
    pub key: String,
    /// What is to be paid.
    pub amount: Amount,
    /// How often it may be paid.
    pub uses: LinkUses,
    /// How often it was asked for.
    pub asks: u32,
    /// The link, once the shop has it.
    pub link: Option<Link>,
}

/// A checkout session.
#[derive(Clone, Debug)]
pub struct ShopSession {
    /// The key of every request for it.
    pub key: String,
    /// What is to be paid.
    pub amount: Amount,
    /// The number of the link that its payer has opened it from.
    pub link: Option<usize>,
    /// The network of its payer.
    pub network: Network,
    /// The phone number of its payer.
    pub wallet: &'static str,
    /// How often it was asked for.
    pub asks: u32,
    /// How often its payer has paid, or tried to.
    pub payments: u32,
    /// The session, once it is open.
    pub checkout: Option<Checkout>,
}

/// All that shops want.
#[derive(Debug, Default)]
pub struct Shop {
    /// The payments, by their numbers.
    pub purchases: Vec<Purchase>,
    /// The links, by their numbers.
    pub links: Vec<ShopLink>,
    /// The sessions, by their numbers.
    pub sessions: Vec<ShopSession>,
    /// The batches of payouts, by their numbers.
    pub batches: Vec<ShopBatch>,
    /// The keys of the shop, by their numbers. It uses the last one.
    pub keys: Vec<SecretKey>,
}

impl Shop {
    /// The amounts of the refunds that the shop requests of a charge.
    #[must_use]
    pub fn refunds_of(&self, charge: &TransactionId) -> Vec<Amount> {
        let is_of_charge = |purchase: &&Purchase| {
            let refunded = purchase.refund_of.and_then(|number| self.purchases.get(number));
            let known = refunded.and_then(|refunded| refunded.known.as_ref());
            known.is_some_and(|known| known.id == *charge)
        };
        self.purchases.iter().filter(is_of_charge).map(|purchase| purchase.amount).collect()
    }

    /// Notes what a shop reads about a payment. Replays of the first response may be older than
    /// what was read before, so only what `is_current` is compared.
    ///
    /// # Errors
    /// What contradicts that which the shop was told before.
    pub fn read(
        &mut self,
        number: usize,
        found: &Transaction,
        is_current: bool,
    ) -> Result<(), String> {
        let purchase = &mut self.purchases[number];
        let now = Known {
            id: found.order.id.clone(),
            version: found.version,
            status: found.state.status(),
        };
        if found.order.transfer.amount != purchase.amount {
            return Err(format!("payment {number} has another amount than was asked for"));
        }
        let Some(before) = purchase.known.clone() else {
            purchase.known = Some(now);
            return Ok(());
        };
        if before.id != now.id {
            return Err(format!("payment {number} has begun twice under one key"));
        }
        if !is_current {
            return Ok(());
        }
        let is_changed_final = before.status != Status::Pending && before.status != now.status;
        if now.version < before.version || is_changed_final {
            return Err(format!(
                "payment {number} went back from {:?} (version {}) to {:?} (version {})",
                before.status, before.version, now.status, now.version
            ));
        }
        purchase.known = Some(now);
        Ok(())
    }
}
