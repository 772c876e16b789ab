nav-monthly-report = Monthly report
books-title = Monthly report
books-help = The money that moved in a month, for your books. Each payment counts on the day on which its money moved. Days are those of Ghana (GMT).
month-of-year-1 = January { $year }
month-of-year-2 = February { $year }
month-of-year-3 = March { $year }
month-of-year-4 = April { $year }
month-of-year-5 = May { $year }
month-of-year-6 = June { $year }
month-of-year-7 = July { $year }
month-of-year-8 = August { $year }
month-of-year-9 = September { $year }
month-of-year-10 = October { $year }
month-of-year-11 = November { $year }
month-of-year-12 = December { $year }
books-so-far = { $month } so far
books-previous = Month before
books-next = Month after
books-month = Month
books-show = Show
books-unreadable = The month was not understood, or has not begun. Choose it again.
books-preparing = The sums of earlier days are being made; they reach { $day }. This page loads itself again until they are complete.
books-download = Download
download-pdf = PDF
books-days-finished = { $from } to { $to }, compared with the whole month before, { $before_from } to { $before_to }.
books-days-running = { $from } to { $to }. The month is not finished, and today counts up to now. It is compared with the same whole days of the month before, { $before_from } to { $before_to }.
books-summary = Money of the month
books-item = Item
books-this = This month
books-before = Before
books-change = Change
books-in = Money in
books-kept = Kept of it after fees
books-failures-payers = Why payments failed: the payers’ own reasons
books-failures-others = Why payments failed: your or the operator’s reasons
books-reason = Reason
books-refunds = Refunds
books-payouts = Payouts
books-fees = Fees
books-unknown = not known
books-fees-partly = { $amount }, { $count } not known
books-fees-unknown = { $count ->
    [one] The fee of { $count } payment is not known. Net is before this fee.
   *[other] The fees of { $count } payments are not known. Net is before these fees.
}
books-fees-unknown-before = { $count ->
    [one] Of the month before, the fee of { $count } payment is not known.
   *[other] Of the month before, the fees of { $count } payments are not known.
}
books-net = Net
books-count = Payments
books-count-refunds = Number of refunds
books-count-payouts = Number of payouts
books-net-help = Net is money in, less refunds, payouts and fees.
books-begun-same = Home counts by the day of the beginning: money in, refunds and payouts have the same sums there.
books-begun-same-of = { $items }: the same on Home.
books-begun-differs = { $item }: Home counts by the day of the beginning, and has { $amount }. The difference is { $difference }: money that moved in another month than it began, and corrections.
books-by-network = By network
books-network = Network
books-by-operator = By operator
books-operator = Operator
books-total = Total
books-none = Nothing was posted in these days.
books-floats = Money at the operators
books-floats-help = By Tua’s ledger, which begins at nought: what a wallet contained before, and what you move without Tua, is not in it.
books-line = Line
books-opening = Before { $day }
books-closing = After { $day }
books-closing-now = Now
books-less-fees = less fees
books-less-refunds = less refunds
books-less-payouts = less payouts
books-in-transit = Pending payouts and refunds
books-suspense = Not decided yet
books-difference = Difference that is not explained
books-agreement = What does not agree
books-agreement-help = Days that were closed were compared with the statements of the operator when they were closed. Other days are not compared in this report.
books-agrees = Compared: { $days }. Nothing was found that does not agree.
books-compared = Compared: { $days }.
books-not-compared = Nothing was compared.
books-differs = { $count ->
    [one] { $day }: { $count } line or payment did not agree when the day was closed.
   *[other] { $day }: { $count } lines and payments did not agree when the day was closed.
}
books-changed = The ledger has other entries now than when these days were closed: { $days }.
books-empty-days = Closed, and there was nothing to compare: { $days }.
books-open-with = Not closed, so not compared here; a statement was imported: { $days }.
books-open-without = Not closed, and no statement was imported: { $days }.
books-compare = Compare the month now
books-no-ended-day = No day of the month has ended yet.
books-sandbox-agreement = The test operator has no statements, so there is nothing to compare with.
books-hidden = Only people with this role in every shop that uses the operator see its statements and closed days.
books-former = The operator is no longer in the settings, so its statements are not compared here.
books-made = Made on { $at } (GMT) by Tua
books-page = Page { $page } of { $pages }
books-mode-live = Live mode: real money
books-mode-test = Test mode: no real money
books-amount = Amount
