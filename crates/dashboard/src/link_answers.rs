//! What payers answered to the questions of payment links.

use super::{error::DashboardError, state::DashboardState, views, visitor::Visitor};
use minijinja::Value;
use tua_domain::{TransactionOrder, link::Link, reporting::ReportFilter};

/// How many of the newest payments of a link are shown with their answers.
const ROWS: u32 = 20;

/// The newest payments of a link that asks a question, with the answers.
pub(super) async fn newest(
    state: &DashboardState,
    visitor: &Visitor,
    link: &Link,
) -> Result<Vec<Value>, DashboardError> {
    if link.terms.question.is_none() {
        return Ok(Vec::new());
    }
    let filter =
        visitor.seen(ReportFilter { link: Some(link.id.clone()), ..ReportFilter::default() });
    let page = state.reports.newest(&visitor.scope, &filter, ROWS).await?;
    Ok(page.iter().map(views::transaction).collect())
}

/// The question that the payer of a charge answered; `None` where nothing was asked.
pub(super) async fn question(
    state: &DashboardState,
    order: &TransactionOrder,
) -> Result<Option<String>, DashboardError> {
    let (Some(id), Some(_)) = (&order.link, &order.details.answer) else { return Ok(None) };
    let found = state.links.find(Some(&order.scope), id).await?;
    Ok(found.and_then(|found| found.link.terms.question))
}
