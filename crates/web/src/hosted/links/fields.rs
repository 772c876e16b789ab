//! What a payer fills in on a link's page: the amount, the answer to the link's question, and an
//! e-mail address where the merchant sends receipts.

use super::amount::{self, AmountFault};
use tua_api::values::Email;
use tua_contract::plain_text::visible;
use tua_domain::link::{ANSWER_MAX_CHARS, LinkAmount, PublicLink};
use tua_use_cases::LinkPayer;
use url::form_urlencoded;

/// What is wrong with an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnswerFault {
    Empty,
    TooLong,
}

/// A refused form: each field as it was typed, and its fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RefusedLinkForm {
    pub(super) amount: String,
    pub(super) amount_fault: Option<AmountFault>,
    pub(super) answer: String,
    pub(super) answer_fault: Option<AnswerFault>,
    pub(super) email: String,
    pub(super) is_email_wrong: bool,
}

/// Whether the page of this link has a field.
pub(super) fn has_any(public: &PublicLink) -> bool {
    public.sends_receipts
        || public.link.terms.question.is_some()
        || matches!(public.link.terms.amount, LinkAmount::Open { .. })
}

/// Reads the fields that the page of this link has.
pub(super) fn parse(body: &[u8], public: &PublicLink) -> Result<LinkPayer, RefusedLinkForm> {
    let field = |name: &str| {
        let mut fields = form_urlencoded::parse(body);
        fields.find(|field| field.0 == name).map(|field| field.1.into_owned()).unwrap_or_default()
    };
    let typed = field("amount");
    let typed_email = visible(&field("email"));
    let amount = match public.link.terms.amount {
        LinkAmount::Fixed(amount) => Ok(amount),
        LinkAmount::Open { .. } => amount::parse(&typed, &public.link.terms.amount),
    };
    let email = match &*typed_email {
        address if public.sends_receipts && !address.is_empty() => {
            Email::try_from(address.to_owned()).map(Some)
        }
        _ => Ok(None),
    };
    let typed_answer = field("answer");
    let answer = match public.link.terms.question {
        Some(_) => parse_answer(&typed_answer).map(Some),
        None => Ok(None),
    };
    match (amount, answer, email) {
        (Ok(amount), Ok(answer), Ok(email)) => {
            Ok(LinkPayer { amount, answer, email: email.map(Email::into_string) })
        }
        (amount, answer, email) => Err(RefusedLinkForm {
            amount: typed,
            amount_fault: amount.err(),
            answer: typed_answer,
            answer_fault: answer.err(),
            email: typed_email,
            is_email_wrong: email.is_err(),
        }),
    }
}

/// The answer without what nobody sees: invisible and control characters, and spaces around it.
fn parse_answer(typed: &str) -> Result<String, AnswerFault> {
    let printable: String = typed.chars().filter(|character| !character.is_control()).collect();
    let answer = visible(&printable);
    match answer.chars().count() {
        0 => Err(AnswerFault::Empty),
        count if count > ANSWER_MAX_CHARS => Err(AnswerFault::TooLong),
        _ => Ok(answer),
    }
}
