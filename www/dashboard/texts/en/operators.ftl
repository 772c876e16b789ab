nav-operators = Operators
operators-networks = Networks now
operator-refuses-CHARGE = { $name } refuses every payment on { $network }. Customers on this network cannot pay.
operator-refuses-PAYOUT = { $name } refuses every payout to { $network }. Nobody on this network can be paid.
operator-silent-CHARGE = { $name } does not answer when customers pay.
operator-silent-PAYOUT = { $name } does not answer to payouts.
operator-checked-at = Found by the check of the credentials at { $at }.
operator-mend = Look at the operator, and check the credentials again
operators-draining = Takes no new payments
operators-withheld = Payments are withheld, because it does not respond
operators-refusing = Payments of a network are withheld, because it refused all of them. Press Check
operators-service-withheld = withheld
operators-services = What this operator can serve, with its limits
operators-balance = Balance at the operator
operators-reserved = For payouts that are approved and not sent: GH₵{ $reserved }. Left for other payouts: GH₵{ $available }.
operators-short = The balance does not cover the payouts that are approved. Pay in at the operator.
operators-no-balance = No balance was read yet.
operators-not-entitled = The balance is shown to people of every account that this operator serves.
operators-sandbox = Test payments go to the test operator, which moves no money.
operator-sandbox = Test operator
operators-none = No operator is configured for live payments.
operator-check-button = Check credentials and connection
operator-check-title = Check of { $name }
operator-check-fine = The operator accepts the credentials, and the settings are right.
operator-check-faults = { $count ->
    [one] { $count } check found a fault.
   *[other] { $count } checks found faults.
}
operator-check-late = The operator did not respond within 30 seconds.
operator-check-nothing = There is nothing to check at this operator.
operator-check-no-money = No money was moved, and nothing was changed.
operator-check-ok = OK
operator-check-fault = fault
operator-check-again = Check again
