//! The questions before a decision about a payment or a batch: each says the verb, the sum and the
//! person.

use super::{
    confirmation::{AskedNote, Confirmation},
    formats, views,
};
use tua_domain::{Transaction, payout_batch::PayoutBatch};
use tua_use_cases::payees::typed_name;

/// What a person decides about a payout or a batch of payouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verb {
    Approve,
    Refuse,
    Cancel,
}

impl Verb {
    /// The last part of the path of the decision's form.
    pub(super) fn parse(path: &str) -> Option<Self> {
        [Self::Approve, Self::Refuse, Self::Cancel].into_iter().find(|verb| verb.path() == path)
    }

    const fn path(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Refuse => "refuse",
            Self::Cancel => "cancel",
        }
    }

    /// The note that a decision needs, as it was sent.
    fn note(self, typed: &str) -> Option<AskedNote> {
        (self == Self::Refuse).then(|| AskedNote { value: typed.to_owned(), fault: "" })
    }
}

/// The question about one payout. `note` is what was typed as the reason.
pub(super) fn about_payout(verb: Verb, payout: &Transaction, note: &str) -> Confirmation {
    let id = &payout.order.id;
    let key = match verb {
        Verb::Approve => "confirm-approve",
        Verb::Refuse => "confirm-refuse",
        Verb::Cancel => "confirm-cancel",
    };
    let (place, back) = match verb {
        Verb::Approve | Verb::Refuse => ("payouts", "/payouts".to_owned()),
        Verb::Cancel => ("payments", format!("/payments/{id}")),
    };
    let action = format!("/{place}/{id}/{}", verb.path());
    Confirmation {
        amount: Some(views::cedis(payout.order.transfer.amount.pesewas())),
        note: verb.note(note),
        ..Confirmation::of(key, recipient(payout), action, &back)
    }
}

/// The question about a batch. The sum of a cancellation is that of the payouts that are not sent.
pub(super) fn about_batch(verb: Verb, batch: &PayoutBatch, note: &str) -> Confirmation {
    let key = match verb {
        Verb::Approve => "confirm-batch-approve",
        Verb::Refuse => "confirm-batch-refuse",
        Verb::Cancel => "confirm-batch-cancel",
    };
    let is_concerned = |line: &&Transaction| verb != Verb::Cancel || line.is_unsent();
    let concerned: Vec<_> = batch.lines.iter().filter(is_concerned).collect();
    let pesewas = concerned.iter().map(|line| line.order.transfer.amount.pesewas()).sum();
    let back = format!("/payouts/batches/{}", batch.id);
    let action = format!("{back}/{}", verb.path());
    Confirmation {
        amount: Some(views::cedis(pesewas)),
        count: concerned.len(),
        note: verb.note(note),
        ..Confirmation::of(key, batch.reference.clone(), action, &back)
    }
}

/// Who gets the money of a payout: the name as it was typed, and the number.
fn recipient(payout: &Transaction) -> String {
    let phone = formats::phone(payout.order.transfer.phone.as_str());
    match typed_name(&payout.order) {
        Some(name) => format!("{name} ({phone})"),
        None => phone,
    }
}
