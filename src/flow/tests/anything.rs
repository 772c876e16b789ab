//! Property tests: random sequences of messages.

use super::*;
use proptest::prelude::*;
use tua_contract::Network;

fn any_state() -> impl Strategy<Value = TransactionState> {
    prop_oneof![
        6 => prop::sample::select(&Step::ALL[..]).prop_map(TransactionState::Pending),
        1 => Just(TransactionState::Successful),
        2 => prop::sample::select(&FailureCode::ALL[..]).prop_map(TransactionState::Failed),
    ]
}

fn any_transaction() -> impl Strategy<Value = Transaction> {
    (any_state(), 1..4)
        .prop_map(|(state, id)| Transaction { id: format!("trx_{id}"), ..transaction(state) })
}

fn any_answer() -> impl Strategy<Value = ApiResponse> {
    let down = any::<[bool; 3]>();
    let session = (prop::option::of(any_transaction()), prop::bool::weighted(0.05), 0..6_u32, down)
        .prop_map(|(transaction, is_paid, attempts_left, down)| {
            ApiResponse::Session(Session { transaction, is_paid, attempts_left, down, ..session() })
        });
    let status = prop::sample::select(vec![400, 401, 403, 404, 409, 422, 429, 500, 503]);
    let checkout = prop::option::of(prop::sample::select(vec![
        SessionStatus::Open,
        SessionStatus::Pending,
        SessionStatus::Paid,
        SessionStatus::Closed,
    ]));
    let problem = (status, prop::option::of(prop::sample::select(ErrorCode::ALL)), checkout)
        .prop_map(|(status, code, checkout)| {
            ApiResponse::Refused(Problem { status, code, checkout, ..Problem::default() })
        });
    prop_oneof![
        4 => session,
        6 => (any_transaction(), any::<bool>()).prop_map(|(transaction, was_held)| {
            ApiResponse::Transaction { transaction, etag: None, was_held }
        }),
        1 => any::<bool>().prop_map(|was_held| ApiResponse::Unchanged { was_held }),
        2 => problem,
        2 => Just(ApiResponse::Lost),
    ]
}

/// One step. An answer or the end of a pause belongs to the current job, or to an older one.
#[derive(Clone, Debug)]
enum TestStep {
    Message(Msg),
    Answered { late: u32, answer: Box<ApiResponse> },
    Slept { late: u32 },
}

/// What a form shows.
fn any_form() -> impl Strategy<Value = (String, Option<Network>)> {
    let phone = prop::sample::select(vec!["0241234567", "1"]).prop_map(str::to_owned);
    (phone, prop::option::of(prop::sample::select(&Network::ALL[..])))
}

fn any_step() -> impl Strategy<Value = TestStep> {
    let said = prop_oneof![
        prop::sample::select(vec!["024 123 4567", "0201234567", "12", ""])
            .prop_map(|text| Msg::PhoneTyped(text.to_owned())),
        any_form().prop_map(|(text, network)| Msg::Filled(text, network)),
        prop::sample::select(&Network::ALL[..]).prop_map(Msg::NetworkChosen),
        any_form().prop_map(|(text, network)| Msg::Pay(text, network)),
        Just(Msg::Pay("024 123 4567".to_owned(), Some(Network::Mtn))),
        prop::sample::select(vec!["123456", "1"]).prop_map(|text| Msg::CodeTyped(text.to_owned())),
        prop::sample::select(vec!["123456", "1"]).prop_map(|text| Msg::SendCode(text.to_owned())),
        Just(Msg::TryAgain),
        Just(Msg::ChangeNumber),
        Just(Msg::CheckNow),
        Just(Msg::Hidden),
        Just(Msg::Offline),
        Just(Msg::CopyReceipt),
        Just(Msg::Resumed),
        (0..4_000_000_i64).prop_map(Msg::Tick),
    ];
    let late = prop_oneof![5 => Just(0_u32), 1 => 1..4_u32];
    prop_oneof![
        6 => said.prop_map(TestStep::Message),
        5 => (late.clone(), any_answer()).prop_map(|(late, answer)| {
            TestStep::Answered { late, answer: Box::new(answer) }
        }),
        1 => late.prop_map(|late| TestStep::Slept { late }),
    ]
}

/// Whether this answer reports that the money has moved.
fn reports_paid(msg: &Msg) -> bool {
    let Msg::Answered(_, answer) = msg else { return false };
    let successful = |transaction: &Transaction| transaction.state == TransactionState::Successful;
    match &**answer {
        ApiResponse::Session(session) => {
            session.is_paid || session.transaction.as_ref().is_some_and(successful)
        }
        ApiResponse::Transaction { transaction, .. } => successful(transaction),
        ApiResponse::Refused(problem) => problem.checkout == Some(SessionStatus::Paid),
        ApiResponse::Unchanged { .. } | ApiResponse::Lost => false,
    }
}

fn reports_failed(msg: &Msg) -> bool {
    let Msg::Answered(_, answer) = msg else { return false };
    let failed =
        |transaction: &Transaction| matches!(transaction.state, TransactionState::Failed(_));
    match &**answer {
        ApiResponse::Session(session) => session.transaction.as_ref().is_some_and(failed),
        ApiResponse::Transaction { transaction, .. } => failed(transaction),
        _ => false,
    }
}

