//! The transitions of docs/reference/lifecycle.md, over all states and observations.

use super::*;

fn states() -> Vec<State> {
    let pending = Step::ALL.map(State::Pending);
    let failed = FailureCode::ALL.map(State::Failed);
    [&pending[..], &[State::Successful], &failed[..]].concat()
}

fn observations() -> Vec<Observation> {
    let awaits = Step::ALL.map(Observation::Awaits);
    let failed = FailureCode::ALL.map(Observation::Failed);
    let plain = [
        Observation::Approved,
        Observation::NeedsApproval,
        Observation::StillPending,
        Observation::Ambiguous,
        Observation::Succeeded,
        Observation::Mismatched,
        Observation::Reversed,
        Observation::Disputed,
    ];
    [&awaits[..], &plain[..], &failed[..]].concat()
}

/// The whole transition table, written a second time as rules.
#[test]
fn every_state_and_observation_give_the_specified_result() {
    for state in states() {
        for observation in observations() {
            let expected = match (state, observation) {
                (_, Observation::Disputed) => Applied::Disputed,
                (State::Pending(_), Observation::Succeeded) => Applied::Moved(State::Successful),
                (State::Pending(_), Observation::Failed(code)) => {
                    Applied::Moved(State::Failed(code))
                }
                (State::Pending(_), Observation::Reversed) => {
                    Applied::Moved(State::Failed(FailureCode::OperatorRefused))
                }
                (State::UNAPPROVED, Observation::Approved) => {
                    Applied::Moved(State::Pending(Step::Wait))
                }
                (State::Pending(Step::Wait), Observation::NeedsApproval) => {
                    Applied::Moved(State::UNAPPROVED)
                }
                (State::Pending(now), Observation::Awaits(next))
                    if now != next && ![now, next].contains(&Step::ApproveInDashboard) =>
                {
                    Applied::Moved(State::Pending(next))
                }
                (State::Pending(now), Observation::Mismatched)
                    if now != Step::ApproveInDashboard =>
                {
                    Applied::Flagged(State::Pending(Step::Wait))
                }
                (State::Pending(now), Observation::Ambiguous)
                    if now != Step::Wait && now != Step::ApproveInDashboard =>
                {
                    Applied::Moved(State::Pending(Step::Wait))
                }
                (State::Successful, Observation::Failed(_)) => Applied::Contradicts(Status::Failed),
                (State::Successful, Observation::Reversed) => Applied::Reversed,
                (State::Failed(_), Observation::Succeeded | Observation::Mismatched) => {
                    Applied::Contradicts(Status::Successful)
                }
                _ => Applied::Unchanged,
            };
            assert_eq!(apply(state, observation), expected, "{state:?} + {observation:?}");
        }
    }
}

#[test]
fn a_final_state_never_changes() {
    for state in states().into_iter().filter(|state| state.is_final()) {
        for observation in observations() {
            assert!(
                !matches!(apply(state, observation), Applied::Moved(_)),
                "{state:?} + {observation:?}"
            );
        }
    }
}

#[test]
fn an_unknown_outcome_never_becomes_final() {
    for state in states() {
        for observation in
            [Observation::Ambiguous, Observation::StillPending, Observation::Mismatched]
        {
            assert!(!matches!(
                apply(state, observation),
                Applied::Moved(State::Failed(_) | State::Successful)
            ));
        }
    }
}

#[test]
fn only_people_end_the_wait_for_an_approval_unless_the_operator_reports_a_final_status() {
    let waits = State::UNAPPROVED;
    for observation in observations() {
        let moves = matches!(apply(waits, observation), Applied::Moved(_));
        let is_decision = matches!(observation, Observation::Approved | Observation::Failed(_));
        let is_final = matches!(observation, Observation::Succeeded | Observation::Reversed);
        assert_eq!(moves, is_decision || is_final, "{observation:?}");
    }
    for state in states().into_iter().filter(|state| *state != waits) {
        assert_eq!(apply(state, Observation::Approved), Applied::Unchanged, "{state:?}");
        for observation in
            observations().into_iter().filter(|one| *one != Observation::NeedsApproval)
        {
            assert_ne!(
                apply(state, observation),
                Applied::Moved(waits),
                "{state:?} + {observation:?}"
            );
        }
    }
}

#[test]
fn a_repeated_observation_changes_nothing() {
    for state in states() {
        for observation in observations() {
            if let Applied::Moved(next) = apply(state, observation) {
                assert_eq!(
                    apply(next, observation),
                    Applied::Unchanged,
                    "{state:?} + {observation:?}"
                );
            }
        }
    }
}

#[test]
fn next_actions_and_statuses_parse_from_their_texts() {
    for step in Step::ALL {
        assert_eq!(Step::parse(step.as_str()), Some(step));
    }
    for status in Status::ALL {
        assert_eq!(Status::parse(status.as_str()), Some(status));
    }
}
