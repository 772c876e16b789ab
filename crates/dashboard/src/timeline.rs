//! What happened to a payment, and why it waits: the keys of texts with their values.

use super::views::cedis;
use jiff::{SignedDuration, Timestamp};
use minijinja::{Value, context};
use tua_contract::State;
use tua_domain::{Event, Transaction, refund::RefundSums, reporting::WaitingTimes, review::Case};
use tua_use_cases::AskedRefund;

/// The events of a transaction, oldest first. `key` is that of the event's text, `detail` that of a
/// text that follows, `place` is where it happened, and `after` the time since the event before.
/// `refunds` are those of a charge, with who asked for each.
pub(super) fn events(events: &[(Timestamp, Event)], refunds: &[AskedRefund]) -> Vec<Value> {
    let mut before: Option<Timestamp> = None;
    let mut is_handed_over = false;
    let mut sums = RefundSums::default();
    let mut rows = Vec::new();
    for (at, event) in events {
        match event {
            Event::Begun { is_handed_over: at_once, .. } => is_handed_over = *at_once,
            Event::HandedOver | Event::FoundAtOperator { .. } => is_handed_over = true,
            Event::HandOverWithdrawn => is_handed_over = false,
            _ => {}
        }
        let before_sums = sums;
        // The approval of a payout: the service sends it next.
        let is_to_be_sent = matches!(event, Event::Moved(State::Pending(_), _)) && !is_handed_over;
        let text = match event {
            _ if is_to_be_sent => text("event-to-be-sent"),
            Event::RefundsChanged(after) => {
                let before = std::mem::replace(&mut sums, *after);
                refund_text(before, *after, *at, refunds)
            }
            _ => event_text(event),
        };
        let place = match event {
            _ if is_to_be_sent => "shop",
            Event::RefundsChanged(after) => refund_place(before_sums, *after, *at, refunds),
            _ => place(event),
        };
        let after = before.map(|before| elapsed(at.duration_since(before)));
        before = Some(*at);
        rows.push(context! { at => at.to_string(), after, place, ..text });
    }
    rows
}

/// Where an event happened on the way of the money.
const fn place(event: &Event) -> &'static str {
    match event {
        Event::Begun { .. } | Event::HandOverWithdrawn => "shop",
        Event::Moved(State::Pending(_), _) | Event::CodeAttempted | Event::Disputed => "phone",
        Event::SumSettled(_)
        | Event::CaseDecided(_)
        | Event::Reviewed { .. }
        | Event::Approved { .. }
        | Event::ApprovalRefused { .. } => "person",
        _ => "operator",
    }
}

/// Where a change of the refunds of a charge happened: where one was asked for, else at the
/// operator.
fn refund_place(
    before: RefundSums,
    after: RefundSums,
    at: Timestamp,
    refunds: &[AskedRefund],
) -> &'static str {
    if after.returned != before.returned || after.counted <= before.counted {
        return "operator";
    }
    let is_of_person = begun_by(at, refunds).is_some();
    if is_of_person { "person" } else { "shop" }
}

/// The person who began the refund that was recorded at this time.
fn begun_by(at: Timestamp, refunds: &[AskedRefund]) -> Option<&str> {
    refunds.iter().find(|one| one.refund.created_at == at)?.asked_by.as_deref()
}

