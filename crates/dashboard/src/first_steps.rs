//! The first steps of an account: each with whether it is done, where to do it, and who may.

use super::{error::DashboardError, language::Language, state::DashboardState, visitor::Visitor};
use axum::{extract::State, response::Response};
use minijinja::{Value, context};
use tua_domain::{
    Mode,
    people::{Permission as P, Role},
    reporting::FirstStep,
};

/// The steps as a page shows them.
pub(super) struct FirstSteps {
    /// The steps, in order.
    pub(super) rows: Vec<Value>,
    /// How many are done.
    pub(super) done: usize,
    /// Whether the page Home leaves them out: all are done, or the shop takes real money already.
    pub(super) is_over: bool,
}

/// `GET /home/steps`: all steps of the account, also after they are done, and the test numbers.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
) -> Result<Response, DashboardError> {
    let steps = read(&state, &visitor).await?;
    let values = context! {
        steps => steps.rows,
        done => steps.done,
        test_numbers => test_numbers(&state, visitor.person.language),
        guide => format!("{}/docs/going-live", state.payer_url),
    };
    Ok(visitor.page("first_steps.html", values))
}

/// Reads how far the account is.
pub(super) async fn read(
    state: &DashboardState,
    visitor: &Visitor,
) -> Result<FirstSteps, DashboardError> {
    let progress = state.first_steps.progress(&visitor.account).await?;
    let row = |step: &FirstStep| row(visitor, *step, progress.done.contains(step));
    Ok(FirstSteps {
        rows: FirstStep::ALL.iter().map(row).collect(),
        done: progress.done.len(),
        is_over: progress.is_over,
    })
}

fn row(visitor: &Visitor, step: FirstStep, is_done: bool) -> Value {
    let step_pages = step_pages(step).iter().filter(|page| visitor.may(page.permission));
    let step_pages = step_pages.map(|page| {
        let mode = page.mode.unwrap_or(visitor.scope.mode).as_str();
        let href = format!("/dashboard/accounts/{}/{mode}{}", visitor.account.id, page.path);
        context! { key => page.key, href }
    });
    let may = |role: &&Role| step.permissions().iter().any(|permission| role.may(*permission));
    context! {
        key => step.as_str(),
        is_done,
        places => step_pages.collect::<Vec<_>>(),
        roles => Role::ALL.iter().filter(may).map(|role| role.as_str()).collect::<Vec<_>>(),
    }
}

/// A page on which a step is done.
struct StepPage {
    /// The key of its text.
    key: &'static str,
    /// The mode, if it is not that of the visitor's page.
    mode: Option<Mode>,
    path: &'static str,
    permission: P,
}

const fn step_page(
    key: &'static str,
    mode: Option<Mode>,
    path: &'static str,
    permission: P,
) -> StepPage {
    StepPage { key, mode, path, permission }
}

const fn step_pages(step: FirstStep) -> &'static [StepPage] {
    match step {
        FirstStep::Name => {
            const { &[step_page("to-settings", None, "/settings", P::ManageSettings)] }
        }
        FirstStep::TestPayment => {
            const { &[step_page("to-test-links", Some(Mode::Test), "/links", P::ManageLinks)] }
        }
        FirstStep::Link => const { &[step_page("to-links", None, "/links", P::ManageLinks)] },
        FirstStep::People => const { &[step_page("to-people", None, "/people", P::ManagePeople)] },
        FirstStep::Operator => {
            const { &[step_page("to-operators", Some(Mode::Live), "/operators", P::ReadOperators)] }
        }
        FirstStep::Live => {
            const {
                &[
                    step_page("to-live-links", Some(Mode::Live), "/links", P::ManageLinks),
                    step_page("to-live-keys", Some(Mode::Live), "/keys", P::ManageKeys),
                ]
            }
        }
    }
}

/// The address of the simulated phone in this language, on which somebody approves test payments;
/// `None` where it is not served.
pub(super) fn simulated_phone(state: &DashboardState, language: Language) -> Option<String> {
    let is_served = state.simulated_phone.is_served();
    is_served.then(|| format!("{}/sandbox/phone?lang={}", state.payer_url, language.code()))
}

/// Numbers for test payments (docs/reference/test-mode.md), with the outcome of each.
pub(super) fn test_numbers(state: &DashboardState, language: Language) -> Value {
    let number = |network: &str, phone: &str, outcome: &str| context! { network, phone, outcome };
    let phone = simulated_phone(state, language);
    let is_phone = phone.is_some();
    context! {
        phone,
        rows => [
            number(
                "MTN",
                "024 123 4567",
                if is_phone { "test-number-phone" } else { "test-number-good" },
            ),
            number("TELECEL", "020 123 4567", "test-number-voucher"),
            number("MTN", "024 123 0009", "test-number-slow"),
            number("MTN", "024 123 0001", "test-number-funds"),
            number("MTN", "024 123 0002", "test-number-declined"),
        ],
    }
}
