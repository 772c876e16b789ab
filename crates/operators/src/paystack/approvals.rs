//! Resolves the recipient of a transfer for which Paystack requests an approval. The request may
//! name its recipient only by Paystack's code or id. It is searched in the recipients that this
//! node has registered, and then requested from Paystack.

use super::{
    connector::Paystack,
    convert,
    named_recipient::{NamedRecipient, NamedWallet},
    question::Question,
    recipients::Wallet,
};
use crate::connection::Call;
use serde_json::Value;
use tua_domain::ports::{QuestionedRecipient, TransferQuestion};

impl Paystack {
    /// Replaces Paystack's codes and ids of the recipient by the wallet that they stand for.
    pub(super) async fn resolve(&self, question: Question) -> TransferQuestion {
        let mut recipient = QuestionedRecipient::Unnamed;
        for named in question.recipients {
            recipient = merge_recipients(recipient, self.resolve_recipient(named).await);
        }
        TransferQuestion { reference: question.reference, amount: question.amount, recipient }
    }

    async fn resolve_recipient(&self, named: NamedRecipient) -> QuestionedRecipient {
        match named {
            NamedRecipient::Unnamed => QuestionedRecipient::Unnamed,
            NamedRecipient::Other => QuestionedRecipient::Other,
            NamedRecipient::Wallet(wallet) => wallet.into(),
            NamedRecipient::Registered { code, wallet } => {
                let named = wallet.map_or(QuestionedRecipient::Unnamed, Into::into);
                let registered = self.registered_wallet(&code).await;
                merge_recipients(named, registered.map_or(QuestionedRecipient::Other, Into::into))
            }
        }
    }

    /// The wallet that is registered at Paystack under a code or id. `None` if none is, if its
    /// network is not named, or if Paystack does not respond.
    async fn registered_wallet(&self, code: &str) -> Option<Wallet> {
        if let Some(wallet) = self.recipients.wallet(code) {
            return Some(wallet);
        }
        let reply = self.call(Call::get(format!("/transferrecipient/{code}"))).await;
        let (_, body) = convert::read_response(&reply).ok()?;
        match NamedRecipient::read(&body.data::<Value>()?, self.domain()) {
            NamedRecipient::Registered { wallet: Some(wallet), .. } => wallet.into_wallet(),
            _ => None,
        }
    }
}

/// Combines two descriptions of one recipient. [`QuestionedRecipient::Other`] if they contradict
/// each other.
fn merge_recipients(one: QuestionedRecipient, other: QuestionedRecipient) -> QuestionedRecipient {
    use QuestionedRecipient::{Other, Unnamed, Wallet};
    match (one, other) {
        (Unnamed, named) | (named, Unnamed) => named,
        (Wallet { phone, network: one }, Wallet { phone: same, network: other })
            if phone == same && (one.is_none() || other.is_none() || one == other) =>
        {
            Wallet { phone, network: one.or(other) }
        }
        _ => Other,
    }
}

impl NamedWallet {
    /// The wallet, if its network is named.
    fn into_wallet(self) -> Option<Wallet> {
        let Self { phone, network } = self;
        network.map(|network| Wallet { phone, network })
    }
}

impl From<NamedWallet> for QuestionedRecipient {
    fn from(NamedWallet { phone, network }: NamedWallet) -> Self {
        Self::Wallet { phone, network }
    }
}

impl From<Wallet> for QuestionedRecipient {
    fn from(Wallet { phone, network }: Wallet) -> Self {
        Self::Wallet { phone, network: Some(network) }
    }
}
