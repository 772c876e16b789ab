//! Writes payouts and batches, one after another.

use super::{
    super::{
        super::merchant::line,
        past_service::{PastService, SANDBOX_TIME, SCHEDULE},
        plan::{PayoutLine, PlannedBatch, PlannedPayout},
    },
    past_shop::PastShop,
};
use jiff::SignedDuration;
use serde_json::json;
use tua_dashboard::DEMO_EMAIL;
use tua_domain::{
    Caller, Details, Kind, Transfer, approval::PayoutDecision, idempotency::IdempotencyKey,
    instruction::Instruction, payout_batch::PayoutBatch,
};
use tua_use_cases::BatchRequest;

/// Writes payouts to single people.
///
/// # Errors
/// One line: what could not be written.
pub(super) async fn write_payouts(
    shop: &PastShop,
    payouts: &[PlannedPayout],
) -> Result<(), String> {
    for payout in payouts {
        write_payout(shop, payout).await?;
    }
    Ok(())
}

/// Writes batches.
///
/// # Errors
/// One line: what could not be written.
pub(super) async fn write_batches(
    shop: &PastShop,
    batches: &[&PlannedBatch],
) -> Result<(), String> {
    for batch in batches {
        write_batch(shop, batch).await?;
    }
    Ok(())
}

async fn write_payout(shop: &PastShop, payout: &PlannedPayout) -> Result<(), String> {
    let service = PastService::new(payout.at, &shop.past);
    let caller = Caller::Key(shop.back_office.clone());
    let instruction = instruction(&payout.line, payout.reference.clone());
    let begun = service.payments.begin(caller.clone(), instruction, None).await;
    service.wait(SANDBOX_TIME);
    service.find_outcome(&caller, &begun.map_err(line)?.value).await.map(drop)
}

async fn write_batch(shop: &PastShop, planned: &PlannedBatch) -> Result<(), String> {
    let service = PastService::new(planned.at, &shop.past);
    let numbered = planned.lines.iter().zip(1..);
    let lines = numbered
        .map(|(line, number)| instruction(line, format!("{}-{number}", planned.reference)))
        .collect();
    let request = BatchRequest { lines, reference: Some(planned.reference.clone()) };
    let key = IdempotencyKey::parse(planned.reference.as_bytes());
    let key = key.ok_or("the reference of a batch is too long")?;
    let begun = service.batches().begin(shop.back_office.clone(), request, key).await;
    let batch = begun.map_err(line)?.value;
    match planned.approved_after {
        Some(wait) => approve_and_send(shop, &service, &batch, wait).await,
        None => Ok(()),
    }
}

/// Approves a batch as the owner, through the command line, and lets the service send its payouts.
async fn approve_and_send(
    shop: &PastShop,
    service: &PastService,
    batch: &PayoutBatch,
    wait: SignedDuration,
) -> Result<(), String> {
    service.wait(wait);
    let by = shop.owner_at(service.now());
    let decision = PayoutDecision::Approve { by: DEMO_EMAIL.parse()? };
    let approved = service.batches().decide(&batch.id, decision, &by).await.map_err(line)?;
    let first_query_at = SCHEDULE.first_query_at(&approved.scope, service.now());
    for payout in &approved.lines {
        service.gateway.hand_over(payout, first_query_at).await;
    }
    service.wait(SANDBOX_TIME);
    let reader = Caller::Key(shop.back_office.clone());
    for payout in &approved.lines {
        service.find_outcome(&reader, payout).await?;
    }
    Ok(())
}

fn instruction(line: &PayoutLine, reference: String) -> Instruction {
    Instruction {
        transfer: Transfer {
            kind: Kind::Payout,
            amount: line.amount,
            network: line.payee.network,
            phone: line.payee.phone.clone(),
        },
        reference: Some(reference),
        details: Details {
            metadata: Some(json!({ "recipientName": line.name }).to_string()),
            payee_note: Some(line.note.clone()),
            ..Details::default()
        },
        payer_pays: None,
    }
}
