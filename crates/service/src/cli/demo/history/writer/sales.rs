//! Writes sales: checkout sessions, their charges, and refunds.

use super::{
    super::{
        super::merchant::line,
        past_service::{PastService, SANDBOX_TIME},
        plan::{ChargeAttempt, Sale, SaleRefund, SaleSource},
    },
    past_shop::PastShop,
};
use jiff::Timestamp;
use serde::Serialize;
use tua_companion::order::Line;
use tua_contract::Code;
use tua_domain::{
    Caller, Transaction, TransactionId,
    checkout::{CheckoutTerms, NewCheckout},
    idempotency::IdempotencyKey,
    instruction::Instruction,
};
use tua_operators::sandbox::{orders::Decision, script::RIGHT_CODE};
use tua_use_cases::{LinkPayer, RefundRequest, Requester};

/// The metadata of a session, as the companion sends it.
#[derive(Serialize)]
struct Metadata<'a> {
    items: &'a [Line],
}

/// Writes a sale to its end.
///
/// # Errors
/// One line: what could not be written.
pub(super) async fn write(shop: &PastShop, sale: &Sale) -> Result<(), String> {
    let service = PastService::new(sale.at, &shop.past);
    let payer = open_session(shop, &service, sale).await?;
    let mut charge = None;
    for attempt in &sale.attempts {
        charge = Some(pay(shop, &service, &payer, sale, attempt).await?);
    }
    match charge.zip(sale.refund.as_ref()) {
        Some((charge, refund)) => give_back(shop, &service, charge.order.id.clone(), refund).await,
        None => Ok(()),
    }
}

/// Begins the charge of a sale that its payer has not approved yet.
///
/// # Errors
/// One line: what could not be written.
pub(super) async fn begin_pending(shop: &PastShop, sale: &Sale) -> Result<(), String> {
    let service = PastService::new(sale.at, &shop.past);
    let payer = open_session(shop, &service, sale).await?;
    for attempt in &sale.attempts {
        begin(&service, &payer, sale, attempt).await?;
    }
    Ok(())
}

/// Opens the checkout session of a sale. Its payer is the caller of the charges.
async fn open_session(
    shop: &PastShop,
    service: &PastService,
    sale: &Sale,
) -> Result<Caller, String> {
    let opened = match sale.source {
        SaleSource::Shop => {
            let terms = CheckoutTerms {
                amount: sale.amount,
                // No receipt is sent for what was made up.
                email: None,
                metadata: Some(
                    serde_json::to_string(&Metadata { items: &sale.lines }).map_err(line)?,
                ),
                answer: None,
                return_url: None,
            };
            let new = NewCheckout { reference: Some(sale.reference.clone()), terms };
            let opened = service.checkouts.open(shop.companion.clone(), new, None).await;
            opened.map(|opened| opened.value)
        }
        SaleSource::Link => {
            let payer = LinkPayer { amount: sale.amount, email: None, answer: None };
            service.links().open_session(&shop.link, payer).await
        }
    };
    Ok(Caller::Token(Box::new(opened.map_err(line)?.checkout)))
}

async fn begin(
    service: &PastService,
    payer: &Caller,
    sale: &Sale,
    attempt: &ChargeAttempt,
) -> Result<Transaction, String> {
    service.wait(attempt.begins_after);
    let wallet = attempt.payer.clone();
    let instruction = Instruction::for_checkout(sale.amount, wallet.phone, wallet.network);
    let begun = service.payments.begin(payer.clone(), instruction, None).await;
    Ok(begun.map_err(line)?.value)
}

/// Begins a charge, which the payer then approves or not. A payer with Telecel types a voucher.
async fn pay(
    shop: &PastShop,
    service: &PastService,
    payer: &Caller,
    sale: &Sale,
    attempt: &ChargeAttempt,
) -> Result<Transaction, String> {
    let begun = begin(service, payer, sale, attempt).await?;
    if begun.state.is_final() {
        return Ok(begun);
    }
    service.wait(attempt.decided_after - SANDBOX_TIME);
    let id = begun.order.id.clone();
    let begun = if begun.state.expects_code() {
        let code = Code::parse(RIGHT_CODE).map_err(|_| "the code of the sandbox is none")?;
        service.codes.submit(payer.clone(), id, code, None).await.map_err(line)?.value.transaction
    } else {
        begun
    };
    if attempt.is_paid {
        approve_on_phone(shop, &begun.order.id, service.now()).await?;
    }
    service.wait(SANDBOX_TIME);
    service.find_outcome(payer, &begun).await
}

/// Records that the payer approved a charge. Otherwise the simulated phone of the demo would ask
/// for what was paid in the half hour before.
async fn approve_on_phone(
    shop: &PastShop,
    charge: &TransactionId,
    at: Timestamp,
) -> Result<(), String> {
    let reference = charge.operator_reference();
    shop.past.opened.orders.decide(&reference, Decision::Approve, at).await.map_err(line)?;
    Ok(())
}

async fn give_back(
    shop: &PastShop,
    service: &PastService,
    charge: TransactionId,
    refund: &SaleRefund,
) -> Result<(), String> {
    service.wait(refund.begins_after);
    let key = IdempotencyKey::parse(format!("refund-{charge}").as_bytes());
    let key = key.ok_or("the key of a refund is too long")?;
    let request = RefundRequest {
        charge,
        amount: refund.amount,
        reason: Some(refund.reason.to_owned()),
        is_by_payout: false,
    };
    let requester = Requester::Key(shop.back_office.clone());
    let reader = Caller::Key(shop.back_office.clone());
    let begun = service.refunds().begin(requester, request, key).await.map_err(line)?.value;
    service.wait(SANDBOX_TIME);
    service.find_outcome(&reader, &begun).await.map(drop)
}