/// A duration in its two largest units: `3 min 20 s`, `2 h 5 min`, `4 d 1 h`; empty below a second.
pub(super) fn elapsed(duration: SignedDuration) -> String {
    let seconds = duration.as_secs();
    let units = [(seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min")];
    let units = units.into_iter().chain([(seconds % 60, "s")]);
    let shown = units.skip_while(|(count, _)| *count <= 0).take(2).filter(|(count, _)| *count > 0);
    shown.map(|(count, unit)| format!("{count} {unit}")).collect::<Vec<_>>().join(" ")
}

/// What a change of the refunds of a charge means: who began one, how much was returned, or that
/// one failed.
fn refund_text(
    before: RefundSums,
    after: RefundSums,
    at: Timestamp,
    refunds: &[AskedRefund],
) -> Value {
    let with = |key: &str, pesewas: i64| context! { amount => cedis(pesewas), ..text(key) };
    if after.returned > before.returned {
        return with("event-refund-returned", after.returned - before.returned);
    }
    if after.counted < before.counted {
        return with("event-refund-failed", before.counted - after.counted);
    }
    if after.counted == before.counted {
        return text("event-refunds-changed");
    }
    match begun_by(at, refunds) {
        Some(who) => context! {
            who,
            ..with("event-refund-begun-by", after.counted - before.counted)
        },
        None => with("event-refund-begun", after.counted - before.counted),
    }
}

fn text(key: &str) -> Value {
    context! { key, detail => "", who => "", note => "", amount => "" }
}

fn event_text(event: &Event) -> Value {
    let with = |key: &str, detail: String| context! { detail, ..text(key) };
    match event {
        Event::Begun { .. } => text("event-begun"),
        Event::HandedOver => text("event-handed-over"),
        Event::HandOverWithdrawn => text("event-not-sent"),
        Event::Moved(state @ State::Pending(_), _) => {
            with("event-pending", format!("state-{}", state.next_action()))
        }
        Event::Moved(State::Successful, _) => text("event-successful"),
        Event::Moved(State::Failed(code), _) => {
            with("event-failed", format!("failure-{}", code.as_str()))
        }
        Event::Mismatched(mismatch, _) => match mismatch.received {
            Some(sum) => context! { amount => cedis(sum.pesewas()), ..text("event-mismatched") },
            None => text("event-mismatched-unknown"),
        },
        Event::SumSettled(sum) => {
            context! { amount => cedis(sum.pesewas()), ..text("event-sum-settled") }
        }
        Event::CodeAttempted => text("event-code"),
        Event::Contradicted(status, ..) => {
            with("event-contradicted", format!("status-{}", status.as_str()))
        }
        Event::Disputed => text("event-disputed"),
        Event::CaseDecided(status) => {
            with("event-case-decided", format!("status-{}", status.as_str()))
        }
        Event::Reviewed { by: Some(by), note } => {
            context! { who => by.as_str(), note => note.as_str(), ..text("event-reviewed-by") }
        }
        Event::Reviewed { by: None, note } => {
            context! { note => note.as_str(), ..text("event-reviewed") }
        }
        Event::Approved { by, .. } => context! { who => by.as_str(), ..text("event-approved") },
        Event::FoundAtOperator { .. } => text("event-found"),
        Event::ApprovalRefused { by, note } => {
            context! { who => by.as_str(), note => note.as_str(), ..text("event-refused") }
        }
        Event::Reversed(_) => text("event-reversed"),
        Event::RefundsChanged(_) => text("event-refunds-changed"),
    }
}

/// Why a pending transaction waits, most important first. Each has the key of its text, and the
/// time in it. `not_sent` is the key of the text for one that is to be sent.
pub(super) fn waiting(
    transaction: &Transaction,
    times: &WaitingTimes,
    not_sent: &str,
) -> Vec<Value> {
    if transaction.state.is_final() {
        return Vec::new();
    }
    let reason = |key: &str, at: Option<Timestamp>| {
        context! { key, at => at.map(|at| at.to_string()) }
    };
    let mut reasons = Vec::new();
    let flagged = times.flags.pending_case(transaction);
    if let Some((case, at)) = flagged {
        reasons.push(reason(&format!("waiting-{}", case.as_str()), Some(at)));
    }
    if times.approval_due.is_some() {
        reasons.push(reason("waiting-approval", times.approval_due));
    } else if transaction.handed_over_at.is_none() {
        // One that is blocked is not sent at all.
        if flagged.is_none() {
            reasons.push(reason(not_sent, times.send_at));
        }
    } else if times.acknowledged_at.is_none() {
        reasons.push(reason("waiting-acknowledgement", None));
    } else if flagged.is_none() {
        reasons.push(reason("waiting-answer", times.acknowledged_at));
    }
    if times.delayed_at.is_some() {
        reasons.push(reason("waiting-delayed", times.delayed_at));
    }
    let is_unserved = flagged.is_some_and(|(case, _)| case == Case::Unserved);
    if times.ask_at.is_some() && !is_unserved {
        reasons.push(reason("waiting-next-question", times.ask_at));
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_between_events_has_its_two_largest_units() {
        for (seconds, text) in [
            (0, ""),
            (59, "59 s"),
            (200, "3 min 20 s"),
            (3_600, "1 h"),
            (3_605, "1 h"),
            (7_500, "2 h 5 min"),
            (349_200, "4 d 1 h"),
        ] {
            assert_eq!(elapsed(SignedDuration::from_secs(seconds)), text);
        }
    }
}
