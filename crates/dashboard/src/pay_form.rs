//! The form with which a person pays one recipient.

use super::{
    fields::Fields,
    form_key::FormKey,
    language::Language,
    money_form::{Faults, MoneyForm, read_note},
    repeatable_form::RepeatableForm,
};
use tua_domain::{Details, Kind, idempotency::IdempotencyKey, instruction::Instruction};
use tua_use_cases::{
    Payee,
    payees::{NAME_MAX_CHARS, metadata_with_name},
};

/// What a person fills in.
#[derive(Clone, Default, Debug)]
pub(super) struct PayForm {
    money: MoneyForm,
    /// Whom the person means to pay; kept with the payout.
    pub(super) name: String,
    /// What the recipient may see.
    pub(super) message: String,
    /// For the books of the shop.
    pub(super) note: String,
    key: FormKey,
}

impl PayForm {
    pub(super) fn of(fields: &Fields) -> Self {
        let get = |name| fields.get(name).trim().to_owned();
        Self {
            money: MoneyForm::of(fields),
            name: get("name"),
            message: get("message"),
            note: get("note"),
            key: FormKey::of(fields),
        }
    }

    /// The form for somebody who was paid before.
    pub(super) fn to(payee: Payee, language: Language) -> Self {
        Self {
            money: MoneyForm::like(language, payee.network, &payee.phone, payee.amount),
            name: payee.name.unwrap_or_default(),
            ..Self::default()
        }
    }

    pub(super) const fn key(&self) -> &FormKey {
        &self.key
    }

    /// The same values, as a new form.
    pub(super) fn with_new_key(self) -> Self {
        Self { key: FormKey::default(), ..self }
    }

    /// The payout; or everything that is wrong with the form.
    pub(super) fn read(&self) -> Result<(Instruction, IdempotencyKey), Faults> {
        let mut faults = Faults::default();
        let transfer = self.money.read(Kind::Payout, &mut faults);
        let payee_note = read_note("message", &self.message, &mut faults);
        let payer_message = read_note("note", &self.note, &mut faults);
        let is_name =
            self.name.chars().count() <= NAME_MAX_CHARS && !self.name.contains(char::is_control);
        if !is_name {
            faults.add("name", "money-fault-name");
        }
        let key = self.key.read(&mut faults);
        match (transfer, key) {
            (Some(transfer), Some(key)) if faults.is_empty() => {
                let name = Some(&self.name).filter(|name| !name.is_empty());
                let metadata = name.map(|name| metadata_with_name(name));
                let details = Details { payer_message, payee_note, metadata, ..Details::default() };
                Ok((Instruction { transfer, reference: None, details, payer_pays: None }, key))
            }
            _ => Err(faults),
        }
    }

    /// The fields with what was typed.
    pub(super) fn typed(&self) -> [(&'static str, &str); 6] {
        [
            ("phoneNumber", &self.money.phone),
            ("network", &self.money.network),
            ("amount", &self.money.amount),
            ("name", &self.name),
            ("message", &self.message),
            ("note", &self.note),
        ]
    }

    /// The fields of the form that confirms it.
    pub(super) fn hidden(&self) -> Vec<(&'static str, &str)> {
        let mut fields = vec![("key", self.key.as_str())];
        fields.extend(self.typed());
        fields
    }

    /// The same form, with its key.
    pub(super) fn repeatable(&self) -> RepeatableForm<'_> {
        RepeatableForm {
            action: "/payouts/new/confirm".to_owned(),
            media_type: "application/x-www-form-urlencoded",
            fields: self.hidden(),
            records: "/payments".to_owned(),
        }
    }
}
