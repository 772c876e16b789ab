nav-review = Reviews
review-help = The outcome of these payments is unknown or contradicted. Open one to see the evidence and to decide.
review-none = No payment waits for a decision.
column-since = Since
column-case = Why
case-undecided = The operator gave no final answer for a day
case-unserved = The settings no longer have its operator
case-blocked = The refund was not sent: the payer may have the money already
case-needs_attention = The operator waits for you
case-refund_in_doubt = The operator refused a refund, and the money may have returned already
case-mismatch = Another sum than was asked
case-conflict = The operator contradicts the final state
case-dispute = The payer disputes it
nav-payouts = Approvals
payouts-help = A payout above your limit is sent only after a second person has approved it. Look at the recipient and the sum.
payouts-all = All payouts
payouts-until = Approve it before
float-short = { $operator } had GH₵{ $float } for payouts { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
} ago.
float-reserved = Of that sum, GH₵{ $reserved } are for payouts that are approved and not sent.
float-missing = This needs GH₵{ $needed } with the known fees: GH₵{ $missing } more than is left. You can go on, but the operator may refuse it.
tier-above-lowest = More than GH₵3,000 a day: a wallet of the lowest level cannot take it.
tier-highest-only = More than GH₵15,000 a day: only a wallet of the highest level can take it.
tier-above-every = More than GH₵25,000 a day: no personal wallet can take it, by the rules of the Bank of Ghana.
payouts-for-you = { $count ->
    [0] Nothing here waits for you.
    [one] { $count } waits for you.
   *[other] { $count } wait for you.
}
payouts-none = Nothing waits for an approval.
payouts-approve = Approve
payouts-refuse = Decline
refusal-note = Why you decline
fault-own-payout = You asked for it, or made the key that asked for it, so another person must approve it.
fault-limit = It exceeds a limit of the account. It goes on waiting.
fault-key-revoked = The key that asked for it is revoked.
fault-unroutable = No operator takes it now. It goes on waiting.
fault-charge-not-refundable = The payment that it refunds is disputed, or its operator contradicts it. It goes on waiting. Decide the case under Reviews first.
fault-suspended = The account is suspended. It goes on waiting.
fault-not-waiting = It does not wait for an approval any more. Nothing was changed.
nav-checkouts = Checkouts
checkouts-search = Id or reference
checkouts-help = Customers have opened these. Those that are not paid can still be paid.
checkouts-all-open = All open checkouts
checkouts-none = No checkout was found.
column-expires = Expires
column-action = Action
close-checkout = Close
to-payment = To the payment
checkout-OPEN = Open
checkout-PAID = Paid
checkout-EXPIRED = Expired
checkout-CLOSED = Closed
payouts-show = Show the payout
