//! The form with which a person asks a payer for money.

use super::{
    fields::Fields,
    form_key::FormKey,
    language::Language,
    money_form::{Faults, MoneyForm, read_note},
    repeatable_form::RepeatableForm,
};
use tua_domain::{
    Details, Kind, Transaction, TransactionId, idempotency::IdempotencyKey,
    instruction::Instruction,
};

/// What a person fills in.
#[derive(Clone, Default, Debug)]
pub(super) struct AskForm {
    money: MoneyForm,
    /// What the payer may see.
    message: String,
    /// For the books of the shop.
    note: String,
    key: FormKey,
    /// The id of the pending charge that the person has seen, and asks beside on purpose.
    second: String,
    /// The pending charge that the person has to see before.
    pending: Option<TransactionId>,
}

impl AskForm {
    pub(super) fn of(fields: &Fields) -> Self {
        let get = |name| fields.get(name).trim().to_owned();
        Self {
            money: MoneyForm::of(fields),
            message: get("message"),
            note: get("note"),
            key: FormKey::of(fields),
            second: get("second"),
            pending: None,
        }
    }

    /// The form beside a pending charge like it, which the person has to see before it is sent.
    pub(super) fn beside(self, pending: TransactionId) -> Self {
        Self { pending: Some(pending), ..self }
    }

    /// Whether the person has seen this pending charge, and asks beside it on purpose.
    pub(super) fn has_shown(&self, pending: &TransactionId) -> bool {
        self.second == pending.as_str()
    }

    pub(super) const fn pending(&self) -> Option<&TransactionId> {
        self.pending.as_ref()
    }

    /// The form about another charge like this one.
    pub(super) fn like(charge: &Transaction, language: Language) -> Self {
        let transfer = &charge.order.transfer;
        let text = |note: &Option<String>| note.clone().unwrap_or_default();
        Self {
            money: MoneyForm::like(language, transfer.network, &transfer.phone, transfer.amount),
            message: text(&charge.order.details.payer_message),
            note: text(&charge.order.details.payee_note),
            ..Self::default()
        }
    }

    /// The same form, filled in with this amount in cedis.
    pub(super) fn with_amount(self, amount: String) -> Self {
        Self { money: self.money.with_amount(amount), ..self }
    }

    pub(super) fn without_note(self) -> Self {
        Self { note: String::new(), ..self }
    }

    pub(super) const fn key(&self) -> &FormKey {
        &self.key
    }

    /// The same values, as a new form.
    pub(super) fn with_new_key(self) -> Self {
        Self { key: FormKey::default(), ..self }
    }

    /// The charge; or everything that is wrong with the form.
    pub(super) fn read(&self) -> Result<(Instruction, IdempotencyKey), Faults> {
        let mut faults = Faults::default();
        let transfer = self.money.read(Kind::Charge, &mut faults);
        let payer_message = read_note("message", &self.message, &mut faults);
        let payee_note = read_note("note", &self.note, &mut faults);
        let key = self.key.read(&mut faults);
        match (transfer, key) {
            (Some(transfer), Some(key)) if faults.is_empty() => {
                let details = Details { payer_message, payee_note, ..Details::default() };
                Ok((Instruction { transfer, reference: None, details, payer_pays: None }, key))
            }
            _ => Err(faults),
        }
    }

    /// The fields with what was typed.
    pub(super) fn typed(&self) -> [(&'static str, &str); 5] {
        [
            ("phoneNumber", &self.money.phone),
            ("network", &self.money.network),
            ("amount", &self.money.amount),
            ("message", &self.message),
            ("note", &self.note),
        ]
    }

    /// The same form, with its key, for the page at this path.
    pub(super) fn repeatable(&self, path: &str) -> RepeatableForm<'_> {
        let mut fields = vec![("key", self.key.as_str())];
        fields.extend(self.typed());
        fields.extend((!self.second.is_empty()).then_some(("second", self.second.as_str())));
        RepeatableForm {
            action: path.to_owned(),
            media_type: "application/x-www-form-urlencoded",
            fields,
            records: path.to_owned(),
        }
    }
}
