day-differs = { $count ->
    [one] { $count } line or payment does not agree.
   *[other] { $count } lines and payments do not agree.
}
days-differing = Differ
days-title = Closed days
days-help = A person closes a day of an operator when its figures are right. A closed day stays as it is: what arrives later is posted to the day after the last closed one.
days-next = Look at { $day }, and close it
days-none-to-close = No later day can be closed now.
days-upcoming = { $day } can be closed from { $from }: an hour after its end, when everything that began on it is recorded.
days-previous = Earlier days: look at { $day }, the next of them
days-choose = Another day
days-look = Look at it
days-unreadable = The day was not understood. Choose it again.
days-day = Day
days-closed-by = Closed by
day-report = { $operator }, { $day }
day-closed-by = Closed by { $by } on { $at }
day-agrees = The figures still agree with what they were made from.
day-disagrees = The figures do not agree with what they were made from any more.
day-not-compared = No statement has lines of this day, so nothing was compared.
day-import = Import or fetch a statement
day-open = The day is not closed. These are its figures now.
day-ledger = Ledger
day-opening = Before the day
day-posted = On the day
day-closing = After the day
day-entries = { $count ->
    [one] { $count } entry of the ledger
   *[other] { $count } entries of the ledger
}
day-lines = Lines of statements
day-kind = Kind
day-kind-CHARGE = Payments
day-kind-PAYOUT = Payouts
day-kind-REFUND = Refunds
day-kind-REVERSAL = Returned by the operator
day-close = Close { $day }
day-close-help = With this you sign these figures off. It cannot be undone.
day-close-kept = Go on to close the day
day-sum-CHARGE = Money in
day-sum-PAYOUT = Paid out
day-sum-REFUND = Refunded
day-sum-REVERSAL = Returned by the operator
day-sum-fees = Fees
day-sum-balance = Money at the operator after the day
day-first-help = No day of this operator is closed yet. { $day } is the first one: later days are closed one after the other, and earlier ones backwards from it.
done-day-closed = The day is closed.
day-not-ended = A day can be closed one hour after its end.
day-obstacle-not-ended = This day can be closed from { $from }: an hour after its end, when everything that began on it is recorded.
day-obstacle-not-next = Days are closed one after the other. Close { $day } first.
day-not-previous = Earlier days are closed backwards: close the one before the first closed day first.
day-not-next = Close the days before it first.
day-incomplete = The import of a statement was cut off. Import the file again first.
day-nothing = There is nothing of this operator until this day.
day-changed = The entries or lines of the day changed meanwhile. Look at the figures again.
ledger-operatorFloat = Money at the operator
ledger-inTransit = On its way
ledger-fees = Fees
ledger-merchant = Merchant’s account
ledger-refunds = Refunds
ledger-suspense = Not decided yet
ledger-debit = Dr
ledger-credit = Cr
ledger-sides = Dr is a debit, Cr a credit.
day-fee-none = none stated
ledger-fees-known = Fees that the operator has not reported are not in the ledger.
nav-closed-days = Closed days