fn shows_paid(state: &State) -> bool {
    match &state.screen {
        Screen::Paid(..) => true,
        Screen::Expired(expiry) => expiry.status == SessionStatus::Paid,
        _ => false,
    }
}

/// Whether the server has decided the checkout, and the payer can do nothing more.
fn is_end(screen: &Screen) -> bool {
    match screen {
        Screen::Paid(..) | Screen::InvalidToken => true,
        Screen::Expired(expiry) => expiry.status != SessionStatus::Pending,
        Screen::Failed(session, ..) | Screen::Form(session, _) => session.attempts_left == 0,
        Screen::Loading { .. } | Screen::Unreachable(_) | Screen::Waiting(..) => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn no_sequence_of_messages_violates_an_invariant(
        shows_form in any::<bool>(),
        steps in prop::collection::vec(any_step(), 1..60),
    ) {
        let (mut state, effects) = State::begin(shows_form.then(Form::default));
        // The generation of the current job, and whether it is a request that moves money.
        let mut job: Option<(u32, bool)> = None;
        let mut newest = 0;
        let mut pausing = false;
        let mut last_event = None;
        let mut last_attempt = 0;
        for effect in effects {
            if let Effect::Send(generation, _) = effect {
                job = Some((generation, false));
                newest = generation;
            }
        }
        for step in steps {
            let msg = match step {
                TestStep::Message(msg) => msg,
                TestStep::Answered { late, answer } => {
                    Msg::Answered(newest.saturating_sub(late), answer)
                }
                TestStep::Slept { late } => Msg::Slept(newest.saturating_sub(late)),
            };
            // The current job is a request or a pause, and only the matching message can arrive for
            // it.
            let fits = match (&msg, pausing) {
                (Msg::Answered(generation, _), true) | (Msg::Slept(generation), false) => {
                    *generation != newest
                }
                _ => true,
            };
            if !fits {
                continue;
            }
            let answers_job = matches!(
                &msg,
                Msg::Answered(generation, _) | Msg::Slept(generation)
                    if Some(*generation) == job.map(|job| job.0)
            );
            let before = state.clone();
            let (after, effects) = state.update(msg.clone());
            state = after;

            // Only the server decides success and failure.
            prop_assert!(
                shows_paid(&before) || !shows_paid(&state) || reports_paid(&msg),
                "{msg:?}"
            );
            let was_failed = matches!(before.screen, Screen::Failed(..));
            prop_assert!(
                was_failed
                    || !matches!(state.screen, Screen::Failed(..))
                    || reports_failed(&msg),
                "{msg:?}"
            );
            // Paid stays paid, and a pending payment never shows as an invalid link or a new form.
            prop_assert!(
                !matches!(before.screen, Screen::Paid(..))
                    || matches!(state.screen, Screen::Paid(..))
            );
            if matches!(before.screen, Screen::Waiting(..)) {
                let kept = matches!(
                    state.screen,
                    Screen::Waiting(..) | Screen::Paid(..) | Screen::Failed(..) | Screen::Expired(_)
                );
                prop_assert!(kept, "{msg:?}");
            }

            if answers_job {
                job = None;
            }
            for effect in effects {
                match effect {
                    Effect::Send(generation, request) => {
                        // A request that moves money is neither repeated concurrently nor aborted.
                        prop_assert!(
                            !job.is_some_and(|job| job.1),
                            "{msg:?} sends {request:?} over a submission"
                        );
                        // No attempt begins on a network that is down. A repeated request may find
                        // out what became of one.
                        if let Request::Charge { attempt, network, .. } = request
                            && attempt > last_attempt
                        {
                            last_attempt = attempt;
                            prop_assert!(
                                !state
                                    .screen
                                    .session()
                                    .is_some_and(|session| session.is_down(network))
                            );
                        }
                        job = Some((
                            generation,
                            matches!(request, Request::Charge { .. } | Request::Code { .. }),
                        ));
                        (newest, pausing) = (generation, false);
                    }
                    Effect::Sleep(generation, millis) => {
                        prop_assert!(!job.is_some_and(|job| job.1));
                        prop_assert!(millis >= 500, "never a busy loop");
                        job = Some((generation, false));
                        (newest, pausing) = (generation, true);
                    }
                    Effect::Stop => {
                        prop_assert!(!job.is_some_and(|job| job.1));
                        job = None;
                    }
                    Effect::Emit(event) => {
                        prop_assert_ne!(last_event.as_ref(), Some(&event), "emitted twice");
                        last_event = Some(event);
                    }
                    Effect::Focus(_) | Effect::CopyReceipt | Effect::Print => {}
                }
            }

            // The checkout is never stuck: a job is in progress, or the payer can start one.
            let pay = Msg::Pay("0241234567".to_owned(), Some(Network::Mtn));
            let can_act = [pay, Msg::CheckNow, Msg::TryAgain, Msg::Resumed].into_iter().any(|msg| {
                !state.clone().update(msg).1.is_empty()
            });
            prop_assert!(
                job.is_some() || can_act || is_end(&state.screen),
                "stuck at {:?}",
                state.screen
            );
        }
    }
}
