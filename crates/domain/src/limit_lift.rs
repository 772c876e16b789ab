//! Lifting limits of payouts and refunds: raising or removing one takes a second person, where the
//! account has one who may (docs/reference/payouts.md#lifting-a-limit). Otherwise one person alone
//! could make the approval of others void.

use super::{
    change::Change,
    payout_controls::{Ceiling, ControlsChange, PayoutControls},
    people::{Membership, Permission, Role},
};
use jiff::{SignedDuration, Timestamp};
use std::mem::take;

/// How long a lift waits for a second person, as a payout does.
const LIFT_MAX_WAIT: SignedDuration = SignedDuration::from_hours(72);

/// How long somebody counts as a second person after the loss of the permission. Otherwise one
/// owner alone could take it from the others first, and then lift the limits. The owners get a
/// notice of each lost role, and have this time to act.
const DECIDER_REMEMBERED: SignedDuration = SignedDuration::from_hours(72);

/// A change that lifts limits, and waits for a second person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitLift {
    /// The limits that are raised or removed. It names no others.
    pub change: ControlsChange,
    /// The address of the person who asked for it.
    pub asked_by: String,
    /// When the person asked for it; a decision names this time, so that it concerns this request.
    pub asked_at: Timestamp,
}

impl LimitLift {
    /// Whether it can still be decided.
    #[must_use]
    pub fn is_waiting(&self, now: Timestamp) -> bool {
        now < self.asked_at + LIFT_MAX_WAIT
    }

    /// Checks that this person may decide about it.
    ///
    /// # Errors
    /// [`LiftRefusal`].
    pub fn check(
        &self,
        asked_at: Timestamp,
        person: Option<&str>,
        now: Timestamp,
    ) -> Result<(), LiftRefusal> {
        if self.asked_at != asked_at || !self.is_waiting(now) {
            return Err(LiftRefusal::NotWaiting);
        }
        if person.is_none_or(|person| person == self.asked_by) {
            return Err(LiftRefusal::OwnRequest);
        }
        Ok(())
    }
}

/// What a second person decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiftDecision {
    /// The limits are lifted.
    Approve,
    /// They stay as they are.
    Refuse,
}

/// Why nothing was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LiftRefusal {
    /// It was decided, replaced, or waited too long.
    #[error("no such change of limits waits for a second person")]
    NotWaiting,
    /// The person has asked for it.
    #[error("who asked for a change of limits does not approve or refuse it")]
    OwnRequest,
}

/// What became of a change that a person asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestedControls {
    /// The limits as they are now.
    pub controls: PayoutControls,
    /// What this request lifts, if that waits for a second person.
    pub lift: Option<LimitLift>,
}

/// Whether the account has another person than this one who may change limits, and can sign in.
#[must_use]
pub fn has_second_person(members: &[Membership], requester: Option<&str>) -> bool {
    members.iter().any(|one| {
        let is_other = requester.is_none_or(|requester| requester != one.user.email.as_str());
        is_other && may_decide(one, one.role)
    })
}

/// Whether a lift must wait: the account has a second person, or had one until a short time ago.
/// `decider_lost_at` is when it last lost one.
#[must_use]
pub fn must_wait(
    members: &[Membership],
    requester: Option<&str>,
    decider_lost_at: Option<Timestamp>,
    now: Timestamp,
) -> bool {
    has_second_person(members, requester)
        || decider_lost_at.is_some_and(|lost_at| now < lost_at + DECIDER_REMEMBERED)
}

/// Whether the account loses somebody who could decide when this member gets another role; `None`
/// removes the member.
#[must_use]
pub fn loses_decider(member: &Membership, role: Option<Role>) -> bool {
    may_decide(member, member.role) && !role.is_some_and(|role| may_decide(member, role))
}

/// Whether this member could decide with this role.
fn may_decide(member: &Membership, role: Role) -> bool {
    member.user.is_enrolled && role.may(Permission::ManageSettings)
}

