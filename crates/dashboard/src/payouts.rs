//! Payouts that wait for the approval of a second person.

use super::{
    confirmation::is_confirmed,
    decisions::{Verb, about_payout},
    error::{DashboardError, redirect},
    fields::Fields,
    float_warning,
    notice::Notice,
    payment::{PathValues, find},
    recipient_names,
    state::DashboardState,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::context;
use tua_domain::{
    Transaction,
    approval::{DecideError, PayoutDecision, PersonName, approval_until},
    review::DecisionNote,
    wallet_tiers::TierWarning,
};
use tua_use_cases::{PayoutOverview, WaitingBatch, WaitingPayout, payees::typed_name};

/// `GET /payouts`: the longest waiting first.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    page(&state, &visitor, &notice, "").await
}

/// `POST /payouts/{id}/approve`: the service sends it. Limits, key and account are checked again.
pub(super) async fn approve(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let payout = find(&state, &visitor, &path).await?;
    let person = &visitor.person.session.user;
    if state.payout_lists.is_request_of(person, &payout).await? {
        return page(&state, &visitor, &Notice::default(), "fault-own-payout").await;
    }
    if !is_confirmed(&fields) {
        return Ok(about_payout(Verb::Approve, &payout, "").page(&visitor));
    }
    let by = name_of(&visitor)?;
    decide(&state, &visitor, &payout, PayoutDecision::Approve { by }, "approved").await
}

/// `POST /payouts/{id}/refuse`: it ends, and no money moves.
pub(super) async fn refuse(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let payout = find(&state, &visitor, &path).await?;
    let typed = fields.get("note");
    let question = about_payout(Verb::Refuse, &payout, typed);
    if !is_confirmed(&fields) {
        return Ok(question.page(&visitor));
    }
    let Ok(note) = typed.parse::<DecisionNote>() else {
        return Ok(question.with_note_fault("fault-note").page(&visitor));
    };
    let by = name_of(&visitor)?;
    decide(&state, &visitor, &payout, PayoutDecision::Refuse { by, note }, "refused").await
}

async fn decide(
    state: &DashboardState,
    visitor: &Visitor,
    payout: &Transaction,
    decision: PayoutDecision,
    done: &str,
) -> Result<Response, DashboardError> {
    match state.payouts.decide(&payout.order.id, decision, &visitor.audit(state)).await {
        Ok(_) => {
            Ok(redirect(&visitor.href(&format!("/payouts?done={done}&of={}", payout.order.id))))
        }
        Err(DecideError::Store(error)) => Err(error.into()),
        Err(refused) => page(state, visitor, &Notice::default(), decision_fault(&refused)).await,
    }
}

/// The text that says why a decision was refused.
pub(super) const fn decision_fault(refused: &DecideError) -> &'static str {
    match refused {
        DecideError::Exceeded(_) => "fault-limit",
        DecideError::Unroutable(_) | DecideError::LineUnroutable { .. } => "fault-unroutable",
        DecideError::NotRefundable(_) => "fault-charge-not-refundable",
        DecideError::KeyRevoked => "fault-key-revoked",
        DecideError::AccountSuspended => "fault-suspended",
        DecideError::PartOfBatch(_) => "fault-part-of-batch",
        _ => "fault-not-waiting",
    }
}

/// How the payment's timeline names the person.
pub(super) fn name_of(visitor: &Visitor) -> Result<PersonName, DashboardError> {
    PersonName::shortened(visitor.person.session.user.email.as_str())
        .ok_or(DashboardError::Failed(StatusCode::INTERNAL_SERVER_ERROR))
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    notice: &Notice,
    fault: &str,
) -> Result<Response, DashboardError> {
    let person = &visitor.person.session.user;
    let PayoutOverview { waiting, batches } =
        state.payout_lists.overview(&visitor.scope, person).await?;
    let reserved = state.operator_floats.reserved().await?;
    let typed: Vec<String> =
        waiting.iter().map(|one| typed_name(&one.payout.order).unwrap_or_default()).collect();
    let transfers = waiting.iter().map(|one| &one.payout.order.transfer);
    let payouts: Vec<_> = transfers.zip(typed.iter().map(String::as_str)).collect();
    let names = recipient_names::name_values(state, visitor, &payouts).await;
    let are_names_missing = names.contains(&None);
    let mut rows = Vec::new();
    for ((WaitingPayout { payout, is_own }, name), recipient) in
        waiting.iter().zip(&typed).zip(names)
    {
        let until = approval_until(payout).to_string();
        let transfer = &payout.order.transfer;
        let alone = [(transfer.network, transfer.amount)];
        let shortages = state.networks.float_shortages(&visitor.scope, alone, &reserved);
        let shortages = float_warning::warnings(state, visitor, shortages).await?;
        let tier = views::tier_text(TierWarning::about(transfer.amount.pesewas()));
        let shown = views::transaction(payout);
        rows.push(context! { until, is_own, shortages, tier, name, recipient, ..shown });
    }
    let status = if fault.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let batches: Vec<_> = batches
        .iter()
        .map(|WaitingBatch { batch, is_own }| context! { is_own, ..views::batch(batch) })
        .collect();
    Ok(visitor.page_with(
        status,
        "payouts.html",
        context! {
            rows,
            are_names_missing,
            batches,
            for_reader => visitor.waiting.approvals.for_reader,
            for_others => visitor.waiting.approvals.for_others,
            notice => notice.key(),
            notice_of => notice.of(),
            fault,
        },
    ))
}
