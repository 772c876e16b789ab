nav-home = Home
range-week = This week
range-month = This month
range-unreadable = The days were not understood. These are the figures from { $from } to { $to }.
range-wrong-order = The first day is after the last one. These are the figures from { $from } to { $to }.
range-too-long = A page has ten years at most. These are the figures from { $from } to { $to }.
home-moved-CHARGE = Money in
home-moved-PAYOUT = Paid out
home-moved-REFUND = Returned to payers
home-kept = Kept after fees
home-kept-fees = fees: { $amount }
home-kept-today = { $amount } after fees
home-kept-unknown = not known
home-fees-unknown = { $count ->
    [one] the fee of { $count } payment is not known
   *[other] the fees of { $count } payments are not known
}
home-failures = Why payments failed
home-failures-payers = The payers’ own reasons
home-failures-others = Your or the operator’s reasons
failures-or-more = { $count } or more
home-out = Money out
home-waiting = Waiting for you
home-pending = { $count ->
    [one] { $count } pending
   *[other] { $count } pending
}
home-plot = Money on each day
home-table = Table of the days
home-table-help = Successful and failed count payments, payouts and refunds.
home-all-successful = All successful
home-all-failed = All failed
home-export = Download the sums of these days
home-export-help = One line for each day, operator and type of payment, as your books have them: on the day on which the money moved. The table above counts by the day on which each payment began.
home-networks = Networks
home-balances = Money at the operators
home-balance-read = { $minutes ->
    [0] read just now
    [one] read { $minutes } minute ago
   *[other] read { $minutes } minutes ago
}
home-success-rate = Payments that succeeded
column-day = Day
availability-OPERATIONAL = works
availability-DEGRADED = works in part
availability-DOWN = down
availability-NONE = not served
range-today = Today
range-yesterday = Yesterday
range-last-month = Last month
home-today = { $weekday } { $date }
home-money-today = Money in today
home-nothing-before = Nothing had come in by this time last { $day }.
home-before-whole = { $amount } on the whole of last { $day }.
home-before-same = As much as last { $day } by this time.
home-before-more = { $difference } more than last { $day } by this time ({ $amount }).
home-before-less = { $difference } less than last { $day } by this time ({ $amount }).
home-nothing-waits = Nothing waits for you.
to-do-flagged = { $count ->
    [one] { $count } payment needs your decision
   *[other] { $count } payments need your decision
}
to-do-flagged-action = Decide
waits-for-others = { $count ->
    [one] { $count } that you asked for waits for somebody else
   *[other] { $count } that you asked for wait for somebody else
}
to-do-unapproved = { $count ->
    [one] { $count } payout or batch waits for your approval
   *[other] { $count } payouts or batches wait for your approval
}
to-do-unapproved-action = Look at them
to-do-lift = A change that lifts limits needs your decision
to-do-lift-action = Look at it
to-do-endpoints = { $count ->
    [one] { $count } webhook endpoint is disabled
   *[other] { $count } webhook endpoints are disabled
}
to-do-endpoints-action = Look at them
to-do-failing = { $count ->
    [one] { $count } webhook endpoint is failing
   *[other] { $count } webhook endpoints are failing
}
to-do-failing-action = Look at them
to-do-statements = { $count ->
    [one] { $count } statement does not agree with the payments
   *[other] { $count } statements do not agree with the payments
}
to-do-statements-action = See the differences
to-do-uncertain = { $count ->
    [one] { $count } payment is not confirmed by the operator, or is late
   *[other] { $count } payments are not confirmed by the operator, or are late
}
to-do-uncertain-action = See why
home-period = Money in and out
home-other-days = Other days
home-compared = compared with
home-until = until { $time }
home-before = before: { $amount }
home-before-percent = before: { $percent } %
home-failed = { $count ->
    [one] { $count } failed
   *[other] { $count } failed
}
home-successful = { $count ->
    [one] { $count } successful
   *[other] { $count } successful
}
home-plot-empty = No payments in these days.
plot-in = in { $amount }
plot-out = out { $amount }
plot-before = in before { $amount }
plot-key-before = Money in before
home-newest = Newest payments
home-all-payments = All payments
home-charges-OPERATIONAL = payments work
home-charges-DEGRADED = payments work in part
home-charges-DOWN = payments do not work
home-charges-NONE = no payments
home-payouts-OPERATIONAL = payouts work
home-payouts-DEGRADED = payouts work in part
home-payouts-DOWN = payouts do not work
home-payouts-NONE = no payouts
home-no-charges = no payments in these days
home-rate = { $percent } % succeeded