impl ControlsChange {
    /// What it sets or lowers, and what it lifts.
    #[must_use]
    pub fn split_lift(self, before: PayoutControls) -> (Self, Self) {
        let is_lift = |new: Change<Ceiling>, old: Option<Ceiling>| match new {
            Change::Keep => false,
            Change::Clear => old.is_some(),
            Change::Set(new) => old.is_some_and(|old| new > old),
        };
        let mut at_once = self;
        let mut lift = Self::default();
        if is_lift(self.limit, before.limit) {
            lift.limit = take(&mut at_once.limit);
        }
        if is_lift(self.daily_limit, before.daily_limit) {
            lift.daily_limit = take(&mut at_once.daily_limit);
        }
        if is_lift(self.approval_above, before.approval_above) {
            lift.approval_above = take(&mut at_once.approval_above);
        }
        if is_lift(self.refund_approval_above, before.refund_approval_above) {
            lift.refund_approval_above = take(&mut at_once.refund_approval_above);
        }
        (at_once, lift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cedis(text: &str) -> Option<Ceiling> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn what_is_raised_or_removed_is_a_lift_and_nothing_else_is() {
        let before = PayoutControls {
            limit: cedis("500"),
            approval_above: cedis("100"),
            ..PayoutControls::default()
        };
        for (typed, is_lift) in [
            (cedis("499.99"), false),
            (cedis("500"), false),
            (cedis("500.01"), true),
            (None, true),
            (cedis("0"), false),
        ] {
            let change = ControlsChange { limit: typed.into(), ..ControlsChange::default() };
            let expected = if is_lift {
                (ControlsChange::default(), change)
            } else {
                (change, ControlsChange::default())
            };
            assert_eq!(change.split_lift(before), expected, "{typed:?}");
        }
        let change = ControlsChange {
            limit: cedis("400").into(),
            daily_limit: cedis("1000").into(),
            approval_above: Change::Clear,
            refund_approval_above: Change::Clear,
        };
        let (at_once, lift) = change.split_lift(before);
        assert_eq!(
            lift,
            ControlsChange { approval_above: Change::Clear, ..ControlsChange::default() }
        );
        assert_eq!(at_once, ControlsChange { approval_above: Change::Keep, ..change });
        let after = lift.apply(at_once.apply(before));
        let difference = "payout-limit: GHS 500 → GHS 400, payout-daily-limit: none → GHS 1000, \
            payout-approval-above: GHS 100 → none";
        assert_eq!(before.difference(&after), difference);
        assert_eq!(before.difference(&before), "");
    }

    #[test]
    fn a_lost_second_person_counts_for_three_days() {
        let lost_at = Timestamp::UNIX_EPOCH;
        let after = |hours: i64| lost_at + SignedDuration::from_hours(hours);
        assert!(must_wait(&[], Some("esi@example.com"), Some(lost_at), after(71)));
        assert!(!must_wait(&[], Some("esi@example.com"), Some(lost_at), after(72)));
        assert!(!must_wait(&[], Some("esi@example.com"), None, lost_at));
    }

    #[test]
    fn somebody_else_decides_about_the_request_that_was_shown_within_three_days() {
        let asked_at = Timestamp::UNIX_EPOCH;
        let lift = LimitLift {
            change: ControlsChange::default(),
            asked_by: "esi@example.com".to_owned(),
            asked_at,
        };
        let day = |days: i64| asked_at + SignedDuration::from_hours(24 * days);
        assert_eq!(lift.check(asked_at, Some("kofi@example.com"), day(2)), Ok(()));
        assert_eq!(
            lift.check(asked_at, Some("esi@example.com"), day(2)),
            Err(LiftRefusal::OwnRequest)
        );
        assert_eq!(lift.check(asked_at, None, day(2)), Err(LiftRefusal::OwnRequest));
        assert_eq!(
            lift.check(asked_at, Some("kofi@example.com"), day(3)),
            Err(LiftRefusal::NotWaiting)
        );
        assert_eq!(
            lift.check(day(1), Some("kofi@example.com"), day(2)),
            Err(LiftRefusal::NotWaiting)
        );
    }
}
